"""Counting that goes on where it ended: a snapshot holds all rolls up to an event, and only those after it are read.

Snapshots are made every night (rolls/services/snapshots.py); reading statistics writes nothing. Nothing has to tell them of a
change. The log does: what takes a roll back, corrects it, shows it or puts it under another session amends the event that told
it. A snapshot that holds such a roll is passed over, and the one before it is taken, so that what is done about a roll of this
evening costs this evening and no more. Settings and rulesets are part of what a snapshot is found by. Each audience has its own,
made of the very rolls that it sees; what a GM does in secret moves nothing in those of others.
"""

from __future__ import annotations

from hashlib import sha256
from json import dumps
from typing import Final

from django.db.models import Max, Q, QuerySet

from campaigns.events import EVENT_REFILED
from campaigns.models import Campaign, Event, Viewer
from campaigns.models.members import GM, TABLE
from rolls.events import ROLL_CORRECTED, ROLL_MADE, ROLL_REVEALED, ROLL_VOIDED
from rolls.models import StatisticsSnapshot
from rolls.queries.statistics.rolled import rolled
from rolls.queries.statistics.tallies import Counted
from rolls.registry import RULESETS
from rolls.settings import roll_settings, stored

COUNTED: Final = 3
"""The version of what is counted of a roll; a change rebuilds all snapshots."""


def counted(viewer: Viewer) -> Counted:
    """Return all rolls that a viewer may see, counted."""
    upto, counts = counted_before(viewer)
    for roll in rolled(viewer, after=upto, upto=last_event(viewer.campaign)):
        counts.add(roll)
    return counts


def counted_before(viewer: Viewer) -> tuple[int, Counted]:
    """Return up to which event rolls are counted by the newest snapshot that holds, and its counts; (0, nothing) without one."""
    for snapshot in snapshots_of(viewer).order_by("-upto"):
        if not _changed(viewer, snapshot):
            return snapshot.upto, Counted.of(snapshot.counted)
    return 0, Counted()


def last_event(campaign: Campaign) -> int:
    """Return the id of the newest event of a campaign, 0 before the first."""
    return Event.objects.filter(campaign=campaign).aggregate(last=Max("pk"))["last"] or 0


def snapshots_of(viewer: Viewer) -> QuerySet[StatisticsSnapshot]:
    """Return all snapshots of this viewer's audience by the rules as they are now."""
    return StatisticsSnapshot.objects.filter(
        campaign=viewer.campaign, audience=audience_of(viewer), basis=basis_of(viewer.campaign)
    )


def audience_of(viewer: Viewer) -> str:
    """Return the name of those who see the same rolls as a viewer (StatisticsSnapshot.audience)."""
    if viewer.streams is None:
        return GM
    return next((stream for stream in viewer.streams if stream != TABLE), TABLE)


def basis_of(campaign: Campaign) -> str:
    """Return a digest of what counting depends on besides the rolls: the settings, and the installed rules."""
    decided = stored(roll_settings(campaign))
    return sha256(dumps([COUNTED, decided, [*RULESETS]], sort_keys=True).encode()).hexdigest()


def _changed(viewer: Viewer, snapshot: StatisticsSnapshot) -> bool:
    """Return whether a roll in the snapshot was voided, corrected, revealed or moved since."""
    done = Q(kind__in=[ROLL_VOIDED, ROLL_CORRECTED, ROLL_REVEALED])
    moved = Q(kind=EVENT_REFILED, parent__kind__in=[ROLL_MADE, ROLL_CORRECTED])
    later = Event.objects.filter(campaign=viewer.campaign, pk__gt=snapshot.seen, parent__lte=snapshot.upto)
    return later.filter(done | moved).exists()
