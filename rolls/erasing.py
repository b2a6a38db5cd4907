"""Erase typed texts from rows of rolls (campaigns/services/erasing.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.dispatch import receiver

from campaigns import schema
from campaigns.kinds import TextCategory, words_erased
from campaigns.models import Membership
from campaigns.services.erasing import Texts, changed_at, put
from campaigns.text import ERASED
from rolls.models import Procedure, ProcedureStep, Roll, RollRequest, SavedRoll
from rolls.registry import RULESETS, procedure_called

EARLIER_MOVE: Final = "move_made"
"""Among the terms of a roll: a move with texts from a sheet, as releases up to 0.2.1 kept it."""


@receiver(words_erased)
def erase_rows(member: Membership, texts: Texts, **named: Any) -> None:
    SavedRoll.objects.filter(by=member).delete()
    typed = {"note", *(name for one in RULESETS.values() for name in one.table.typed)}
    for roll in Roll.objects.filter(by=member).iterator():
        put(roll, ask=roll.ask | {name: ERASED for name in typed if roll.ask.get(name)})
    for roll in Roll.objects.filter(campaign=member.campaign_id, ask__has_key=EARLIER_MOVE):
        put(roll, ask=roll.ask | {EARLIER_MOVE: texts.outside(roll.ask[EARLIER_MOVE], TextCategory.SHEET)})
    _erase_states(member, texts)
    _erase_made(member, texts, typed)
    for asking in (RollRequest, Procedure):
        for one in asking.objects.filter(campaign=member.campaign_id).exclude(reason=""):
            put(one, reason=texts.without(one.reason))


def _erase_states(member: Membership, texts: Texts) -> None:
    """Erase the member's texts from the states of procedures, including the states kept with each step, and from their cards."""
    here = Procedure.objects.filter(campaign=member.campaign_id)
    for procedure in here:
        cards = changed_at(procedure.cards, ("**",), texts.without)
        put(procedure, state=_erased(procedure, procedure.state, texts), cards=cards)
    for step in ProcedureStep.objects.filter(procedure__in=here, before__isnull=False).select_related("procedure"):
        put(step, before=_erased(step.procedure, step.before, texts))


def _erased(procedure: Procedure, state: Any, texts: Texts) -> Any:
    for path in _typed_in(procedure):
        state = changed_at(state, path, texts.without)
    return state


def _typed_in(procedure: Procedure) -> list[tuple[str, ...]]:
    """Return where a procedure's states have typed texts: anywhere, of 0.2 and where its rules are no longer installed."""
    rules = procedure_called(procedure.system, procedure.kind)
    if rules is None or not procedure.cards:
        return [("**",)]
    return [tuple(path.split(".")) for path in schema.texts(rules.rows)]


def _erase_made(member: Membership, texts: Texts, typed: Iterable[str]) -> None:
    """Erase texts typed in a procedure from the rolls that it made, whoever rolled."""
    for roll in Roll.objects.filter(campaign=member.campaign_id, request__procedure__isnull=False).iterator():
        held = {name: texts.without(roll.ask[name]) for name in typed if isinstance(roll.ask.get(name), str)}
        put(roll, ask=roll.ask | held)
