"""Exact odds of a Storyteller roll, jointly with what it gives the Scale: integers and Fractions, nothing rounded.

How it counts, and why that is exact. At one difficulty the ten faces fall into three groups: the 1, the faces that reach the
difficulty, the faces between. That a, s and f of n dice fall into them happens in n!/(a! s! f!) orders, and a and s alone settle
successes and botch. Inside a group the dice are independent, and each gives the Scale +1, 0 or -1, so the generating polynomial
of one die, raised to the number of dice in the group, counts every sum. The distribution is one closed sum over (a, s, f).

Polynomials are kept as big integers: the coefficient of x**k stands in the k-th slot, wide enough for 10**n, so that multiplying
two polynomials is one multiplication. Every die's exponent is raised by one, so that none is negative. The blank dice are
multiplied in one after the other, each time into all sums at once, which leaves no two long numbers to be multiplied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from struct import unpack
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

from rules.checked import Whole
from rules.dice import D10, LARGEST_POOL
from rules.errors import whole
from rules.questions import Answer, Question, text, texts
from rules.tally import USUAL, Tally
from rulesets.storyteller.rules.damage import Body, Harm, damage_dice, levels, soak_dice
from rulesets.storyteller.rules.roll import DEGREES, Ask, Result, degree, mastery, may_botch
from rulesets.storyteller.settings import DEFAULTS, HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Difficulty, Settings

CACHED_ROLLS: Final = 96
"""Distributions kept: more than a table's usual pools, and still under 100 MB if all of them were of 100 dice."""

CACHED_DELTAS: Final = 256
"""They hold but one row each: more than the shares of any mixture, and 3 MB if all of them were of 100 dice."""

WORD: Final = 8
"""Bytes in a slot of the packed number, for usual pools: numbers of this size can be unpacked all at once."""


class Verdict(NamedTuple):
    """Holds what a roll settles before Willpower."""

    net: int
    botch: bool


@dataclass(frozen=True, slots=True)
class Joint:
    """All `total` = 10**dice equally likely rolls: `ways[verdict][dice + delta]` of them end with that verdict and delta."""

    dice: int
    total: int
    ways: Mapping[Verdict, tuple[int, ...]]

    @property
    def botch(self) -> Fraction:
        return Fraction(sum(sum(ways) for verdict, ways in self.ways.items() if verdict.botch), self.total)

    @property
    def success(self) -> Fraction:
        return Fraction(sum(sum(ways) for verdict, ways in self.ways.items() if verdict.net), self.total)

    @property
    def failure(self) -> Fraction:
        return 1 - self.success - self.botch

    def __iter__(self) -> Iterator[tuple[Verdict, int, int]]:
        """Yield every (verdict, delta, ways) that can happen."""
        for verdict, row in self.ways.items():
            for delta, ways in enumerate(row, start=-self.dice):
                if ways:
                    yield verdict, delta, ways

    def nets(self) -> dict[int, int]:
        """Return ways by net successes; a botch has 0."""
        return _tally((verdict.net, ways) for verdict, _, ways in self)

    def deltas(self) -> dict[int, int]:
        """Return the chances by how many points the roll gives the Scale."""
        return _tally((delta, ways) for _, delta, ways in self)


def joint(
    dice: int,
    difficulty: int,
    *,
    ability: int = 0,
    settings: Settings = DEFAULTS,
    tally: Tally = USUAL,
) -> Joint:
    """Return the joint distribution of net successes, botch and delta for 1 to 100 dice at a difficulty of 2 to 10.

    `ability` counts for Botch Cancellation. A Willpower point is not in it: it adds one to every net and no die.
    """
    _check(dice, difficulty)
    spared = mastery(whole("ability", ability, 0, LARGEST_POOL)) if settings.botch_cancellation else 0
    return _joint(dice, difficulty, spared, settings.tens_count_twice, tally)


def deltas(dice: int, difficulty: int, tally: Tally = USUAL) -> Mapping[int, int]:
    """Return the ways, of 10**dice, by how many points a roll of 1 to 100 dice gives the Scale: as `Joint.deltas`, but faster."""
    _check(dice, difficulty)
    return _deltas(dice, difficulty, tally)


def outcomes(asked: Ask, settings: Settings = DEFAULTS) -> dict[str, Fraction]:
    """Return the chance of "botch", "failure" and each degree, in this order. All seven are there, also one that cannot come."""
    odds = joint(asked.pool.dice, asked.difficulty, ability=asked.pool.ability, settings=settings)
    botches = may_botch(asked.kind, settings) and not (asked.willpower and settings.willpower_prevents_botch)
    ways: dict[str, int] = dict.fromkeys((Result.BOTCH, Result.FAILURE, *DEGREES), 0)
    for verdict, row in odds.ways.items():
        gave = degree(verdict.net + asked.willpower) or Result.FAILURE
        ways[Result.BOTCH if botches and verdict.botch else gave] += sum(row)
    return {name: Fraction(count, odds.total) for name, count in ways.items()}


@lru_cache(maxsize=CACHED_ROLLS)
def _joint(dice: int, difficulty: int, spared: int, tens_twice: bool, tally: Tally) -> Joint:
    total = D10.sides**dice
    width = max(WORD, total.bit_length() // 8 + 1)  # bytes in a slot
    slot = 8 * width
    nets, botched = _packed(
        dice,
        spared,
        below=_one(range(2, difficulty), slot, tally),
        reaching=_reaching(dice, difficulty, tens_twice, slot, tally),
        a_skip=slot if tally.skips_cancelling else 0,
    )
    packed = {Verdict(net, False): number for net, number in enumerate(nets)} | {Verdict(0, True): botched}
    ways = {verdict: _unpack(number, 2 * dice + 1, width) for verdict, number in packed.items() if number}
    return Joint(dice, total, MappingProxyType(ways))


@lru_cache(maxsize=CACHED_DELTAS)
def _deltas(dice: int, difficulty: int, tally: Tally) -> Mapping[int, int]:
    width = max(WORD, (D10.sides**dice).bit_length() // 8 + 1)
    slot = 8 * width
    below = _one(range(2, difficulty), slot, tally)
    powers = _powers(range(difficulty, D10.sides + 1), dice, slot, tally)
    skipped = slot if tally.skips_cancelling else 0
    sums = 0
    for blanks in reversed(range(dice + 1)):
        sums *= below
        for ones in range(dice + 1 - blanks):
            reached = dice - blanks - ones
            orders = comb(dice, blanks) * comb(dice - blanks, ones)
            sums += orders * powers[reached] << skipped * min(ones, reached)
    ways = _unpack(sums, 2 * dice + 1, width)
    return MappingProxyType({delta: count for delta, count in enumerate(ways, start=-dice) if count})


def _packed(
    dice: int, spared: int, *, below: int, reaching: list[list[tuple[int, int]]], a_skip: int
) -> tuple[list[int], int]:
    """Return the sums by net successes, and those of a botch; a 1 that is skipped shifts them by `a_skip` bits."""
    nets = [0] * (2 * dice + 1)
    botched = 0
    for blanks in reversed(range(dice + 1)):
        # Horner's scheme: whatever has been added so far gets one more blank die.
        botched *= below
        nets = [number * below for number in nets]
        for ones in range(dice + 1 - blanks):
            reached = dice - blanks - ones
            orders = comb(dice, blanks) * comb(dice - blanks, ones)
            if not reached and ones > spared:
                botched += orders
                continue
            cancelled = min(ones, reached)
            standing = reached - cancelled
            for tens, sums in reaching[reached]:
                nets[standing + min(tens, standing)] += orders * sums << a_skip * cancelled
    return nets, botched


def _reaching(dice: int, difficulty: int, tens_twice: bool, slot: int, tally: Tally) -> list[list[tuple[int, int]]]:
    """Return for 0 to `dice` dice that reach the difficulty: (tens that may count twice, packed sums) for each number of such
    tens."""
    if not tens_twice:
        return [[(0, sums)] for sums in _powers(range(difficulty, D10.sides + 1), dice, slot, tally)]
    others = _powers(range(difficulty, D10.sides), dice, slot, tally)
    a_ten = (tally.gives(D10.sides) + 1) * slot
    return [
        [(tens, others[reached - tens] * comb(reached, tens) << a_ten * tens) for tens in range(reached + 1)]
        for reached in range(dice + 1)
    ]


def _one(faces: range, slot: int, tally: Tally) -> int:
    """Return the polynomial of one die that shows one of `faces`, packed."""
    return sum(1 << slot * (tally.gives(face) + 1) for face in faces)


def _powers(faces: range, highest: int, slot: int, tally: Tally) -> list[int]:
    """Return the powers 0 to `highest` of the polynomial of one die that shows one of `faces`, packed."""
    single = _one(faces, slot, tally)
    powers = [1]
    for _ in range(highest):
        powers.append(powers[-1] * single)
    return powers


def _unpack(number: int, slots: int, width: int) -> tuple[int, ...]:
    raw = number.to_bytes(slots * width, "little")
    if width == WORD:
        return unpack(f"<{slots}Q", raw)
    return tuple([int.from_bytes(raw[i : i + width], "little") for i in range(0, slots * width, width)])


def _tally(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    tally: dict[int, int] = {}
    for key, ways in pairs:
        tally[key] = tally.get(key, 0) + ways
    return dict(sorted(tally.items()))


def _check(dice: int, difficulty: int) -> None:
    whole("pool", dice, 1, LARGEST_POOL)
    whole("difficulty", difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)


class Asked(Question):
    dice: Annotated[int, Whole(1, LARGEST_POOL)]
    difficulty: Difficulty = 6
    ability: Annotated[int, Whole(0, LARGEST_POOL)] = 0

    def answer(self) -> Answer:
        """Return the odds; `net` is by net successes (a botch has 0), `delta` by what the Scale gets; the rest is failure."""
        odds = joint(self.dice, self.difficulty, ability=self.ability)
        return {
            "botch": text(odds.botch),
            "failure": text(odds.failure),
            "success": text(odds.success),
            "net": texts({net: Fraction(ways, odds.total) for net, ways in odds.nets().items()}),
            "delta": texts({delta: Fraction(ways, odds.total) for delta, ways in odds.deltas().items()}),
        }


QUESTION: Final = Asked


# Exact odds of an attack: whether it hits, and how many health levels it takes. Integers and Fractions, nothing rounded.


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
    nets = net(blow.attack, blow.difficulty, settings.tens_count_twice)
    return {own + blow.willpower: chance for own, chance in nets.items()}


@lru_cache(maxsize=512)
def blow_outcomes(blow: Blow, settings: Settings) -> Mapping[int, Fraction] | None:
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
