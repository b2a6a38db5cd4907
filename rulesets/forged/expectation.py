"""Statistics: what was to be expected of a roll, by its very terms and the rules as the campaign has set them now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from rolls.ruleset import Expectation
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.forged.odds import results
from rulesets.forged.rules.roll import D6, Result
from rulesets.forged.table import KINDS

KEPT = 4096


@lru_cache(maxsize=KEPT)
def _anything_but_bad(dice: int) -> float:
    return float(1 - results(dice)[Result.BAD])


class ForgedExpectation(Expectation):
    resources = ("Stress",)

    def judges(self, kind: str) -> bool:
        return kind != "resistance"

    def chance(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> float:
        return _anything_but_bad(terms["dice"])

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return D6.sides

    def traits(self, terms: Terms) -> Iterable[str]:
        return [KINDS[terms["kind"]].trait_name(terms)]

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {"Stress": stress + terms.get("stress", 0)}
