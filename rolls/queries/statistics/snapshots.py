"""Counting that goes on where it ended: a snapshot holds all rolls up to an event, and only those after it are read.

Nothing has to tell the snapshots of a change. The log does: what takes a roll back, corrects it, shows it or puts it under
another session amends the event that told it. A snapshot that holds such a roll is thrown away, and the one before it is taken,
so that what is done about a roll of this evening costs this evening and no more. Settings and rulesets are part of what a
snapshot is found by. Each audience has its own, made of the very rolls that it sees; what a GM does in secret moves nothing in
those of others.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from json import dumps
from typing import Any, Final

from django.db.models import Max, Q, QuerySet

from campaigns.events import EVENT_REFILED
from campaigns.models import Event, Viewer
from campaigns.models.streams import GM, TABLE
from database.fullness import write_unless_full
from rolls.events import ROLL_CORRECTED, ROLL_MADE, ROLL_REVEALED, ROLL_VOIDED
from rolls.models import StatisticsSnapshot
from rolls.queries.statistics.rolled import rolled
from rolls.queries.statistics.tallies import Counted
from rolls.registry import ADD_ONS, RULESETS
from rolls.settings import roll_settings, stored

EVERY: Final = 500
"""Rolls between two snapshots: so many are counted again for each page, at the most."""

KEPT: Final = 8
"""Snapshots of an audience, the newest ones. What is done about a roll before all of them has everything counted anew."""

BEHIND: Final = 1000
"""Events that a snapshot may be behind the log before it notes how far it has read."""


def counted(viewer: Viewer) -> Counted:
    """All rolls that a viewer may see, counted."""
    log = Event.objects.filter(campaign=viewer.campaign).aggregate(last=Max("pk"))["last"] or 0
    snapshots = _snapshots(viewer)
    upto, found = _latest(snapshots, viewer, log)
    since, made = 0, []
    for roll in rolled(viewer, after=upto, upto=log):
        found.add(roll)
        since += 1
        if since == EVERY:
            made.append(_snapshot(viewer, roll.event, log, found))
            del made[:-KEPT]
            since = 0
    if made:
        write_unless_full("how far rolls are counted", lambda: _keep(snapshots, made))
    return found


def _latest(snapshots: QuerySet[StatisticsSnapshot], viewer: Viewer, log: int) -> tuple[int, Counted]:
    """The newest snapshot that still holds, and up to which event it goes. Those that do not are thrown away."""
    for snapshot in snapshots.order_by("-upto"):
        if not _changed(viewer, snapshot):
            if log - snapshot.seen > BEHIND:
                row = snapshots.filter(pk=snapshot.pk)
                write_unless_full("how far a count of rolls holds", partial(row.update, seen=log))
            return snapshot.upto, Counted.of(snapshot.counted)
        write_unless_full("the end of a count of rolls", snapshots.filter(pk=snapshot.pk).delete)
    return 0, Counted()


def _keep(snapshots: QuerySet[StatisticsSnapshot], made: list[StatisticsSnapshot]) -> None:
    """Store these, and throw away all but the newest."""
    StatisticsSnapshot.objects.bulk_create(made, ignore_conflicts=True)
    kept = snapshots.order_by("-upto").values_list("pk", flat=True)[:KEPT]
    snapshots.exclude(pk__in=list(kept)).delete()


def _changed(viewer: Viewer, snapshot: StatisticsSnapshot) -> bool:
    """Whether anything has been done since about a roll that is in it."""
    done = Q(kind__in=[ROLL_VOIDED, ROLL_CORRECTED, ROLL_REVEALED])
    moved = Q(kind=EVENT_REFILED, amends__kind__in=[ROLL_MADE, ROLL_CORRECTED])
    later = Event.objects.filter(campaign=viewer.campaign, pk__gt=snapshot.seen, amends__lte=snapshot.upto)
    return later.filter(done | moved).exists()


def _snapshots(viewer: Viewer) -> QuerySet[StatisticsSnapshot]:
    """All of this audience, by the rules as they are now."""
    return StatisticsSnapshot.objects.filter(campaign=viewer.campaign, audience=_audience(viewer), basis=_basis(viewer))


def _audience(viewer: Viewer) -> str:
    if viewer.streams is None:
        return GM
    return next((stream for stream in viewer.streams if stream != TABLE), TABLE)


def _basis(viewer: Viewer) -> str:
    decided = stored(roll_settings(viewer.campaign))
    return sha256(dumps([decided, [*RULESETS], [*ADD_ONS]], sort_keys=True).encode()).hexdigest()


def _snapshot(viewer: Viewer, upto: int, log: int, found: Counted) -> StatisticsSnapshot:
    return StatisticsSnapshot(
        campaign=viewer.campaign,
        audience=_audience(viewer),
        basis=_basis(viewer),
        upto=upto,
        seen=log,
        counted=found.stored(),
    )


def forget(apps: Any, **_: Any) -> None:
    """Throw all of them away: another version of the program, for which a database is migrated, may count otherwise."""
    try:
        apps.get_model("rolls", "StatisticsSnapshot").objects.all().delete()
    except LookupError:
        return  # migrated back to before there were any
