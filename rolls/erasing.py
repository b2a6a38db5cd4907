"""Where rows of rolls hold what somebody typed (campaigns/services/erasing.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaigns.models import Membership
from campaigns.services.erasing import MARK, Texts, put
from rolls.models import Procedure, ProcedureStep, Roll, RollRequest, SavedRoll
from rolls.registry import RULESETS, typed_in_states


def erase_rows(member: Membership, texts: Texts) -> None:
    SavedRoll.objects.filter(by=member).delete()
    typed = {"note", *(name for one in RULESETS.values() for name in one.table.typed)}
    for roll in Roll.objects.filter(by=member).iterator():
        put(roll, ask=roll.ask | {name: MARK for name in typed if roll.ask.get(name)})
    _erase_states(member, texts, typed)
    for asking in (RollRequest, Procedure):
        for one in asking.objects.filter(campaign=member.campaign_id).exclude(reason=""):
            put(one, reason=texts.without(one.reason))


def _erase_states(member: Membership, texts: Texts, typed: Iterable[str]) -> None:
    """States hold what was typed with an act, and so do the rolls that were made of them, whoever rolled."""
    names = typed_in_states()
    for procedure in Procedure.objects.filter(campaign=member.campaign_id).iterator():
        put(procedure, state=_without(procedure.state, names, texts))
    for step in ProcedureStep.objects.filter(procedure__campaign=member.campaign_id, before__isnull=False).iterator():
        put(step, before=_without(step.before or {}, names, texts))
    for roll in Roll.objects.filter(campaign=member.campaign_id, request__procedure__isnull=False).iterator():
        put(roll, ask=_without(roll.ask, typed, texts))


def _without(held: Mapping[str, Any], names: Iterable[str], texts: Texts) -> dict[str, Any]:
    return {**held, **{name: texts.without(held[name]) for name in names if isinstance(held.get(name), str)}}
