"""Where rolls hold what somebody typed (campaigns/services/erasing.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.models import Membership
from campaigns.services.erasing import MARK, Facts, Place, Rows, Texts, Typed, copied, put, typed
from rolls.models import Roll, RollRequest


def _changed(facts: Facts) -> Iterable[tuple[Place, Any]]:
    """Whoever has only rolled has not typed what for."""
    return typed("request.reason")(facts) if facts.get("before") else ()


NOTES = ("note", "bargain")
"""What people type of a roll beside what it is made of; not all systems have a bargain."""

TYPED: dict[str, Typed] = {
    **dict.fromkeys(["rolls.roll_made", "rolls.roll_corrected", "rolls.roll_revealed"], typed(*NOTES, whose="who")),
    "rolls.roll_voided": typed("reason"),
    **dict.fromkeys(["rolls.roll_asked", "rolls.roll_announced"], typed("request.reason")),
    "rolls.request_changed": _changed,
}

_REQUESTS = ["roll_asked", "roll_announced", "request_changed", "request_closed"]

COPIED: dict[str, tuple[Place, ...]] = {
    **{f"rolls.{kind}": copied("request.reason") for kind in _REQUESTS},
}


def _erase_rows(member: Membership, texts: Texts) -> None:
    for roll in Roll.objects.filter(by=member).iterator():
        put(roll, ask=roll.ask | {name: MARK for name in NOTES if roll.ask.get(name)})
    for request in RollRequest.objects.filter(campaign=member.campaign_id).exclude(reason=""):
        put(request, reason=texts.without(request.reason))


ROWS: list[Rows] = [_erase_rows]
