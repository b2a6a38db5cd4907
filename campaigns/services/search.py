"""Finding events in the log: any mixture of filters, a page at a time, always as one viewer may see them.

Pages are counted by keyset ("older than this one"), so a deep one costs what the first does. Each mixture is led by the index
that narrows it most, and ordered by that index's own column: SQLite sorts all it has found where the order is another table's.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from django.db import connection
from django.db.models import Exists, OuterRef
from django.db.models.expressions import RawSQL

from campaigns.finding import folded
from campaigns.models import Campaign, Event, Stream, Subject

if TYPE_CHECKING:
    from campaigns.access import Seat
    from campaigns.models.log import EventQuerySet


@dataclass(frozen=True)
class Wanted:
    """What is looked for; what is left empty does not matter.

    `subjects` are keys such as "clock:<uuid>", all of which an event has to be about. `since` is the first moment that counts,
    `until` the first that does not. Every word of `words` has to begin a word of the event.
    """

    words: str = ""
    topic: str = ""
    outcome: str = ""
    system: str = ""
    subjects: tuple[str, ...] = ()
    who: int | None = None
    session: int | None = None
    scene: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    oldest_first: bool = False


EVERYTHING = Wanted()
OLDEST_FIRST = Wanted(oldest_first=True)


def find(seat: Seat, wanted: Wanted, beyond: Event | None, most: int) -> list[Event]:
    """Up to `most` events that this seat may see, whole and in order; those that come after `beyond`, if it is given.

    The number of queries depends neither on what is found nor on how much there is.
    """
    bounds = _bounds(seat.campaign, wanted, beyond)
    streams = _streams(seat)
    if bounds is None or (wanted.words and not folded(wanted.words)):
        return []
    events = Event.objects.filter(campaign=seat.campaign, stream__in=streams)
    events, column = _led(_beside(events, wanted), wanted, streams, bounds)
    order = column if wanted.oldest_first else f"-{column}"
    # A column of a table that Django does not know is named with its table.
    events = cast("EventQuerySet", events.extra(order_by=[order])) if "." in column else events.order_by(order)
    ids = list(events.told_once(seat).values_list("pk", flat=True)[:most])
    whole = Event.objects.filter(pk__in=ids).whole().select_related("campaign").in_bulk()
    return [whole[pk] for pk in ids]


def _streams(seat: Seat) -> list[int]:
    streams = Stream.objects.filter(campaign=seat.campaign)
    if seat.streams is not None:
        streams = streams.filter(name__in=seat.streams)
    return list(streams.values_list("pk", flat=True))


def _bounds(campaign: Campaign, wanted: Wanted, beyond: Event | None) -> dict[str, int] | None:
    """{"gt": id, "lt": id} between which the events lie, or None where there can be none.

    A campaign's time only moves on, so a moment is a place in its log.
    """
    low: list[int] = []
    high: list[int] = []
    if beyond:
        (low if wanted.oldest_first else high).append(beyond.pk)
    if wanted.since:
        first = _first_at(campaign, wanted.since)
        if first is None:
            return None
        low.append(first - 1)
    if wanted.until and (after := _first_at(campaign, wanted.until)) is not None:
        high.append(after)
    return ({"gt": max(low)} if low else {}) | ({"lt": min(high)} if high else {})


def _first_at(campaign: Campaign, moment: datetime) -> int | None:
    """The first event of the campaign that happened then or later."""
    later = Event.objects.filter(campaign=campaign, at__gte=moment).order_by("at", "pk")
    return later.values_list("pk", flat=True).first()


def _beside(events: EventQuerySet, wanted: Wanted) -> EventQuerySet:
    """What is looked up event by event, or narrows by an index of the events' own."""
    own = {"actor": wanted.who, "session": wanted.session, "scene": wanted.scene}
    events = events.filter(**{name: value for name, value in own.items() if value is not None})
    for key in wanted.subjects[1:]:
        events = events.filter(Exists(Subject.objects.filter(key=key, event=OuterRef("pk"))))
    return events


def _led(
    events: EventQuerySet, wanted: Wanted, streams: list[int], bounds: dict[str, int]
) -> tuple[EventQuerySet, str]:
    """The events by the index that leads, and the column in whose order it gives them."""
    kept = {"topic": wanted.topic, "outcome": wanted.outcome, "system": wanted.system}
    entry = {f"entry__{name}": value for name, value in kept.items() if value}
    if wanted.words:
        return _with_words(events.filter(**entry), wanted.words, streams, bounds)
    if wanted.subjects:
        topic = {"subjects__topic": entry.pop("entry__topic")} if wanted.topic else {}
        column = "subjects__event_id"
        return events.filter(subjects__key=wanted.subjects[0], **topic, **_within(column, bounds)).filter(
            **entry
        ), column
    if entry:
        column = "entry__event_id"
        return events.filter(**entry, **_within(column, bounds)), column
    return events.filter(**_within("pk", bounds)), "pk"


def _within(column: str, bounds: dict[str, int]) -> dict[str, int]:
    return {f"{column}__{side}": pk for side, pk in bounds.items()}


def _with_words(
    events: EventQuerySet, text: str, streams: list[int], bounds: dict[str, int]
) -> tuple[EventQuerySet, str]:
    """SQLite's index is joined and not asked for a list of ids: it then gives out its rows one by one, in order, and stops."""
    words = folded(text)
    if connection.vendor == "sqlite":
        signs = {"gt": ">", "lt": "<"}
        where = ["campaigns_words.rowid = campaigns_event.id", "campaigns_words MATCH %s"]
        where += [f"campaigns_words.rowid {signs[side]} %s" for side in bounds]
        values = [_fts5(words, streams), *bounds.values()]
        found = events.extra(tables=["campaigns_words"], where=where, params=values)  # noqa: S610  # no text of anybody's
        return cast("EventQuerySet", found), "campaigns_words.rowid"
    matching = RawSQL("SELECT event_id FROM campaigns_entry WHERE search @@ %s::tsquery", [_tsquery(words, streams)])
    return events.filter(pk__in=matching, **_within("pk", bounds)), "pk"


def _fts5(words: list[str], streams: list[int]) -> str:
    """For SQLite: the column of streams is asked apart from that of the words, so nobody can write himself into a stream."""
    mine = " OR ".join(f'"{stream}"' for stream in streams)
    begun = " AND ".join(f'"{word}" *' for word in words)
    return f"stream_id : ({mine}) AND words : ({begun})"


def _tsquery(words: list[str], streams: list[int]) -> str:
    """For PostgreSQL: no word has an @ in it, so nobody can write himself into a stream."""
    mine = " | ".join(f"'@{stream}'" for stream in streams)
    begun = " & ".join(f"'{word}':*" for word in words)
    return f"({mine}) & {begun}"
