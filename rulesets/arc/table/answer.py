"""Opposed checks: two rolls that belong together, of which the second is read against the first and completes its card."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.models import Membership
from campaigns.models.streams import TABLE
from campaigns.references import person
from rolls.models import Roll, RollRequest
from rolls.table_rules import Change
from rulesets.arc.table.ask import NAME, PAIRED, Kind


def countered(by: Membership, against: UUID | None) -> Roll:
    """The check that `by` is to counter, with its event.

    Raises Invalid where none is named, NotFound for what is no opposed check or not seen by them, and Blocked for one that was
    countered or taken back.
    """
    if against is None:
        raise Invalid("Say which check it counters.", field="against")
    checks = Roll.objects.select_related("event__stream", "character", "by__user")
    check = checks.filter(campaign=by.campaign_id, system=NAME, kind=Kind.OPPOSED, pk=against).first()
    if check is None or not _sees(by, check):
        raise NotFound
    if check.voided_at:
        raise Blocked("That check was taken back.")
    if "versus" in check.ask:
        raise Blocked(f"{check.ask['versus']} counters that check: it is settled on the card of both.")
    if counter_of(check):
        raise Blocked("That check has been countered already.")
    return check


def other_side(request: RollRequest | None) -> Roll | None:
    """The roll of the other side that stands, of a check that the table settles, with its event."""
    assert request is not None  # noqa: S101  # or nobody would be on its other side
    rolls = Roll.objects.select_related("event__stream", "character", "by__user")
    standing = rolls.filter(request__procedure=request.procedure_id, voided_at=None)
    return standing.exclude(request__part=request.part).order_by("at").last()


def counter_of(roll: Roll) -> Roll | None:
    """The check that counters it and stands."""
    return Roll.objects.filter(event__amends=roll.event, kind=Kind.COUNTER, voided_at=None).first()


def side_of(roll: Roll) -> dict[str, Any]:
    """How the payload of a counter name the check it answers."""
    return {
        "roll": str(roll.pk),
        "uid": str(roll.event.uid) if roll.event else "",
        "who": person(roll.by),
        "character": roll.character.ref if roll.character else None,
        "kind": roll.kind,
        "traits": roll.ask["traits"],
    } | ({"versus": roll.ask["versus"]} if "versus" in roll.ask else {})


def held(roll: Roll, change: Change) -> None:
    """Two checks that belong together are seen together, and taken back the last one first. Raises Blocked."""
    if roll.kind not in PAIRED:
        return
    if change is Change.SHOW:
        raise Blocked("An opposed check stays with those who saw it fall.")
    if change is Change.CORRECT:
        raise Blocked("There is no threshold to correct in an opposed check. Take it back and roll it anew.")
    if counter_of(roll):
        raise Blocked("This check was countered. Take back the check that counters it first.")


def taken_back(roll: Roll) -> dict[str, Any]:
    """An opposed check waits no more; one whose counter is taken back waits again."""
    if roll.kind == Kind.COUNTER:
        return {"reopened": roll.ask["against"]}
    return {"ended": side_of(roll)} if roll.kind == Kind.OPPOSED else {}


def _sees(by: Membership, roll: Roll) -> bool:
    return by.is_gm or (roll.event is not None and roll.event.stream.name in (TABLE, by.stream))
