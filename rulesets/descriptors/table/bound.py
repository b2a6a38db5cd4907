"""The rolls that contests and recoveries make themselves: both sides as they were filled, and both pay (rules/filling.py)."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from characters.models import Character
from characters.services.lookup import get_character
from rolls.table_rules import RollContext, Terms
from rulesets.descriptors.rules.filling import Side
from rulesets.descriptors.table.ask import Sides
from rulesets.descriptors.table.pools import Entry, Pool, stored_pool

BOUND: Final = "bound"
RECOVERY: Final = "recovery"


def bound_terms(a: Side, b: Side) -> Terms:
    """For a contest of these two."""
    return {BOUND: {"a": _pool(a).stored, "b": _pool(b).stored, "opponent": b.character, "versus": b.name}}


def recovery_terms(side: Side, dice: int, injury: str) -> Terms:
    """For a roll against so many dice of an Injury, of which nothing follows but that it shrinks."""
    terms: dict[str, Any] = {"a": _pool(side).stored, "b": Pool((), dice).stored, "opponent": None, "versus": injury}
    return {BOUND: terms | {RECOVERY: True}}


def bound_sides(context: RollContext) -> Sides | None:
    """The sides of the procedure that makes this roll; None for every other roll."""
    if context.request is None or context.request.procedure_id is None or BOUND not in context.requested:
        return None
    bound = context.requested[BOUND]
    opponent = get_character(context.work, Character(pk=UUID(bound["opponent"]))) if bound["opponent"] else None
    return Sides(
        mine=context.character,
        opponent=opponent,
        opens=True,
        versus="" if opponent else bound["versus"],
        a=stored_pool(bound["a"]),
        b=stored_pool(bound["b"]),
    )


def is_recovery(context: RollContext) -> bool:
    return bool(context.requested.get(BOUND, {}).get(RECOVERY))


def _pool(side: Side) -> Pool:
    return Pool(tuple(Entry(entry.name, entry.dice, entry.theirs) for entry in side.used), side.dice)
