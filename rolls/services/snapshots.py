"""Keeping what the statistics count, so that the next day's pages go on from there (rolls/queries/statistics/snapshots.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.db import transaction
from django.db.models import Count

from campaigns.models import Campaign, Membership, Role, Viewer
from rolls.models import StatisticsSnapshot
from rolls.queries.statistics.rolled import rolled
from rolls.queries.statistics.snapshots import audience_of, basis_of, counted_before, last_event, snapshots_of

EVERY: Final = 500
"""Rolls between two snapshots."""

KEPT: Final = 8
"""The snapshots kept of an audience, newest first. A change to a roll before all of them recounts everything."""


def keep_counts() -> int:
    """Make snapshots of all campaigns' rolls for each audience of their statistics, and delete outdated ones. Return
    how many were made.
    """
    campaigns = Campaign.objects.annotate(rolls_made=Count("rolls")).filter(rolls_made__gte=EVERY)
    return sum(_count_on(viewer) for campaign in campaigns for viewer in _audiences(campaign))


def _audiences(campaign: Campaign) -> Iterator[Viewer]:
    """Yield a viewer for each set of rolls that can be seen: GMs, strangers, and each other member."""
    yield Viewer(campaign, None, Role.GM)
    yield Viewer(campaign, None, Role.SPECTATOR)
    for member in Membership.objects.active().filter(campaign=campaign).exclude(role=Role.GM):
        yield Viewer(campaign, member, Role(member.role))


def _count_on(viewer: Viewer) -> int:
    campaign, log = viewer.campaign, last_event(viewer.campaign)
    upto, counts = counted_before(viewer)
    made: list[StatisticsSnapshot] = []
    for number, roll in enumerate(rolled(viewer, after=upto, upto=log), 1):
        counts.add(roll)
        if number % EVERY == 0:
            place: dict[str, Any] = {"audience": audience_of(viewer), "basis": basis_of(campaign), "upto": roll.event}
            made.append(StatisticsSnapshot(campaign=campaign, seen=log, counted=counts.stored(), **place))
            del made[:-KEPT]
    snapshots = snapshots_of(viewer)
    with transaction.atomic():
        snapshots.filter(upto=upto).update(seen=log)  # what holds now, does so from here on
        snapshots.filter(upto__gt=upto).delete()
        StatisticsSnapshot.objects.bulk_create(made, ignore_conflicts=True)
        kept = snapshots.order_by("-upto").values_list("pk", flat=True)[:KEPT]
        snapshots.exclude(pk__in=list(kept)).delete()
    return len(made)


def forget_counts(apps: Any, **_: Any) -> None:
    """Throw all snapshots away: another version of the program, for which a database is migrated, may count otherwise."""
    try:
        apps.get_model("rolls", "StatisticsSnapshot").objects.all().delete()
    except LookupError:
        return  # migrated back to before there were any
