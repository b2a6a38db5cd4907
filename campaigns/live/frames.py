"""Events made ready to send: each drawn once for every role that may see it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field

from campaigns.events import MEMBER_LEFT, MEMBER_REMOVED, ROLE_CHANGED, WORDS_ERASED
from campaigns.live.render import render_live
from campaigns.models import Event, Role, Viewer
from campaigns.models.streams import GM

log = logging.getLogger(__name__)

REMOVED = frozenset({MEMBER_LEFT, MEMBER_REMOVED})


@dataclass(eq=False)
class Frame:
    """An event made ready to send: `texts` has it once for each role for which it was drawn, of those that may see it.

    `removes` and `reseats` name a member whose sockets end here: gone from the table, or there in another role. After one that
    `erases`, those before it say something else. These three are not known before it was drawn for anybody; `prev`, the hash of
    the event before it in its stream, not of what was there when the feed was opened.
    """

    id: int
    stream: str
    seq: int
    hash: str
    prev: str | None = None
    texts: dict[Role, str] = field(default_factory=dict)
    removes: int | None = None
    reseats: int | None = None
    erases: bool = False

    def is_seen_by(self, viewer: Viewer) -> bool:
        return viewer.streams is None or self.stream in viewer.streams

    def text_for(self, viewer: Viewer) -> str | None:
        """What to send to this viewer; None if it may not see the event. It was drawn for their role."""
        return self.texts[viewer.role] if self.is_seen_by(viewer) else None

    def draw(self, event: Event, roles: Iterable[Role]) -> None:
        """Draw it for those of these roles that may see it."""
        for role in _audience(self.stream) & {*roles}:
            self.texts[role] = _text(event, self.stream, role)
        who = (
            event.payload.get("who", {}).get("member") if event.kind in REMOVED or event.kind == ROLE_CHANGED else None
        )
        self.removes = who if event.kind in REMOVED else None
        self.reseats = who if event.kind == ROLE_CHANGED else None
        self.erases = event.kind == WORDS_ERASED


def frame_of(event: Event, roles: Iterable[Role] = Role) -> Frame:
    """An event drawn once for each of these roles that may see it, with what it does to the sockets beside."""
    frame = Frame(event.pk, event.stream.name, event.seq, event.hash, event.prev)
    frame.draw(event, roles)
    return frame


def _audience(stream: str) -> set[Role]:
    return {Role.GM} if stream == GM else {*Role}


def _text(event: Event, stream: str, role: Role) -> str:
    place = {"stream": stream, "seq": event.seq, "prev": event.prev, "hash": event.hash}
    return json.dumps({"t": "event", **place, "html": _drawn(event, role)})


def _drawn(event: Event, role: Role) -> str:
    # One event with a fault in its template would otherwise stop its table for good: the next pull meets it again.
    try:
        return render_live(event, role)
    except Exception:
        log.exception("%s (%s) cannot be drawn; the events after it go on.", event.kind, event.uid)
        return ""
