"""Exact odds of an attack: whether it hits, and how many health levels it takes. Integers and Fractions, nothing rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial
from types import MappingProxyType
from typing import Final

from rolls.rules.dice import D10
from rulesets.storyteller.rules.damage import Body, Decisions, Harm, damage_dice, levels, soak_dice

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
    faces = (1, D10.sides - difficulty, difficulty - 2)  # ones, successes below a ten, blanks; and the ten itself
    ways_by_net: dict[int, int] = {}
    for ones in range(dice + 1):
        for tens in range(dice - ones + 1):
            for low in range(dice - ones - tens + 1):
                blank = dice - ones - tens - low
                orders = factorial(dice) // (factorial(ones) * factorial(tens) * factorial(low) * factorial(blank))
                ways = orders * faces[1] ** low * faces[2] ** blank
                left_low = max(0, low - ones)
                left_tens = max(0, tens - max(0, ones - low))
                total = left_low + left_tens * (2 if tens_count_twice else 1)
                ways_by_net[total] = ways_by_net.get(total, 0) + ways
    whole = D10.sides**dice
    return MappingProxyType({total: Fraction(ways, whole) for total, ways in ways_by_net.items() if ways})


def hits(blow: Blow, decisions: Decisions) -> dict[int, Fraction]:
    """Return the chance of each number of successes by which it hits; 0 is a miss."""
    chances: dict[int, Fraction] = {}
    for own, chance in net(blow.attack, blow.difficulty, decisions.tens_count_twice).items():
        chances[own + blow.willpower] = chances.get(own + blow.willpower, Fraction()) + chance
    return chances


@lru_cache(maxsize=512)
def outcomes(blow: Blow, decisions: Decisions) -> Mapping[int, Fraction] | None:
    """Return the chance of each number of health levels taken, with MISS; None for pools of more than 30 dice."""
    soak = soak_dice(blow.body, blow.harm, decisions)
    most = blow.dice + max(blow.attack, 1)
    if max(blow.attack, soak, most) > MOST_DICE:
        return None
    soaks = net(soak, decisions.soak_difficulty, decisions.tens_count_twice)
    chances: dict[int, Fraction] = {}
    for over, chance in hits(blow, decisions).items():
        if not over:
            chances[MISS] = chances.get(MISS, Fraction()) + chance
            continue
        dice = damage_dice(blow.dice, over, decisions)
        if dice > MOST_DICE:
            return None
        for damage, dealt in net(dice, decisions.damage_difficulty, decisions.tens_count_twice).items():
            for soaked, kept in soaks.items():
                taken = levels(damage, soaked, blow.harm, decisions, mortal=blow.body.mortal)
                chances[taken] = chances.get(taken, Fraction()) + chance * dealt * kept
    return MappingProxyType(chances)
