"""Statistics: what was to be expected of a roll, by its very terms and the rules as the campaign has set them now."""

from __future__ import annotations

from functools import lru_cache

from rolls.ruleset import Expectation
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.forged.odds import results
from rulesets.forged.rules.roll import D6, Result
from rulesets.forged.table.words import trait_name

KEPT = 4096


def _chance(kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> float:
    return _anything_but_bad(terms["dice"])


@lru_cache(maxsize=KEPT)
def _anything_but_bad(dice: int) -> float:
    return float(1 - results(dice)[Result.BAD])


EXPECTATION = Expectation(
    judges=lambda kind: kind != "resistance",
    chance=_chance,
    sides=lambda kind, terms, settings: D6.sides,
    resources=("Stress",),
    traits=lambda terms: [trait_name(terms)],
    spent=lambda terms, stress: {"Stress": stress + terms.get("stress", 0)},
)
