"""The expected results of a roll, from its terms and the campaign's current rules, for the statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from django.utils.translation import gettext as _

from rolls.ruleset import Expectation
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.forged.odds import results
from rulesets.forged.rules.roll import D6
from rulesets.forged.sheet import ACTION_LABELS, ATTRIBUTE_LABELS
from rulesets.forged.table import KINDS

KEPT = 4096


@lru_cache(maxsize=KEPT)
def _chances(dice: int) -> Mapping[str, float]:
    return {result.name.lower(): float(chance) for result, chance in results(dice).items()}


LABELS = {**ACTION_LABELS, **ATTRIBUTE_LABELS}
SETTLED = (
    "Fortune",
    "Long-term project",
    "Recovery",
    "Reduce heat",
    "Acquire an asset",
    "Vice",
    "Entanglement",
    "Engagement",
)
"""The purposes of fortune rolls, under which they are counted."""


class ForgedExpectation(Expectation):
    resources = ("Stress",)

    def judges(self, kind: str) -> bool:
        return kind != "resistance"

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> Mapping[str, float]:
        return _chances(terms["dice"])

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return D6.sides

    def traits(self, terms: Terms) -> Iterable[str]:
        return [KINDS[terms["kind"]].trait_name(terms)]

    def trait_words(self, trait: str) -> str:
        if trait in SETTLED:
            return _(trait)
        return str(LABELS.get(trait.lower(), trait))

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {"Stress": stress + terms.get("stress", 0)}
