"""Finding events in the log: any mixture of filters, a page at a time, always as one viewer may see them.

Pages use keysets ("older than this one"), so a deep one costs what the first does. This module
decides where to look: within which ids, and whether a walk is shorter than an index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import connection, connections, router
from django.db.models import F, Max, Min

from campaigns.models import Campaign, Event, GameSession, Membership, Stream, Viewer
from campaigns.models.log import Moved, moved
from campaigns.models.members import GM, TABLE
from campaigns.queries.play import ends
from campaigns.text import wanted_parts


@dataclass(frozen=True)
class LogFilters:
    """A search of the log; empty filters are ignored.

    `subjects` are keys such as "clock:<uuid>", all of which an event has to be about. `since` is the first moment
    included, `until` the first one after. Every word of `words` has to be in the event, be it inside a word; two
    letters have to begin one, and a single letter has to be one. `between` is the number of the session after which none
    was open, 0 before the first. `result` separates results of a ruleset with one outcome: "<ruleset>:<its code>". `named`
    says that the log knows people by their numbers here, so that `who` may lead.
    """

    words: str = ""
    topic: str = ""
    outcome: str = ""
    result: str = ""
    system: str = ""
    subjects: tuple[str, ...] = ()
    who: int | None = None
    session: int | None = None
    scene: int | None = None
    between: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    oldest_first: bool = False
    named: bool = True


EVERYTHING = LogFilters()
OLDEST_FIRST = LogFilters(oldest_first=True)


WALK = 10_000  # events that are looked through at a time before an index of words is asked
WALKS = 5  # at the most


def find(viewer: Viewer, filters: LogFilters, beyond: Event | None, most: int) -> list[Event]:
    """Return up to `most` events that this viewer may see, whole and in order; those that come after `beyond`, if it is given.

    The number of queries has a bound, however much there is to find.
    """
    return read_whole(viewer, find_ids(viewer, filters, beyond, most))


def find_ids(viewer: Viewer, filters: LogFilters, beyond: Event | None, most: int) -> list[int]:
    """Return the ids of the same events."""
    # Its people have other numbers in its log than here.
    if filters.who and Membership.objects.filter(pk=filters.who, abroad__isnull=False).exists():
        filters = replace(filters, named=False)
    streams = _streams(viewer)
    bounds = _bounds(viewer.campaign, filters, beyond)
    if not streams or bounds is None or (filters.words and not wanted_parts(filters.words)):
        return []
    looked = Search(viewer.campaign, filters, streams)
    ids = _walked(looked, bounds, most)
    return looked.ids(bounds, most) if ids is None else ids


def read_whole(viewer: Viewer, ids: Sequence[int]) -> list[Event]:
    """Return the events of the viewer's campaign with these ids, in that order, with everything needed to draw them."""
    whole = Event.objects.with_related().in_bulk(ids)
    for event in whole.values():
        # It is the same for all of them: read with each, it would take a quarter of the time.
        event.campaign = viewer.campaign
    return [whole[pk] for pk in ids]


def _walked(search: Search, bounds: dict[str, int], most: int) -> list[int] | None:
    """Return the ids of matching events near the page's beginning, or None if the word index has to be used.

    PostgreSQL's word index knows no order. For a common word it would fetch and sort thousands, and for a rare one a
    walk through the log would not end; it guesses badly which of them a word is. So a short walk comes first, and more
    as long as the hits promise a full page.
    """
    if not search.wanted.words or connection.vendor != "postgresql":
        return None
    ids: list[int] = []
    for walks, (step, is_last) in enumerate(_steps(search, bounds), start=1):
        ids += search.ids(step, most - len(ids), near=True)
        if is_last or len(ids) == most:
            return ids
        if len(ids) * WALKS < most * walks:
            break
    return None


def _steps(search: Search, bounds: dict[str, int]) -> Iterator[tuple[dict[str, int], bool]]:
    """Yield the first WALKS parts within the bounds, from the page's beginning, and whether nothing follows."""
    ends = Event.objects.filter(campaign=search.campaign).aggregate(first=Min("pk"), last=Max("pk"))
    low, high = bounds.get(">", (ends["first"] or 0) - 1), bounds.get("<", (ends["last"] or 0) + 1)
    for gone in range(0, WALKS * WALK, WALK):
        is_last = low + gone + WALK >= high - 1
        if search.wanted.oldest_first:
            yield {">": low + gone, "<": min(high, low + gone + WALK + 1)}, is_last
        else:
            yield {">": max(low, high - gone - WALK - 1), "<": high - gone}, is_last


def _streams(viewer: Viewer) -> dict[str, int]:
    """Return the ids of the streams that a viewer sees, by name."""
    streams = Stream.objects.filter(campaign=viewer.campaign)
    if viewer.streams is not None:
        streams = streams.filter(name__in=viewer.streams)
    return dict(streams.values_list("name", "pk"))


def _bounds(campaign: Campaign, filters: LogFilters, beyond: Event | None) -> dict[str, int] | None:
    """Return {">": id, "<": id} between which the events are, or None if there can be none.

    In a campaign time only moves forward, so a moment is a place in its log, and events of one evening are close together.
    """
    low: list[int] = []
    high: list[int] = []
    if beyond:
        (low if filters.oldest_first else high).append(beyond.pk)
    if filters.since:
        first = _first_at(campaign, filters.since)
        if first is None:
            return None
        low.append(first - 1)
    if filters.until and (after := _first_at(campaign, filters.until)) is not None:
        high.append(after)
    if filters.between is not None:
        around = (filters.between, filters.between + 1)
        for session in GameSession.objects.filter(campaign=campaign, number__in=around):
            first, last = ends(session)
            (low.append(last) if session.number == filters.between else high.append(first))
    for played in ({"session": filters.session}, {"scene": filters.scene}):
        if None not in played.values():
            # Asked for the least id itself, PostgreSQL would walk through all of them until it meets one of that evening.
            number = F("pk") + 0
            span = Event.objects.filter(**played).aggregate(first=Min(number), last=Max(number))
            numbers = [number for number in (*span.values(), *moved(**played).here) if number is not None]
            if not numbers:
                return None
            low.append(min(numbers) - 1)
            high.append(max(numbers) + 1)
    return ({">": max(low)} if low else {}) | ({"<": min(high)} if high else {})


def _first_at(campaign: Campaign, moment: datetime) -> int | None:
    """Return the first event of the campaign that happened then or later."""
    later = Event.objects.filter(campaign=campaign, at__gte=moment).order_by("at", "pk")
    return later.values_list("pk", flat=True).first()


@dataclass(frozen=True)
class Search:
    """A search in a campaign; `streams` are the ids of those that he sees, by name."""

    campaign: Campaign
    wanted: LogFilters
    streams: Mapping[str, int]

    def ids(self, bounds: Mapping[str, int], most: int, *, near: bool = False) -> list[int]:
        """Return the ids of up to `most` events between the bounds ({">": id, "<": id}), in order.

        `near` says that the bounds are close together, so that no word index is needed.
        """
        filters, streams = self.wanted, self.streams
        query = _led(filters, streams, Campaign._meta.pk.get_db_prep_value(self.campaign.pk, connection), near=near)
        for sign, pk in bounds.items():
            query.where(f"{query.column} {sign} %s", pk)
        _beside(query, filters)
        _told_once(query, streams)
        with connections[router.db_for_read(Event)].cursor() as cursor:
            cursor.execute(*query.written(_direction(filters), most))
            return [pk for (pk,) in cursor.fetchall()]


@dataclass
class _Query:
    """A SELECT of ids in the making. `column` is that of the leading table; e is the event, from whichever table it is joined."""

    leads: str
    column: str
    conditions: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def where(self, condition: str, *values: Any) -> None:
        self.conditions.append(condition)
        self.values += values

    def written(self, direction: str, most: int) -> tuple[str, list[Any]]:
        where = " AND ".join(self.conditions)
        ordered = f"ORDER BY {self.column}{direction} LIMIT %s"
        # It contains only names and signs from this module; all values are passed separately.
        return f"SELECT e.id FROM {self.leads} WHERE {where} {ordered}", [*self.values, most]  # noqa: S608


def _led(filters: LogFilters, streams: Mapping[str, int], campaign: Any, *, near: bool) -> _Query:
    """Return a query by the index that leads, with the filters that this index holds."""
    mine = sorted(streams.values())
    if filters.words:
        query = _by_words(filters, mine, campaign, near=near)
    elif key := _leading_key(filters):
        query = _Query("campaigns_eventsubject s CROSS JOIN campaigns_event e", "s.event_id", ["e.id = s.event_id"])
        query.where("s.key = %s", key)
        if filters.outcome:
            query.where("s.outcome = %s", filters.outcome)
        elif filters.topic:
            query.where("s.topic = %s", filters.topic)
    elif filters.topic or filters.outcome or filters.system:
        query = _Query("campaigns_eventindex y CROSS JOIN campaigns_event e", "y.event_id", ["e.id = y.event_id"])
        query.where("y.campaign_id = %s", campaign)
        _by_entry(query, filters)
    else:
        query = _Query("campaigns_event e", "e.id")
    query.where("e.campaign_id = %s", campaign)
    query.where(f"e.stream_id IN ({', '.join(['%s'] * len(mine))})", *mine)
    return query


def _leading_key(filters: LogFilters) -> str:
    """Return the subject to lead the query, if any. Actors are subjects too, with an index by topic."""
    if filters.subjects:
        return filters.subjects[0]
    return f"member:{filters.who}" if filters.who and filters.named and (filters.topic or filters.outcome) else ""


def _direction(filters: LogFilters) -> str:
    return "" if filters.oldest_first else " DESC"


def _by_words(filters: LogFilters, streams: list[int], campaign: Any, *, near: bool) -> _Query:
    parts = wanted_parts(filters.words)
    if connection.vendor == "sqlite":
        query = _Query("campaigns_words w CROSS JOIN campaigns_event e", "w.rowid", ["e.id = w.rowid"])
        query.where("campaigns_words MATCH %s", _fts5(parts, streams))
        return query
    likes = [f"%{part}%" for part in parts]
    contained = " AND ".join(["' ' || i.words || ' ' LIKE %s"] * len(likes))
    if near:
        query = _Query("campaigns_eventindex i CROSS JOIN campaigns_event e", "i.event_id", ["e.id = i.event_id"])
        # Put this way, no index is used: comparing the campaign costs less than searching the words.
        query.where("(i.campaign_id = %s) IS TRUE", campaign)
        query.where(f"({contained}) IS TRUE", *likes)
        return query
    each = " OR ".join(["campaigns_trigrams(i.stream_id, i.words) @> %s"] * len(streams))
    # OFFSET keeps the outer query from changing the plan, and since it is sorted, only one page of it is read further.
    ordered = f"ORDER BY event_id{_direction(filters)} OFFSET 0"
    matching = f"(SELECT event_id FROM campaigns_eventindex i WHERE ({each}) AND {contained} {ordered}) w"  # noqa: S608
    query = _Query(f"{matching} CROSS JOIN campaigns_event e", "w.event_id", ["e.id = w.event_id"])
    query.values += [*(_trigrams(stream, parts) for stream in streams), *likes]
    return query


def _fts5(parts: list[str], streams: list[int]) -> str:
    """Return the SQLite query: streams and words are searched in separate columns, so nobody can reach a stream by
    writing its name.
    """
    mine = " OR ".join(f'"{_sign(stream)}"' for stream in streams)
    wanted = " AND ".join(f'"{part}"' for part in parts)
    return f"stream : ({mine}) AND words : ({wanted})"


def _sign(stream: int) -> str:
    """Return the three letters by which SQLite's index knows a stream, as 0022_trigrams.py writes them."""
    return "".join(chr(0xE000 + stream // step % 6400) for step in (6400 * 6400, 6400, 1))


def _trigrams(stream: int, parts: list[str]) -> list[str]:
    """Return the PostgreSQL query: each part's trigrams, paired with a stream as the database's function does."""
    return [f"{stream}@{part[place : place + 3]}" for part in parts for place in range(len(part) - 2)]


def _by_entry(query: _Query, filters: LogFilters) -> None:
    for name in ("topic", "outcome", "system"):
        if value := getattr(filters, name):
            query.where(f"y.{name} = %s", value)
    if filters.result:
        system, _, result = filters.result.partition(":")
        said = "json_extract(p.payload, '$.outcome')" if connection.vendor == "sqlite" else "p.payload ->> 'outcome'"
        query.where("y.system = %s", system)
        query.where(f"EXISTS (SELECT 1 FROM campaigns_eventpayload p WHERE p.event_id = e.id AND {said} = %s)", result)  # noqa: S608


def _beside(query: _Query, filters: LogFilters) -> None:
    """Add the filters that are looked up event by event, or by an index of the events' own."""
    if filters.who is not None:
        query.where("e.actor_id = %s", filters.who)
    for played in ({"session": filters.session}, {"scene": filters.scene}):
        for name, value in played.items():
            if value is not None:
                _filed(query, name, value, moved(**played))
    if filters.between is not None:
        query.where("e.session_id IS NULL")
        query.where("NOT EXISTS (SELECT 1 FROM campaigns_sceneoverride f WHERE f.event_id = e.id)")
    leading = 0 if filters.words else 1
    for key in filters.subjects[leading:]:
        query.where("EXISTS (SELECT 1 FROM campaigns_eventsubject o WHERE o.event_id = e.id AND o.key = %s)", key)
    if (filters.words or _leading_key(filters)) and (filters.topic or filters.outcome or filters.system):
        query.leads += " CROSS JOIN campaigns_eventindex y"
        query.where("y.event_id = e.id")
        _by_entry(query, filters)


def _filed(query: _Query, name: str, value: int, other: Moved) -> None:
    """Keep events filed in a session or scene now."""
    here, away = (f"({', '.join(['%s'] * len(ids))})" for ids in other)
    if other.here:
        query.where(f"(e.{name}_id = %s OR e.id IN {here})", value, *other.here)
    else:
        query.where(f"e.{name}_id = %s", value)
    if other.away:
        query.where(f"e.id NOT IN {away}", *other.away)


def _told_once(query: _Query, streams: Mapping[str, int]) -> None:
    """Keep one version of each event, as EventQuerySet.deduplicated does, by the numbers of the streams."""
    if streams.keys() == {TABLE}:
        return
    mine = sorted(streams.values())
    place = "CASE {}.stream_id WHEN %s THEN 0 WHEN %s THEN 2 ELSE 1 END"
    theirs, ours, places = place.format("r"), place.format("e"), [streams.get(GM, 0), streams.get(TABLE, 0)]
    query.where(
        "NOT EXISTS (SELECT 1 FROM campaigns_event r WHERE r.campaign_id = e.campaign_id AND r.uid = e.uid AND r.id <> e.id "  # noqa: S608
        f"AND r.stream_id IN ({', '.join(['%s'] * len(mine))}) AND ({theirs} < {ours} OR ({theirs} = {ours} AND r.id < e.id)))",
        *mine,
        *places * 4,
    )
