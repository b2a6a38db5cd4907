"""Forged rolls at the table: actions, resistance and fortune."""

from __future__ import annotations

from collections.abc import Mapping

from rolls.table_rules import TableRules
from rulesets.forged.table.action import ActionRoll, FortuneRoll, ResistanceRoll
from rulesets.forged.table.ask import ForgedInput
from rulesets.forged.table.roll import Card, ForgedRoll, RequestTerms

__all__ = ["KINDS", "ForgedInput", "ForgedTable"]

KINDS: Mapping[str, ForgedRoll] = {rules.kind.value: rules for rules in (ActionRoll(), ResistanceRoll(), FortuneRoll())}


class ForgedTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    correctable = ("position", "effect", "trade", "reduced", "resisting")
    typed = ("bargain", "more_from")
    kinds = KINDS
