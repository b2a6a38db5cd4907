"""The expected results of a roll, from its terms and the campaign's current rules, for the statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

from languages.text import gettext_noop
from rolls.ruleset import Expectation
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.storyteller.odds import joint, outcomes
from rulesets.storyteller.rules.roll import Kind, may_botch
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import label_in_language
from rulesets.storyteller.table.ask import trait_words

KEPT = 4096
WILLPOWER = gettext_noop("Willpower")


@lru_cache(maxsize=KEPT)
def _chances(
    dice: int, difficulty: int, willpower: bool, ability: int, settings: Settings, botches: bool
) -> Mapping[str, float]:
    odds = joint(dice, difficulty, ability=ability, settings=settings)
    chances = outcomes(odds, willpower=willpower, settings=settings)
    failed = chances["botch"] + chances["failure"]
    botch = chances["botch"] if botches else Fraction()
    return {"botch": float(botch), "failure": float(failed - botch), "success": float(1 - failed)}


class StorytellerExpectation(Expectation):
    resources = (WILLPOWER,)

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> Mapping[str, float]:
        ability, own = terms.get("ability") or 0, settings.of(Settings)
        botches = may_botch(Kind(kind), own)
        return _chances(terms["dice"], terms["difficulty"], terms["willpower"], ability, own, botches)

    def traits(self, terms: Terms) -> Iterable[str]:
        return trait_words(terms["traits"]) or [""]

    def trait_words(self, trait: str) -> str:
        return label_in_language(trait)

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {WILLPOWER: int(terms["willpower"])}
