"""A campaign's feed: one in each process that has sockets at its table.

It reads the rows after its head, renders each once for all who are sent the same, keeps the last few hundred as ready frames, and
wakes the socket writers. It only ever pulls: a notification that is lost, doubled or early costs time, never an event.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile
from time import time
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from channels.db import database_sync_to_async
from django.db import models
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils import translation

from campaigns.events import MEMBER_LEFT, MEMBER_REMOVED, ROLE_CHANGED, WORDS_ERASED
from campaigns.live.cards import Card, Cards, card_with, cards_of
from campaigns.live.render import event_data, forget_texts, render_live
from campaigns.metrics import LAG, PULLS
from campaigns.models import Campaign, Event, Role, Stream, Viewer, Written
from campaigns.models.log import EventQuerySet, prefetch_amendments
from campaigns.models.members import GM
from database.compiled import Parameter, compiled

log = logging.getLogger(__name__)

REMOVED = frozenset({MEMBER_LEFT, MEMBER_REMOVED})


class Readers(NamedTuple):
    """All who are sent the same of an event: in one role, and in one language, a code of settings.LANGUAGES. Pages are sent HTML,
    programs data."""

    role: Role
    language: str
    are_programs: bool = False


@dataclass(eq=False)
class Frame:
    """An event ready to send: `texts` holds its text for each kind of readers for whom it was drawn, of those who may
    see it.

    `removes` and `reseats` name a member whose sockets end here, because they left or changed roles. After a frame that
    `erases`, earlier frames have other texts. These three are known only once it was drawn. `prev` is the hash of the
    event before it in its stream, None for events from before the feed was opened.
    """

    id: int
    stream: str
    seq: int
    hash: str
    prev: str | None = None
    texts: dict[Readers, str] = field(default_factory=dict)
    removes: int | None = None
    reseats: int | None = None
    erases: bool = False

    def is_seen_by(self, viewer: Viewer) -> bool:
        return viewer.streams is None or self.stream in viewer.streams

    def draw(self, event: Event, readers: Iterable[Readers], cards: Cards, later: Collection[Event] = ()) -> None:
        """Draw it for those of these readers who may see it; as its card, unless that is drawn with a `later` one."""
        for these in {*readers}:
            if these.role in _audience(self.stream):
                self.texts[these] = _text(event, self.stream, these, _card(event, cards, these.role, later))
        who = (
            event.payload.get("who", {}).get("member") if event.kind in REMOVED or event.kind == ROLE_CHANGED else None
        )
        self.removes = who if event.kind in REMOVED else None
        self.reseats = who if event.kind == ROLE_CHANGED else None
        self.erases = event.kind == WORDS_ERASED


def frames_of(events: Sequence[Event], readers: Iterable[Readers]) -> list[Frame]:
    """Return these events drawn once for each kind of readers who may see them, and what they do to sockets."""
    frames = [Frame(event.pk, event.stream.name, event.seq, event.hash, event.prev) for event in events]
    _draw_all(dict(zip((event.pk for event in events), frames, strict=True)), events, readers)
    return frames


def _draw_all(frames: Mapping[int, Frame], events: Sequence[Event], readers: Iterable[Readers]) -> None:
    cards = cards_of(events)
    if cards and any(these.role == Role.GM for these in readers):
        Written.objects.mark_undoable(events[0].campaign, [*chain.from_iterable(cards.values())])
    for at, event in enumerate(events):
        frames[event.pk].draw(event, readers, cards, events[at + 1 :])


def _card(event: Event, cards: Cards, role: Role, later: Collection[Event]) -> Card | None:
    """Return the card on which an event stands, as it stood then, without events where a later one of the same operation draws
    it."""
    card = card_with(event, cards, role)
    if card is None:
        return None
    beside = (one for one in later if one.part and one.card == event.card and one.at == event.at)
    if any(role == Role.GM or one.stream_id == event.stream_id for one in beside):
        return Card(card.id, ())
    return card.until(event)


def _audience(stream: str) -> set[Role]:
    return {Role.GM} if stream == GM else {*Role}


def _text(event: Event, stream: str, readers: Readers, card: Card | None) -> str:
    place = {"stream": stream, "seq": event.seq, "prev": event.prev, "hash": event.hash}
    # One event with a fault in its template would otherwise stop its table for good: the next pull meets it again.
    try:
        with translation.override(readers.language):
            if readers.are_programs:
                return json.dumps(event_data(event, readers.role))
            return json.dumps({"t": "event", **place, "html": render_live(event, readers.role, card)})
    except Exception:
        log.exception("%s (%s) cannot be drawn; the events after it go on.", event.kind, event.uid)
        return json.dumps({"t": "event", **place, "html": ""})


KEPT = 500  # frames
DRAWN = 2 * 2**20  # bytes of their drawn texts
BATCH = 200  # rows read at once


class FeedSubscriber(Protocol):
    """A socket writer, as far as a feed wakes it. `readers` are all who are sent the same of an event."""

    viewer: Viewer
    readers: Readers

    def wake(self) -> None: ...

    def tell_present(self) -> None: ...

    def beat(self) -> None: ...

    def tell_places(self) -> None: ...

    def tell_draft(self, text: str) -> None: ...


@dataclass
class CampaignFeed:
    """The last events of a campaign, and the sockets that follow it. `head` is the id of the last event read, `heads`
    the last number of each stream, `hashes` its hash, and `frames` the last events up to there: those since it was
    opened, and before them as many as KEPT, not drawn yet; of the drawn texts the newest are kept, up to DRAWN. `doors`
    is the campaign's count (campaigns/services/campaigns.py): when it grows, `look_again` ends the sockets of those who
    lost access, before anything read since is sent. `paused` are the words shown while play is paused, else "".
    `arriving` is how many batches of sockets are being admitted, so that the feed is not dropped before they are there.
    `is_replaced`: the log is no longer the one that was read, as after a rollback.
    """

    campaign_id: UUID
    slug: str
    heads: dict[str, int]
    hashes: dict[str, str]
    frames: deque[Frame]
    paused: str = ""
    doors: int = 0
    look_again: Callable[[CampaignFeed], Awaitable[None]] | None = None
    head: int = field(init=False)
    writers: set[FeedSubscriber] = field(default_factory=set)
    present: dict[str, Any] = field(default_factory=dict)
    places: list[dict[str, Any]] = field(default_factory=list)
    arriving: int = 0
    is_replaced: bool = False
    _presence_frames: dict[str, str] = field(default_factory=dict)
    _pulling: asyncio.Lock = field(default_factory=asyncio.Lock)
    _drawing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.head = self.frames[-1].id if self.frames else 0

    async def pull(self) -> None:
        """Read new events. The head moves only here, one pull at a time."""
        async with self._pulling:
            while True:
                readers = {writer.readers for writer in self.writers}
                frames, paused, doors = await _read(self.campaign_id, self.head, readers)
                await self._shut_doors(self.doors if doors is None else doors)
                if any(frame.erases for frame in frames):
                    # Earlier frames are drawn again from the present data when they are needed.
                    forget_texts()
                    self.frames = deque((replace(old, texts={}) for old in self.frames), maxlen=KEPT)
                for frame in frames:
                    if not self._goes_on_with(frame):
                        self.is_replaced = True
                        return
                    self.frames.append(frame)
                    self.heads[frame.stream], self.hashes[frame.stream] = frame.seq, frame.hash
                    self.head = frame.id
                if frames:
                    self._forget_oldest()
                    for writer in tuple(self.writers):
                        writer.wake()
                if len(frames) < BATCH:
                    self._tell_paused(paused)
                    return

    def _goes_on_with(self, frame: Frame) -> bool:
        """Return whether a frame is the next event of its stream in the log that was read."""
        after = self.heads.get(frame.stream, 0)
        return frame.seq == after + 1 and (
            frame.prev is None or frame.prev == self.hashes.get(frame.stream, frame.prev)
        )

    async def _shut_doors(self, doors: int) -> None:
        # First, so that sockets that open in between are looked up again as well (campaigns/live/connections.py).
        before, self.doors = self.doors, doors
        try:
            if doors != before and self.look_again:
                await self.look_again(self)
        except BaseException:
            self.doors = before
            raise

    def _tell_paused(self, words: str) -> None:
        """Send every page the words of a pause, or that play goes on, if that has changed."""
        if words != self.paused:
            self.paused = words
            for writer in tuple(self.writers):
                writer.beat()

    def after(self, event_id: int) -> Sequence[Frame] | None:
        """Return the frames after an event, or None if some of them are no longer kept."""
        if event_id >= self.head:
            return ()
        if not self.frames or (self.frames[0].id > event_id and len(self.frames) == KEPT):
            return None
        newer = takewhile(lambda frame: frame.id > event_id, reversed(self.frames))
        return [*newer][::-1]

    def is_behind(self, since: Mapping[str, int]) -> bool:
        """Return whether a page knows newer events than this feed has read."""
        return any(self.heads.get(name, 0) < seq for name, seq in since.items())

    def is_another(self, viewer: Viewer, since: Mapping[str, int], hashes: Mapping[str, str]) -> bool:
        """Return whether a page shows another log: more events of a stream than exist, or another event under the last
        number it knows.

        Ask this once everything is read that a page could know.
        """
        seen = {name: seq for name, seq in since.items() if viewer.streams is None or name in viewer.streams}
        if self.is_replaced or self.is_behind(seen):
            return True
        here = {name: hash for name, hash in self.hashes.items() if self.heads.get(name) == seen.get(name)}
        here |= {frame.stream: frame.hash for frame in self.frames if frame.seq == seen.get(frame.stream)}
        return any(hashes.get(name, hash) != hash for name, hash in here.items())

    def heads_for(self, viewer: Viewer) -> dict[str, int]:
        """Return the last number of every stream that this viewer sees."""
        names = self.heads if viewer.streams is None else self.heads.keys() & {*viewer.streams}
        return {name: self.heads[name] for name in sorted(names)}

    async def missed(
        self, viewer: Viewer, readers: Readers, since: Mapping[str, int], upto: int, most: int
    ) -> list[Frame] | None:
        """Return the events of a client's streams that it missed up to an event, in order, drawn for these readers.

        None if there are more than `most`. They come from the kept frames if these reach back far enough, else from the log.
        """
        behind = {
            name: seq - since.get(name, 0) for name, seq in self.heads_for(viewer).items() if seq > since.get(name, 0)
        }
        if sum(behind.values()) > most:
            return None
        kept = [frame for frame in self.frames if frame.seq > since.get(frame.stream, 0) and frame.is_seen_by(viewer)]
        if len(kept) < sum(behind.values()):
            return await backlog(viewer, readers, since, upto)
        frames = [frame for frame in kept if frame.id <= upto]
        await self.draw(frames, readers)
        return frames

    async def draw(self, frames: Sequence[Frame], readers: Readers) -> None:
        """See to it that these frames, all of which these readers may see, are drawn for them: by who asks first, for all."""
        if all(readers in frame.texts for frame in frames):
            return
        async with self._drawing:
            if missing := [frame for frame in frames if readers not in frame.texts]:
                await _draw(missing, readers)
                self._forget_oldest()

    def _forget_oldest(self) -> None:
        """Limit the cached texts of frames. A frame in use stays as it is; later it is drawn again."""
        drawn, bounded = 0, deque[Frame](maxlen=KEPT)
        for frame in reversed(self.frames):
            drawn += sum(map(len, frame.texts.values()))  # JSON in ASCII: a byte each
            bounded.appendleft(replace(frame, texts={}) if frame.texts and drawn > DRAWN else frame)
        self.frames = bounded

    def tell_present(self, present: dict[str, Any], writing: list[dict[str, Any]]) -> None:
        """Tell everyone who is at the table, and who is writing where, if that has changed."""
        if present != self.present:
            self.present, self._presence_frames = present, {}
            for writer in tuple(self.writers):
                writer.tell_present()
        if writing != self.places:
            self.places = writing
            for writer in tuple(self.writers):
                writer.tell_places()

    def presence_frame(self, language: str) -> str:
        """Return the presence message for pages in this language, drawn once for all of them."""
        if language not in self._presence_frames:
            with translation.override(language):
                html = render_to_string("campaigns/_presence.html", self.present)
            self._presence_frames[language] = json.dumps({"t": "presence", "html": html})
        return self._presence_frames[language]


@database_sync_to_async
def open_feeds(slugs: Iterable[str]) -> list[CampaignFeed]:
    """New feeds of those campaigns that there are."""
    return [_opened(campaign) for campaign in Campaign.objects.filter(slug__in=slugs)]


def _opened(campaign: Campaign) -> CampaignFeed:
    # The numbers first, then the events: events recorded in between are then among the last, which update the numbers.
    streams = list(Stream.objects.filter(campaign=campaign).values_list("name", "seq", "head"))
    columns = ("id", "stream__name", "seq", "hash")
    last = Event.objects.filter(campaign=campaign).order_by("-id").values_list(*columns)[:KEPT]
    frames = deque((Frame(*event) for event in reversed(last)), maxlen=KEPT)
    heads = {name: seq for name, seq, _ in streams} | {frame.stream: frame.seq for frame in frames}
    hashes = {name: head for name, seq, head in streams if seq} | {frame.stream: frame.hash for frame in frames}
    return CampaignFeed(campaign.pk, campaign.slug, heads, hashes, frames, campaign.paused, campaign.doors)


async def behind(feeds: Collection[CampaignFeed]) -> list[CampaignFeed]:
    """Return those of these feeds whose campaigns have news: looked up for all at once. One whose log is shorter by now is
    replaced."""
    # What a feed has read by now is there when it is looked for, unless the log was put back.
    return await _behind(feeds, {feed.campaign_id: dict(feed.heads) for feed in feeds})


@database_sync_to_async
def _behind(feeds: Collection[CampaignFeed], stood: Mapping[UUID, Mapping[str, int]]) -> list[CampaignFeed]:
    numbers: dict[UUID, dict[str, int]] = {feed.campaign_id: {} for feed in feeds}
    stands: dict[UUID, tuple[bool, int]] = {}
    streams = Stream.objects.filter(campaign__in=numbers)
    columns = ("campaign", "campaign__is_paused", "campaign__doors", "name", "seq")
    for campaign_id, is_paused, doors, name, seq in streams.values_list(*columns):
        numbers[campaign_id][name], stands[campaign_id] = seq, (is_paused, doors)
    for feed in feeds:
        now = numbers[feed.campaign_id]
        if now and any(now.get(name, 0) < seq for name, seq in stood[feed.campaign_id].items()):
            feed.is_replaced = True
    return [
        feed
        for feed in feeds
        if feed.is_behind(numbers[feed.campaign_id]) or stands.get(feed.campaign_id) != (bool(feed.paused), feed.doors)
    ]


@compiled(campaign=models.UUIDField(), after=models.BigAutoField())
def _newer(campaign: Parameter, after: Parameter) -> QuerySet[Event]:
    newer = Event.objects.filter(campaign=campaign, id__gt=after).order_by("id")
    return newer.with_stored().linked().amended().select_related("campaign")[:BATCH]


@database_sync_to_async
def _read(campaign_id: UUID, after: int, readers: set[Readers]) -> tuple[list[Frame], str, int | None]:
    """Return the new events, the words of a pause, and the campaign's `doors`, None if it is gone. Even without events
    these may have changed.
    """
    events = _newer.rows(campaign=campaign_id, after=after)
    campaign = events[-1].campaign if events else Campaign.objects.filter(pk=campaign_id).first()
    prefetch_amendments(events)
    frames = frames_of(events, readers)
    PULLS.labels("yes" if events else "no").inc()
    if events:
        LAG.observe(max(0.0, time() - events[-1].at.timestamp()))
    return frames, campaign.paused if campaign else "", campaign.doors if campaign else None


@database_sync_to_async
def _draw(frames: Sequence[Frame], readers: Readers) -> None:
    by_id = {frame.id: frame for frame in frames}
    _draw_all(by_id, list(_whole(Event.objects.filter(pk__in=by_id))), [readers])


@database_sync_to_async
def backlog(viewer: Viewer, readers: Readers, since: Mapping[str, int], upto: int) -> list[Frame]:
    """Return the events of a client's streams that it missed up to an event, in order, read from the log."""
    streams = Stream.objects.filter(campaign=viewer.campaign)
    if viewer.streams is not None:
        streams = streams.filter(name__in=viewer.streams)
    missed = Q(pk__in=[])
    for stream in streams:
        missed |= Q(stream=stream, seq__gt=since.get(stream.name, 0))
    return frames_of(list(_whole(Event.objects.filter(missed, id__lte=upto))), [readers])


def _whole(events: EventQuerySet) -> EventQuerySet:
    """Return these events in order, with everything needed to draw them."""
    return events.order_by("id").with_related().linked().select_related("campaign")
