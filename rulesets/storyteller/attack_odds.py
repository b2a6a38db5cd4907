"""Exact odds of an attack: whether it hits, and how many health levels it takes. Integers and Fractions, nothing rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rulesets.storyteller.odds import joint
from rulesets.storyteller.rules.damage import Body, Harm, damage_dice, levels, soak_dice
from rulesets.storyteller.settings import Settings

MOST_DICE: Final = 30
"""The most dice of a pool for which odds are shown: more would take too long, and no sheet has them."""
MISS: Final = -1
"""The key of a miss, among the health levels that are taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow:
    """An attack before it is rolled: undefended; `dice` are those of damage."""

    attack: int
    difficulty: int
    dice: int
    harm: Harm
    body: Body
    willpower: bool = False


@lru_cache(maxsize=2048)
def net(dice: int, difficulty: int, tens_count_twice: bool = False) -> Mapping[int, Fraction]:
    """Return the chance of each number of net successes of 0 to 30 dice: a 1 strikes out the lowest success (Rule of One)."""
    if not dice:
        return {0: Fraction(1)}
    odds = joint(dice, difficulty, settings=Settings(tens_count_twice=tens_count_twice))
    return MappingProxyType({successes: Fraction(ways, odds.total) for successes, ways in odds.nets().items()})


def hits(blow: Blow, settings: Settings) -> dict[int, Fraction]:
    """Return the chance of each number of successes by which it hits; 0 is a miss."""
    chances: dict[int, Fraction] = {}
    for own, chance in net(blow.attack, blow.difficulty, settings.tens_count_twice).items():
        chances[own + blow.willpower] = chances.get(own + blow.willpower, Fraction()) + chance
    return chances


@lru_cache(maxsize=512)
def outcomes(blow: Blow, settings: Settings) -> Mapping[int, Fraction] | None:
    """Return the chance of each number of health levels taken, with MISS; None for pools of more than 30 dice."""
    soak = soak_dice(blow.body, blow.harm, settings)
    most = blow.dice + max(blow.attack, 1)
    if max(blow.attack, soak, most) > MOST_DICE:
        return None
    soaks = net(soak, settings.soak_difficulty, settings.tens_count_twice)
    chances: dict[int, Fraction] = {}
    for over, chance in hits(blow, settings).items():
        if not over:
            chances[MISS] = chances.get(MISS, Fraction()) + chance
            continue
        dice = damage_dice(blow.dice, over, settings)
        if dice > MOST_DICE:
            return None
        for damage, dealt in net(dice, settings.damage_difficulty, settings.tens_count_twice).items():
            for soaked, kept in soaks.items():
                taken = levels(damage, soaked, blow.harm, settings, mortal=blow.body.mortal)
                chances[taken] = chances.get(taken, Fraction()) + chance * dealt * kept
    return MappingProxyType(chances)
