"""Statistics: what was to be expected of a roll, by its very terms and the rules as the campaign has set them now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from rolls.ruleset import Expectation
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.descriptors.odds import opposed
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table.words import own_traits

KEPT = 4096


@lru_cache(maxsize=KEPT)
def _win(mine: int, theirs: int, settings: Settings) -> float:
    return float(opposed(mine, theirs, settings).win)


class DescriptorsExpectation(Expectation):
    resources = ("Will",)

    def chance(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> float:
        return _win(terms["a"]["dice"], terms["b"]["dice"], settings.of(Settings))

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return settings.of(Settings).sides

    def traits(self, terms: Terms) -> Iterable[str]:
        return own_traits(terms)

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {"Will": terms["a"]["spent"] if terms["a"]["pays"] else 0}
