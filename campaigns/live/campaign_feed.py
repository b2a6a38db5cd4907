"""A campaign's feed: one in each process that has sockets at its table.

It reads the rows after its head, renders each once per role, keeps the last few hundred as ready frames, and wakes the socket
writers. It only ever pulls: a notification that is lost, doubled or early costs time, never an event.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from channels.db import database_sync_to_async
from django.db.models import Max, Q

from campaigns.events import MEMBER_LEFT, MEMBER_REMOVED, ROLE_CHANGED, WORDS_ERASED
from campaigns.live import editing_presence as places
from campaigns.live import presence
from campaigns.live.render import render_live
from campaigns.markdown import to_html
from campaigns.models import Event, Role, Stream, Viewer
from campaigns.models.streams import GM

log = logging.getLogger(__name__)

KEPT = 500  # frames
BATCH = 200  # rows read at once

REMOVED = frozenset({MEMBER_LEFT, MEMBER_REMOVED})


@dataclass(frozen=True)
class Frame:
    """An event made ready to send: its text once for each role that may see it.

    `removes` and `reseats` name a member whose sockets end here: gone from the table, or there in another role. After one that
    `erases`, those before it say something else.
    """

    id: int
    stream: str
    texts: dict[Role, str]
    removes: int | None = None
    reseats: int | None = None
    erases: bool = False

    def text_for(self, viewer: Viewer) -> str | None:
        """What to send to this viewer; None if it may not see the event."""
        if viewer.streams is not None and self.stream not in viewer.streams:
            return None
        return self.texts.get(viewer.role)


def frame_of(event: Event) -> Frame:
    """An event drawn once for each role that may see it, with what it does to the sockets beside."""
    stream = event.stream.name
    who = event.payload.get("who", {}).get("member") if event.kind in REMOVED or event.kind == ROLE_CHANGED else None
    return Frame(
        id=event.pk,
        stream=stream,
        texts={role: _text(event, stream, role) for role in _audience(stream)},
        removes=who if event.kind in REMOVED else None,
        reseats=who if event.kind == ROLE_CHANGED else None,
        erases=event.kind == WORDS_ERASED,
    )


def _audience(stream: str) -> Iterable[Role]:
    return (Role.GM,) if stream == GM else Role


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


class Outlet(Protocol):
    """What a feed wakes: a socket writer."""

    def wake(self) -> None: ...

    def say(self, text: str) -> None: ...

    def tell_places(self) -> None: ...


@dataclass
class CampaignFeed:
    """`head` is the id of the last event read, `heads` the last number of each stream; `arriving` counts the sockets that are
    on their way to a viewer, so that the feed is not given up before they sit."""

    campaign_id: UUID
    head: int
    heads: dict[str, int]
    frames: deque[Frame] = field(default_factory=lambda: deque(maxlen=KEPT))
    writers: set[Outlet] = field(default_factory=set)
    present: str = ""
    places: list[dict[str, Any]] = field(default_factory=list)
    arriving: int = 0
    _pulling: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    async def open(cls, campaign_id: UUID) -> CampaignFeed:
        return cls(campaign_id, *await _heads(campaign_id))

    async def pull(self) -> None:
        """Read what is new. The head moves only here, one pull at a time."""
        async with self._pulling:
            while events := await _read(self.campaign_id, self.head):
                if any(frame.erases for frame, _ in events):
                    self.frames = await _redrawn(self.frames)
                for frame, seq in events:
                    self.frames.append(frame)
                    self.heads[frame.stream] = seq
                    self.head = frame.id
                for writer in tuple(self.writers):
                    writer.wake()

    def after(self, event_id: int) -> list[Frame] | None:
        """The frames after an event, or None if some of them are no longer kept."""
        if event_id >= self.head:
            return []
        if not self.frames or (self.frames[0].id > event_id and len(self.frames) == KEPT):
            return None
        return [frame for frame in self.frames if frame.id > event_id]

    def heads_for(self, viewer: Viewer) -> dict[str, int]:
        """The last number of every stream that this viewer sees."""
        return {
            name: seq for name, seq in sorted(self.heads.items()) if viewer.streams is None or name in viewer.streams
        }

    async def refresh_presence(self) -> None:
        """Tell everybody who is at the table, and who is writing where, if that has changed."""
        html, writing = await _present(self.campaign_id)
        if html != self.present:
            self.present = html
            for writer in tuple(self.writers):
                writer.say(self.presence_frame())
        if writing != self.places:
            self.places = writing
            for writer in tuple(self.writers):
                writer.tell_places()

    def presence_frame(self) -> str:
        return json.dumps({"t": "presence", "html": self.present})


@database_sync_to_async
def _present(campaign_id: UUID) -> tuple[str, list[dict[str, Any]]]:
    return presence.render(campaign_id), places.places(campaign_id)


@database_sync_to_async
def _heads(campaign_id: UUID) -> tuple[int, dict[str, int]]:
    # The numbers first: too low a number in a beat is harmless, too high a one would send clients looking for a loss.
    numbers = dict(Stream.objects.filter(campaign=campaign_id).values_list("name", "seq"))
    return Event.objects.filter(campaign=campaign_id).aggregate(last=Max("id"))["last"] or 0, numbers


@database_sync_to_async
def _read(campaign_id: UUID, after: int) -> list[tuple[Frame, int]]:
    events = (
        Event.objects.filter(campaign=campaign_id, id__gt=after)
        .order_by("id")
        .with_related()
        .linked()
        .select_related("campaign")
    )
    return [(frame_of(event), event.seq) for event in events[:BATCH]]


@database_sync_to_async
def _redrawn(frames: deque[Frame]) -> deque[Frame]:
    """The same frames as their events are now."""
    to_html.cache_clear()
    events = (
        Event.objects.filter(pk__in=[frame.id for frame in frames])
        .order_by("id")
        .with_related()
        .linked()
        .select_related("campaign")
    )
    return deque(map(frame_of, events), maxlen=KEPT)


@database_sync_to_async
def backlog(viewer: Viewer, since: dict[str, int], upto: int, limit: int) -> list[Frame]:
    """What a returning client has missed of its streams, in order, up to the feed's head; at most `limit` + 1 frames."""
    streams = Stream.objects.filter(campaign=viewer.campaign)
    if viewer.streams is not None:
        streams = streams.filter(name__in=viewer.streams)
    missed = Q(pk__in=[])
    for stream in streams:
        missed |= Q(stream=stream, seq__gt=since.get(stream.name, 0))
    events = (
        Event.objects.filter(missed, id__lte=upto).order_by("id").with_related().linked().select_related("campaign")
    )
    return [frame_of(event) for event in events[: limit + 1]]
