"""The same odds worked out by icepool, which knows nothing of our counting: the tests compare with it, the bench races it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool

from rulesets.descriptors.rules.contest import Side
from rulesets.forged.rules import Result
from rulesets.storyteller.rules.roll import mastery
from rulesets.storyteller.settings import DEFAULTS


def storyteller(dice: int, difficulty: int, ability: int = 0) -> Counter[tuple[int, bool, int]]:
    """Ways of 10**dice by net successes, botch and delta, put plainly: three sums added die by die, then read."""
    results = (dice @ _gives(difficulty)).map(_reader(ability))
    return Counter({tuple(key): ways * 10**dice // results.denominator() for key, ways in results.items()})


def storyteller_by_class(dice: int, difficulty: int, ability: int = 0) -> Counter[tuple[int, bool, int]]:
    """Count with a multiset of faces, merging faces with equal effect: the quickest way for icepool that we found."""
    results = _Sums(_reader(ability)).evaluate(_gives(difficulty).pool(dice))
    return Counter({tuple(key): ways * 10**dice // results.denominator() for key, ways in results.items()})


def _gives(difficulty: int) -> icepool.Die[Any]:
    return icepool.d10.map(
        lambda face: icepool.vectorize(int(face == 1), int(face >= difficulty), (face >= 8) - (face <= 3))
    )


def _reader(ability: int) -> Callable[[int, int, int], tuple[int, bool, int]]:
    spared = mastery(ability) if DEFAULTS.botch_cancellation else 0

    def read(ones: int, successes: int, delta: int) -> tuple[int, bool, int]:
        cancelled = min(ones, successes)
        return (successes - cancelled, not successes and ones > spared, delta + cancelled)

    return read


class _Sums(icepool.MultisetEvaluator[Any, Any]):
    def __init__(self, read: Callable[[int, int, int], tuple[int, bool, int]]) -> None:
        self.read = read

    def next_state(self, state: Any, order: icepool.Order, outcome: Any, count: int) -> Any:
        ones, successes, delta = state or (0, 0, 0)
        return (ones + count * outcome[0], successes + count * outcome[1], delta + count * outcome[2])

    def final_outcome(self, final_state: Any, *_: Any) -> tuple[int, bool, int]:
        return self.read(*final_state)


class _Versus(icepool.MultisetEvaluator[int, Any]):
    """Two pools counted face by face from the top: (the side ahead, by how many dice, whether its target number is known)."""

    def next_state(self, state: Any, order: icepool.Order, outcome: int, a: int, b: int) -> Any:
        if order > 0:
            raise icepool.UnsupportedOrder
        ahead, by, settled = state or (0, 0, False)
        if ahead == 0:
            return ((a > b) - (a < b), abs(a - b), False)
        winners, losers = (a, b) if ahead > 0 else (b, a)
        settled = settled or losers > 0
        return (ahead, by if settled else by + winners, settled)

    def final_outcome(self, final_state: Any, *_: Any) -> tuple[int, int]:
        ahead, by, settled = final_state
        return (ahead, by if settled or not ahead else 1)


def versus(a: int, b: int) -> Counter[tuple[Side | None, int]]:
    """Return the chances by winner and successes of 1 or more d10 against 1 or more d10."""
    sides = {1: Side.A, 0: None, -1: Side.B}
    results = _Versus().evaluate(icepool.d10.pool(a), icepool.d10.pool(b))
    return Counter({(sides[ahead], by): results.probability((ahead, by)) for ahead, by in results})


def forged(dice: int) -> Counter[Result]:
    """Return the chances of the results of 1 or more d6: sixes and middling dice counted."""

    def read(sixes: int, middling: int) -> int:
        return min(2, sixes) + 1 if sixes else int(middling > 0)

    counted = dice @ icepool.d6.map(lambda face: icepool.vectorize(int(face == 6), int(face in (4, 5))))
    results = counted.map(read)
    return Counter({tuple(Result)[place]: results.probability(place) for place in results})


def arc(es: int, sides: int) -> Counter[int]:
    """Return the chances of the ES adjustments."""
    results = icepool.d(sides).map(lambda face: face if face <= es else es - face)
    return Counter({value: Fraction(results.probability(value)) for value in results})
