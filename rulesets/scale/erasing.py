"""Where Burns hold what somebody typed (campaigns/services/erasing.py)."""

from __future__ import annotations

from typing import Any

from campaigns.models import Membership
from campaigns.services.erasing import Place, Rows, Texts, Typed, copied, put, typed
from rulesets.scale.models import Burn, Step

TYPED: dict[str, Typed] = {
    "scale.burn_undone": typed("reason"),
    "scale.activation_used": typed("note"),
    **dict.fromkeys(["scale.activation_asked", "scale.effect_chosen"], typed("burns.*.words")),
    "scale.burn_narrated": typed("burns.*.narration"),
}

_BURNS = ["burn_offered", "burn_fired", "burn_banked", "effect_chosen", "activation_asked", "activation_refused"]
_BURNS += ["activation_used", "major_burn", "burn_narrated", "burn_deferred", "burn_seen", "burn_undone", "moved"]

COPIED: dict[str, tuple[Place, ...]] = {
    **{f"scale.{kind}": copied("burns.*.words", "burns.*.narration") for kind in _BURNS},
    "rolls.roll_voided": copied("burns.*.words", "burns.*.narration"),
}


def _erase_rows(member: Membership, texts: Texts) -> None:
    for burn in Burn.objects.filter(scale__campaign=member.campaign_id):
        put(burn, words=texts.without(burn.words))
    for step in Step.objects.filter(scale__campaign=member.campaign_id).iterator():
        put(step, before=_without(step.before, texts), after=_without(step.after, texts))


def _without(kept: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """What a step keeps of the rows that it changed, by the name of each field."""
    return {name: texts.without(was) if was and name.endswith(":words") else was for name, was in kept.items()}


ROWS: list[Rows] = [_erase_rows]
