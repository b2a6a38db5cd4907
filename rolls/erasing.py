"""Where rolls hold what somebody typed (campaigns/services/erasing.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.models import Membership
from campaigns.services.erasing import MARK, Facts, Place, Rows, Texts, Typed, copied, put, typed
from rolls.models import Burn, Roll, RollRequest, Step


def _changed(facts: Facts) -> Iterable[tuple[Place, Any]]:
    """Whoever has only rolled has not typed what for."""
    return typed("request.reason")(facts) if facts.get("before") else ()


NOTES = ("note", "bargain")
"""What people type of a roll beside what it is made of; not all systems have a bargain."""

TYPED: dict[str, Typed] = {
    **dict.fromkeys(["rolls.roll_made", "rolls.roll_corrected", "rolls.roll_revealed"], typed(*NOTES, whose="who")),
    **dict.fromkeys(["rolls.roll_voided", "rolls.burn_undone"], typed("reason")),
    "rolls.activation_used": typed("note"),
    **dict.fromkeys(["rolls.activation_asked", "rolls.effect_chosen"], typed("burns.*.words")),
    "rolls.burn_narrated": typed("burns.*.narration"),
    **dict.fromkeys(["rolls.roll_asked", "rolls.roll_announced"], typed("request.reason")),
    "rolls.request_changed": _changed,
}

_BURNS = ["burn_offered", "burn_fired", "burn_banked", "effect_chosen", "activation_asked", "activation_refused"]
_BURNS += ["activation_used", "major_burn", "burn_narrated", "burn_deferred", "burn_seen", "burn_undone"]
_BURNS += ["roll_voided", "scale_moved"]
_REQUESTS = ["roll_asked", "roll_announced", "request_changed", "request_closed"]

COPIED: dict[str, tuple[Place, ...]] = {
    **{f"rolls.{kind}": copied("burns.*.words", "burns.*.narration") for kind in _BURNS},
    **{f"rolls.{kind}": copied("request.reason") for kind in _REQUESTS},
}


def _erase_rows(member: Membership, texts: Texts) -> None:
    for roll in Roll.objects.filter(by=member).iterator():
        put(roll, ask=roll.ask | {name: MARK for name in NOTES if roll.ask.get(name)})
    for request in RollRequest.objects.filter(campaign=member.campaign_id).exclude(reason=""):
        put(request, reason=texts.without(request.reason))
    for burn in Burn.objects.filter(scale__campaign=member.campaign_id):
        put(burn, words=texts.without(burn.words))
    for step in Step.objects.filter(scale__campaign=member.campaign_id).iterator():
        put(step, before=_without(step.before, texts), after=_without(step.after, texts))


def _without(kept: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """What a step keeps of the rows that it changed, by the name of each field."""
    return {name: texts.without(was) if was and name.endswith(":words") else was for name, was in kept.items()}


ROWS: list[Rows] = [_erase_rows]
