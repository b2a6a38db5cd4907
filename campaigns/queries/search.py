"""Finding events in the log: any mixture of filters, a page at a time, always as one viewer may see them.

Pages are counted by keyset ("older than this one"), so a deep one costs what the first does. What is asked of the database
stands in search_sql.py; here is where it is looked for: within which ids, and whether a walk is shorter than an index.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from django.db import connection
from django.db.models import F, Max, Min

from campaigns.models import Campaign, Event, Stream, Viewer
from campaigns.models.scene_overrides import moved
from campaigns.queries.log_filters import LogFilters
from campaigns.queries.search_sql import Search
from campaigns.text import folded

WALK = 10_000  # events that are looked through at a time before an index of words is asked
WALKS = 5  # at the most


def find(viewer: Viewer, wanted: LogFilters, beyond: Event | None, most: int) -> list[Event]:
    """Up to `most` events that this viewer may see, whole and in order; those that come after `beyond`, if it is given.

    The number of queries has a bound, however much there is to find.
    """
    # Its people have other numbers in its log than here.
    wanted = replace(wanted, named=False) if viewer.campaign.imported_at else wanted
    streams = _streams(viewer)
    bounds = _bounds(viewer.campaign, wanted, beyond)
    if not streams or bounds is None or (wanted.words and not folded(wanted.words)):
        return []
    looked = Search(viewer.campaign, wanted, streams)
    ids = _walked(looked, bounds, most)
    if ids is None:
        ids = looked.ids(bounds, most)
    whole = Event.objects.with_related().in_bulk(ids)
    for event in whole.values():
        # It is the same for all of them: read with each, it would take a quarter of the time.
        event.campaign = viewer.campaign
    return [whole[pk] for pk in ids]


def _walked(search: Search, bounds: dict[str, int], most: int) -> list[int] | None:
    """The ids of words that stand near the page's beginning, or None where the index of words has to be asked.

    PostgreSQL's index of words knows no order. For a common word it would bring and sort thousands, and for a rare one a walk
    through the log would not end; which of them a word is, it guesses badly. So a short walk comes first, and others for as long
    as what they find promises a full page.
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
    """The first WALKS parts of what lies within the bounds, from where the page begins, and whether nothing comes after it."""
    ends = Event.objects.filter(campaign=search.campaign).aggregate(first=Min("pk"), last=Max("pk"))
    low, high = bounds.get(">", (ends["first"] or 0) - 1), bounds.get("<", (ends["last"] or 0) + 1)
    for gone in range(0, WALKS * WALK, WALK):
        is_last = low + gone + WALK >= high - 1
        if search.wanted.oldest_first:
            yield {">": low + gone, "<": min(high, low + gone + WALK + 1)}, is_last
        else:
            yield {">": max(low, high - gone - WALK - 1), "<": high - gone}, is_last


def _streams(viewer: Viewer) -> dict[str, int]:
    """The ids of the streams that a viewer sees, by name."""
    streams = Stream.objects.filter(campaign=viewer.campaign)
    if viewer.streams is not None:
        streams = streams.filter(name__in=viewer.streams)
    return dict(streams.values_list("name", "pk"))


def _bounds(campaign: Campaign, wanted: LogFilters, beyond: Event | None) -> dict[str, int] | None:
    """{">": id, "<": id} between which the events lie, or None where there can be none.

    A campaign's time only moves on, so a moment is a place in its log; and what was played in an evening lies close together.
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
    for played in ({"session": wanted.session}, {"scene": wanted.scene}):
        if None not in played.values():
            # Asked for the least id itself, PostgreSQL would walk through all of them until it meets one of that evening.
            number = F("pk") + 0
            ends = Event.objects.filter(**played).aggregate(first=Min(number), last=Max(number))
            numbers = [number for number in (*ends.values(), *moved(**played).here) if number is not None]
            if not numbers:
                return None
            low.append(min(numbers) - 1)
            high.append(max(numbers) + 1)
    return ({">": max(low)} if low else {}) | ({"<": min(high)} if high else {})


def _first_at(campaign: Campaign, moment: datetime) -> int | None:
    """The first event of the campaign that happened then or later."""
    later = Event.objects.filter(campaign=campaign, at__gte=moment).order_by("at", "pk")
    return later.values_list("pk", flat=True).first()
