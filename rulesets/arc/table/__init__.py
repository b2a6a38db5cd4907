"""Checks of VI-VIII-X, the arc system, at the table."""

from __future__ import annotations

from collections.abc import Mapping

from rolls.table_rules import TableRules
from rulesets.arc.table.ask import ArcInput, Kind
from rulesets.arc.table.check import ArcRoll, Card, CheckRoll, ReactionRoll, RequestTerms, TakenBack

__all__ = ["KINDS", "ArcInput", "ArcTable"]

KINDS: Mapping[str, ArcRoll] = {
    **{kind.value: CheckRoll(kind) for kind in (Kind.CHECK, Kind.OPPOSED, Kind.COUNTER)},
    Kind.REACTION.value: ReactionRoll(),
}


class ArcTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    back_schema = TakenBack
    correctable = ("threshold",)
    kinds = KINDS
