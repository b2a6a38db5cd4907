"""Statistics: what was to be expected of a roll, by its very terms and the rules as the campaign has set them now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from rolls.ruleset import Expectation
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.storyteller.odds import joint, outcomes
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.table.ask import trait_words

KEPT = 4096


@lru_cache(maxsize=KEPT)
def _success(dice: int, difficulty: int, willpower: bool, settings: Settings) -> float:
    """Return the chance of success; an Ability only tells a botch from a failure, so it is not asked for."""
    odds = joint(dice, difficulty, settings=settings)
    chances = outcomes(odds, willpower=willpower, settings=settings)
    return float(1 - chances["botch"] - chances["failure"])


class StorytellerExpectation(Expectation):
    resources = ("Willpower",)

    def chance(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> float:
        return _success(terms["dice"], terms["difficulty"], terms["willpower"], settings.of(Settings))

    def traits(self, terms: Terms) -> Iterable[str]:
        return trait_words(terms["traits"]) or [""]

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {"Willpower": int(terms["willpower"])}
