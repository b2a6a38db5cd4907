"""The log as lines that anyone can check, and the check itself (docs/fairdice.md says what a line holds)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from campaigns import chain
from campaigns.models import Campaign, Event, Stream
from campaigns.models.log import EventQuerySet

BATCH = 500  # rows read at once


def line_of(event: Event, prev: str, *, said: bool = True) -> dict[str, Any]:
    """One event as a line, to be written as JSON. `prev` is the hash before it; without `said` it is a bare link of the chain.

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
    """For `lines_of`: that all events say what they say."""
    return True


def lines_of(
    events: Iterable[Event], campaign: Campaign, said: Callable[[Event], bool] = everything
) -> Iterator[dict[str, Any]]:
    """Events as lines, in their order. Those that are not `said` are bare links.

    In each stream they have to come by number; what comes before the first of a stream is looked up.
    """
    heads: dict[str, str] = {}
    for event in events:
        name = event.stream.name
        prev = heads.get(name) or _before(event, campaign)
        heads[name] = event.hash
        yield line_of(event, prev, said=said(event))


def in_batches(events: EventQuerySet) -> Iterator[Event]:
    """Events in order, read in batches that hold no cursor open: for what is sent for as long as its reader takes."""
    events, done = events.order_by("pk"), 0
    while batch := list(events.filter(pk__gt=done)[:BATCH]):
        yield from batch
        done = batch[-1].pk


def _before(event: Event, campaign: Campaign) -> str:
    earlier = Event.objects.filter(stream=event.stream, seq=event.seq - 1).values_list("hash", flat=True).first()
    return earlier or chain.first_link(str(campaign.pk), event.stream.name)


def faults(campaign: Campaign) -> Iterator[str]:
    """Every place where the log of a campaign is not as it was written, in words; nothing when all is well."""
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
