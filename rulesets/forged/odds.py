"""Exact odds of forged rolls: results, stress of resisting, group actions, fortune (forged.txt, Roll the Dice and what follows).

How it counts, and why that is exact. Of the 6**n rolls of n dice v**n show no face above v, so v**n - (v - 1)**n have v as their
highest; the lowest of two is counted the same way from below. Among the rolls whose highest is 6 the n * 5**(n - 1) with a single
six are no criticals, and all others are. In a group the rolls are independent: the best of them is no better than r when each is
no better than r, and the number of 1-3s is counted member by member.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from types import MappingProxyType
from typing import Annotated, Final

from rules.checked import Whole
from rules.dice import LARGEST_POOL, chances
from rules.errors import OutOfRange, whole
from rules.questions import Answer, Question, text
from rulesets.forged.rules import D6, ORDER, Pool, Result, read
from rulesets.forged.rules.action import CRITICAL_CLEARS, RESIST_STRESS

MOST_POOLS: Final = 2 * LARGEST_POOL + 1
"""All pools there are, from -100 dice to 100: their odds are kept."""


@dataclass(frozen=True, slots=True)
class Group:
    """The chance of each of the four results of a group action, and of each stress (0 and up) that comes for its leader."""

    results: Mapping[Result, Fraction]
    stress: Mapping[int, Fraction]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two fortune rolls compared level by level: which is better, or the chance of equal results."""

    a: Fraction
    b: Fraction
    equal: Fraction


def results(dice: int) -> Mapping[Result, Fraction]:
    """Return the chance of each of the four results for -100 to 100 dice. All four are in the map, also one that cannot come."""
    return _results(Pool(dice))


def resistance_stress(dice: int) -> Mapping[int, Fraction]:
    """Return the chance of each stress that resisting costs with -100 to 100 dice: 0 to 5, and -1 where a critical clears one."""
    return _stress(Pool(dice))


def group(dice: Sequence[int], cohorts: Sequence[int] = ()) -> Group:
    """Return the odds of a group action: the pools of the player characters, the leader's among them, and those of cohorts.

    1 to 100 pools in all. A cohort's 1-3 costs the leader nothing.
    """
    for pools in (dice, cohorts):
        if not isinstance(pools, list | tuple):
            raise OutOfRange("rolls", pools, 1, LARGEST_POOL)
    whole("rolls", len(dice) + len(cohorts), 1, LARGEST_POOL)
    own, others = (tuple(sorted(Pool(count).dice for count in pools)) for pools in (dice, cohorts))
    return _group(own, others)


def opposed_fortune(a: int, b: int) -> Compared:
    """Return the odds of fortune rolled for both sides: the better level wins, equal levels are the GM's to judge."""
    pairs = [
        (ORDER.index(ours) - ORDER.index(theirs), chance * other)
        for ours, chance in results(a).items()
        for theirs, other in results(b).items()
    ]
    better, worse, equal = (
        sum((chance for step, chance in pairs if (step > 0) - (step < 0) == sign), Fraction()) for sign in (1, -1, 0)
    )
    return Compared(better, worse, equal)


def _ways(pool: Pool) -> tuple[dict[int, int], int]:
    """Return the ways to roll each face as the one that counts, and how many of those for a 6 are criticals."""
    faces = range(1, D6.sides + 1)
    if pool.lowest:
        return {face: (7 - face) ** pool.rolled - (6 - face) ** pool.rolled for face in faces}, 0
    ways: dict[int, int] = {face: face**pool.rolled - (face - 1) ** pool.rolled for face in faces}
    return ways, ways[6] - pool.rolled * 5 ** (pool.rolled - 1)


@lru_cache(maxsize=MOST_POOLS)
def _results(pool: Pool) -> Mapping[Result, Fraction]:
    return _all_four(_result_ways(pool), D6.sides**pool.rolled)


def _all_four(ways: Mapping[Result, int], total: int) -> Mapping[Result, Fraction]:
    return MappingProxyType({result: Fraction(ways[result], total) for result in Result})


def _result_ways(pool: Pool) -> dict[Result, int]:
    by_face, criticals = _ways(pool)
    ways = dict.fromkeys(Result, 0)
    for face, count in by_face.items():
        ways[read(face)] += count
    ways[Result.FULL] -= criticals
    ways[Result.CRITICAL] += criticals
    return ways


@lru_cache(maxsize=MOST_POOLS)
def _stress(pool: Pool) -> Mapping[int, Fraction]:
    by_face, criticals = _ways(pool)
    ways = {-CRITICAL_CLEARS: criticals}
    for face in reversed(by_face):
        ways[RESIST_STRESS - face] = by_face[face] - (criticals if face == 6 else 0)
    return chances(ways, D6.sides**pool.rolled)


@lru_cache(maxsize=256)
def _group(own: tuple[int, ...], cohorts: tuple[int, ...]) -> Group:
    members = [_result_ways(Pool(dice)) for dice in (*own, *cohorts)]
    total = prod(sum(ways.values()) for ways in members)
    at_most = [
        prod(sum(ways[lower] for lower in ORDER[: place + 1]) for ways in members) for place in range(len(ORDER))
    ]
    best = {result: reached - below for result, reached, below in zip(ORDER, at_most, (0, *at_most), strict=False)}
    return Group(_all_four(best, total), _leader_stress(own))


def _leader_stress(own: tuple[int, ...]) -> Mapping[int, Fraction]:
    """Return the chance of each number of these pools that get 1-3."""
    ways, total = [1], 1
    for dice in own:
        bad = results(dice)[Result.BAD]
        better = bad.denominator - bad.numerator
        ways = [stays * better + comes * bad.numerator for stays, comes in zip([*ways, 0], [0, *ways], strict=True)]
        total *= bad.denominator
    return chances(dict(enumerate(ways)), total)


class Asked(Question):
    dice: Annotated[int, Whole(-LARGEST_POOL, LARGEST_POOL)]

    def answer(self) -> Answer:
        """Return the chances of 1-3, 4/5, 6 and a critical."""
        names = {Result.CRITICAL: "critical"}
        return {names.get(result, str(result)): text(chance) for result, chance in results(self.dice).items()}


QUESTION: Final = Asked
