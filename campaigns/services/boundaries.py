"""Lines and veils: each writes their own, and the table is told that they changed, but not whose."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from campaigns.errors import Conflict, Invalid
from campaigns.events import BOUNDARIES_CHANGED
from campaigns.models import Boundaries, Membership, Role
from campaigns.services.compare_and_set import version
from campaigns.services.log import UnitOfWork, service

MOST = 40
"""Lines, and as many veils, of one member."""
LONGEST = 120

CHANGED = "You have changed these on another page meanwhile. Look at what they say now, then try again."


def own_boundaries(member: Membership) -> Boundaries:
    """A member's own; none as yet are empty ones."""
    return Boundaries.objects.filter(member=member).first() or Boundaries(member=member)


def boundaries_version(boundaries: Boundaries) -> str:
    """For the `expected` of `write_boundaries`."""
    return version(boundaries.texts)


@service(Role.SPECTATOR)
def write_boundaries(work: UnitOfWork, lines: Sequence[str], veils: Sequence[str], *, expected: str, key: UUID) -> None:
    """Say what one's own lines and veils are from now on: up to 40 of each, of up to 120 characters.

    Raises Invalid for more, Conflict where they were changed since they were read. The event has no actor, and comes only where
    the table reads something else than before.
    """
    for field, entries in (("lines", lines), ("veils", veils)):
        if len(entries) > MOST or any(len(entry) > LONGEST for entry in entries):
            raise Invalid(f"Write up to {MOST} of them, each in up to {LONGEST} characters.", field=field)
    mine = own_boundaries(work.by)
    if expected != boundaries_version(mine):
        raise Conflict(CHANGED, current=mine.texts)
    before = Boundaries.objects.merged(work.campaign)
    mine.lines, mine.veils = list(lines), list(veils)
    mine.save()
    if Boundaries.objects.merged(work.campaign) != before:
        work.record(BOUNDARIES_CHANGED, {})
