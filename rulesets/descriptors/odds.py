"""Exact odds of pool against pool: who wins, and with how many successes (descriptors.txt, rolling).

How it counts, and why that is exact. Sort both pools from high to low. The winner's dice are ahead of a target number t in the
loser's pool exactly when the loser's dice above t, say q of them, are the q highest dice of the winner, one by one: those are
the ignored pairs. The p dice of the winner above t then give p - q successes. Its other dice are t or lower (t faces each), and
so are the loser's, with at least one t among them (t**n - (t - 1)**n ways for n dice).

So all that has to be counted is, for every t: how many pairs of rolls of p and q dice with no face but those above t there are
in which the q dice are the q highest of the p. Take the faces from the top down, one at a time. When t comes in, let k of the p
dice be above it; the other p - k show t, which happens in C(p, k) arrangements. Either k > q: then the q dice are all above t,
and the pairs are those counted before for (k, q). Or k <= q: then these k are matched by k of the q dice, in C(q, k)
arrangements, and the other q - k dice can only show t. Every pair of rolls is met once, and all of it is whole numbers.

It takes about sides * p**3 / 3 multiplications, where looking at every pair of sorted rolls takes some p**18 with ten sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from operator import mul
from typing import Annotated, Final

from rules.checked import Whole
from rules.dice import LARGEST_POOL, chances, mean
from rules.errors import whole
from rules.questions import Answer, Question, text, texts
from rulesets.descriptors.rules.contest import SUCCESSES_BY_SIZE
from rulesets.descriptors.settings import DEFAULTS, Settings

CACHED_PAIRS: Final = 512


@dataclass(frozen=True, slots=True)
class Opposed:
    """`successes_a[k]` is the chance that side a wins with exactly k successes (1 to 100), `successes_b` that side b does."""

    successes_a: Mapping[int, Fraction]
    successes_b: Mapping[int, Fraction]
    stalemate: Fraction

    @property
    def win(self) -> Fraction:
        """Return the chance that side a wins."""
        return sum(self.successes_a.values(), Fraction())

    @property
    def lose(self) -> Fraction:
        """Return the chance that side b wins."""
        return sum(self.successes_b.values(), Fraction())

    @property
    def averages(self) -> tuple[Fraction, Fraction]:
        """Return how many successes either side has on average where it wins; 0 if it cannot."""
        a, b = self.win, self.lose
        return mean(self.successes_a) / a if a else a, mean(self.successes_b) / b if b else b


def opposed(a: int, b: int, settings: Settings = DEFAULTS) -> Opposed:
    """Return the odds of `a` dice against `b` dice, 0 to 100 each (1 to 100 where a campaign refuses empty pools)."""
    whole("a", a, settings.fewest_dice, LARGEST_POOL)
    whole("b", b, settings.fewest_dice, LARGEST_POOL)
    if a >= b:
        return _opposed(a, b, settings.sides)
    mirrored = _opposed(b, a, settings.sides)
    return Opposed(mirrored.successes_b, mirrored.successes_a, mirrored.stalemate)


@lru_cache(maxsize=CACHED_PAIRS)
def _opposed(longer: int, shorter: int, sides: int) -> Opposed:
    ahead = [0] * (longer + 1)
    behind = [0] * (longer + 1)
    for target, matched in _matched(longer, shorter, sides):
        if target:
            _add(ahead, matched, target, longer, shorter)
            _add(behind, matched, target, shorter, longer)
    # Those of the last target, 0: no face is left out.
    all_matched = matched[shorter][longer - shorter]
    if longer > shorter:
        ahead[SUCCESSES_BY_SIZE] += all_matched
    total: int = sides ** (longer + shorter)
    stalemate = Fraction(all_matched if longer == shorter else 0, total)
    return Opposed(chances(dict(enumerate(ahead)), total), chances(dict(enumerate(behind)), total), stalemate)


def _matched(longer: int, shorter: int, sides: int) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield for every target number from the highest down to 1, and for 0: `matched[q][p - q]`, the pairs of rolls of p and q
    dice (q up to `shorter`, p from q to `longer`) with every face above the target in which the q dice are the q highest of the
    p."""
    binomials = [[comb(n, k) for k in range(n + 1)] for n in range(longer + 1)]
    matched = [[0] * (longer + 1 - q) for q in range(shorter + 1)]
    matched[0][0] = 1  # no face yet: two rolls without dice match
    for target in reversed(range(sides)):
        equal = [row[0] for row in matched]
        for q, row in enumerate(matched):
            # By k, the dice of the p above the new face: up to q they are matched by k of the q, beyond that as before.
            by_k = [*map(mul, binomials[q], equal), *row[1:]]
            matched[q] = [sum(map(mul, binomials[p], by_k)) for p in range(q, longer + 1)]
        yield target, matched


def _add(wins: list[int], matched: list[list[int]], target: int, winners: int, losers: int) -> None:
    """Add to `wins`, by successes, the rolls in which the side of `winners` dice wins against this target number."""
    for q, row in enumerate(matched[:losers]):
        left = losers - q
        below = comb(losers, q) * (target**left - (target - 1) ** left)
        for successes in range(1, winners - q + 1):
            p = q + successes
            wins[successes] += row[successes] * below * comb(winners, p) * target ** (winners - p)


class Asked(Question):
    a: Annotated[int, Whole(0, LARGEST_POOL)]
    b: Annotated[int, Whole(0, LARGEST_POOL)]

    def answer(self) -> Answer:
        """Return the odds; `win` and `lose` are for side a, `successes` are by side and number."""
        odds = opposed(self.a, self.b)
        return {
            "win": text(odds.win),
            "lose": text(odds.lose),
            "stalemate": text(odds.stalemate),
            "successes": {"a": texts(odds.successes_a), "b": texts(odds.successes_b)},
        }


QUESTION: Final = Asked
