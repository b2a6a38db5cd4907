"""Checks of VI-VIII-X, the arc system, at the table."""

from __future__ import annotations

from collections.abc import Mapping

from rolls.table_rules import TableRules
from rulesets.arc.table.ask import ArcInput
from rulesets.arc.table.check import COUNTER, CheckRoll, OpposedRoll, ReactionRoll
from rulesets.arc.table.roll import ArcRoll, Card, RequestTerms, TakenBack

__all__ = ["KINDS", "ArcInput", "ArcTable"]

KINDS: Mapping[str, ArcRoll] = {
    rules.kind.value: rules for rules in (CheckRoll(), OpposedRoll(), COUNTER, ReactionRoll())
}


class ArcTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    back_schema = TakenBack
    correctable = ("threshold",)
    kinds = KINDS
