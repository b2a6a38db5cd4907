"""The log as lines that anyone can check, and the check itself (docs/fairdice.md says what a line holds)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from django.db import models
from django.db.models import BigIntegerField, Case, OuterRef, Subquery, When

from campaigns import chain
from campaigns.events import LOG_RESTORED
from campaigns.models import Campaign, Event, EventSubject, Stream, Viewer
from campaigns.models.log import EventQuerySet, prefetch_amendments
from campaigns.models.members import TABLE
from database.compiled import CompiledQuery, Parameter, compiled


def newest(viewer: Viewer, many: int) -> list[Event]:
    """Return so many of the newest events that this viewer may see, newest first, with everything needed to draw them."""
    own = viewer.streams[1:] if viewer.streams else []
    query = _newest(many, sees_all=viewer.streams is None, has_own=bool(own))
    events = query.rows(campaign=viewer.campaign.pk, **({"own": own[0]} if own else {}))
    for event in events:
        # It is the same for all of them, and whole: read with each, it takes a tenth of the page's time.
        event.campaign = viewer.campaign
    prefetch_amendments(events)
    return events


@cache
def _newest(many: int, *, sees_all: bool, has_own: bool) -> CompiledQuery[Event]:
    """Build the query for a viewer's streams: all, the table's and their own, or only the table's."""

    def seen(campaign: Parameter, own: Parameter | None = None) -> EventQuerySet:
        viewer: Any = SimpleNamespace(campaign=campaign, streams=None if sees_all else [TABLE, own] if own else [TABLE])
        return Event.objects.seen_by(viewer).before(None).with_stored().amended().deduplicated(viewer)[:many]

    own = {"own": models.CharField()} if has_own else {}
    return compiled(campaign=models.UUIDField(), **own)(seen)


def heads(viewer: Viewer, kept: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """Return the state of each stream that this viewer sees.

    It has {"seq", "hash"} of the last event, under "kept" the hash of the event with the number in `kept` (None if
    there is none), and if the log was ever restored, "restored": for each time, oldest first, its `mark` and the `seq`
    of the stream then.
    """
    # By its subject: a search through the log for its kind would read the whole log.
    about = EventSubject.objects.filter(key=restored_key(viewer.campaign), event__kind=LOG_RESTORED)
    marks = list(about.order_by("event").values_list("event", "event__hash"))
    streams = Stream.objects.filter(campaign=viewer.campaign).order_by("name")
    if viewer.streams is not None:
        streams = streams.filter(name__in=viewer.streams)
    asked = Case(*[When(name=name, then=seq) for name, seq in kept.items()], default=0, output_field=BigIntegerField())
    reached = {f"mark_{pk}": _reached(pk) for pk, _ in marks}
    known = streams.annotate(asked=asked).annotate(last=_hash("seq"), kept=_hash("asked"), **reached)
    by_campaign: dict[str, dict[str, Any]] = {}
    for stream in known:
        by_campaign[stream.name] = {"seq": stream.seq, "hash": stream.last, "kept": stream.kept}
        if marks:
            restored = [{"mark": mark, "seq": getattr(stream, f"mark_{pk}") or 0} for pk, mark in marks]
            by_campaign[stream.name]["restored"] = restored
    return by_campaign


def _hash(number: str) -> Subquery:
    """Return the hash of the event of a stream that has the number in this column."""
    return Subquery(Event.objects.filter(stream=OuterRef("pk"), seq=OuterRef(number)).values("hash")[:1])


def _reached(event_id: int) -> Subquery:
    """Return the number of a stream's last event before another one."""
    earlier = Event.objects.filter(stream=OuterRef("pk"), pk__lt=event_id)
    return Subquery(earlier.order_by("-seq").values("seq")[:1])


def restored_key(campaign: Campaign) -> str:
    """Return the subject key of restore entries."""
    return f"restored:{campaign.pk}"


BATCH = 500  # rows read at once


def line_of(event: Event, prev: str, *, said: bool = True) -> dict[str, Any]:
    """Return an event as a line, to be written as JSON. `prev` is the hash before it; without `said` it is a bare link of the
    chain.

    Needs `stream`, `actor` and, with `said`, `payload`.
    """
    line = {
        "campaign": str(event.campaign_id),
        "stream": event.stream.name,
        "seq": event.seq,
        "at": chain.moment(event.at),
        "kind": event.kind,
        "actor": event.actor_number,
        "commitment": event.commitment,
        "prev": prev,
        "hash": event.hash,
    }
    if not said:
        return line
    stored = event.stored
    return line | {"salt": stored.salt, "payload": stored.payload, "erased": stored.erased_at is not None}


def everything(event: Event) -> bool:
    """Return True: `lines_of` includes the content of all events."""
    return True


def lines_of(
    events: Iterable[Event], campaign: Campaign, said: Callable[[Event], bool] = everything
) -> Iterator[dict[str, Any]]:
    """Yield events as lines, in their order. Those that are not `said` are bare links.

    In each stream they have to come by number; what comes before the first of a stream is looked up.
    """
    heads: dict[str, str] = {}
    for event in events:
        name = event.stream.name
        prev = heads.get(name) or _before(event, campaign)
        heads[name] = event.hash
        yield line_of(event, prev, said=said(event))


def in_batches(events: EventQuerySet) -> Iterator[Event]:
    """Yield events in order, read in batches without an open cursor, because sending them takes as long as their reader does."""
    events, done = events.order_by("pk"), 0
    while batch := list(events.filter(pk__gt=done)[:BATCH]):
        yield from batch
        done = batch[-1].pk


def _before(event: Event, campaign: Campaign) -> str:
    earlier = Event.objects.filter(stream=event.stream, seq=event.seq - 1).values_list("hash", flat=True).first()
    return earlier or chain.first_link(str(campaign.pk), event.stream.name)


def faults(campaign: Campaign) -> Iterator[str]:
    """Yield every place where the log of a campaign is not as it was written, in words; nothing when all is well."""
    for stream in Stream.objects.filter(campaign=campaign).order_by("name"):
        yield from _faults_of(stream, campaign)


def _faults_of(stream: Stream, campaign: Campaign) -> Iterator[str]:
    head, last = chain.first_link(str(campaign.pk), stream.name), 0
    events = Event.objects.filter(stream=stream).select_related("stream", "stored", "actor").order_by("seq")
    for event in events.iterator(chunk_size=BATCH):
        name = f"{stream.name} {event.seq} ({event.kind})"
        if event.seq != last + 1:
            yield f"{name}: what stood before it, from number {last + 1} on, is missing."
        if _linked(event, head, campaign) != event.hash:
            yield f"{name}: the chain does not fit; it or an event before it was changed."
        if event.stored.erased_at is None and chain.commit(event.stored.salt, event.stored.payload) != event.commitment:
            yield f"{name}: what it says is not what was written."
        if not event.is_readable:
            yield f"{name}: this version cannot read what it says."
        head, last = event.hash, event.seq
    if (stream.seq, stream.head) != (last, head):
        yield f"{stream.name}: its last event should be number {stream.seq}, and is number {last} with another hash."


def _linked(event: Event, previous: str, campaign: Campaign) -> str:
    return chain.link(
        previous,
        campaign_id=str(campaign.pk),
        stream=event.stream.name,
        seq=event.seq,
        at=event.at,
        kind=event.kind,
        actor=event.actor_number,
        commitment=event.commitment,
    )
