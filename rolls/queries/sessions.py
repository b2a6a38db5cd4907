"""What a session comes to, as one viewer may see it: the same for its page and, through a spectator's eyes, for its recap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.events import CLOCK_TICKED, SAID
from campaigns.models import Event, GameSession, Membership, Scene, Viewer
from campaigns.models.log import filed_in
from campaigns.queries.play import pinned
from characters.events import XP_AWARDED


@dataclass(frozen=True)
class Told:
    """A session. `who` acted in it; `filled` and `awards` are what events say (Event.described)."""

    session: GameSession
    who: Sequence[Membership]
    scenes: Sequence[Scene]
    filled: Sequence[Mapping[str, Any]]
    awards: Sequence[Mapping[str, Any]]
    moments: Sequence[Event]

    @property
    def quotes(self) -> list[Event]:
        """The pinned moments in which somebody says something."""
        return [event for event in self.moments if event.kind == SAID and event.is_readable]


def told(viewer: Viewer, session: GameSession) -> Told:
    """All of it, as this viewer may see it. The number of queries does not depend on how much happened."""
    seen = filed_in(Event.objects.seen_by(viewer), session)
    known = (
        seen.deduplicated(viewer).filter(kind__in=(CLOCK_TICKED, XP_AWARDED)).select_related("stored").order_by("pk")
    )
    events = [(event.kind, event.described) for event in known if event.is_readable]
    return Told(
        session=session,
        who=list(
            Membership.objects.filter(pk__in=seen.values("actor")).select_related("user").order_by("joined_at", "pk")
        ),
        scenes=list(session.scenes.all()),
        filled=_filled([payload for kind, payload in events if kind == CLOCK_TICKED]),
        awards=[payload for kind, payload in events if kind == XP_AWARDED],
        moments=pinned(viewer, session),
    )


def missed(viewer: Viewer, session: GameSession) -> int:
    """How much happened in a session since this member was last here; 0 for those of whom that is not known."""
    member = viewer.membership
    if member is None or viewer.is_read_only or member.last_visit is None:
        return 0
    events = filed_in(Event.objects.seen_by(viewer).deduplicated(viewer), session).filter(at__gt=member.last_visit)
    return events.count()


def _filled(ticks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The clocks that were full in the end. Where players do not see the ticks, what is no longer full says only that."""
    full: dict[str, Mapping[str, Any]] = {}
    for payload in ticks:
        name, by = payload["clock"]["id"], payload.get("ticks")
        if payload["full"]:
            full[name] = payload
        elif by is None or by < 0:
            full.pop(name, None)
    return list(full.values())
