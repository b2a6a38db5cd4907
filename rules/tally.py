"""What a roll's faces give to the Scale, which counts them: a second reading of the same dice.

A ruleset whose rolls can be read so says which of its dice `cancels` another, and how likely each sum is (`Shifts`). It
knows nothing of the Scale, and the Scale nothing of its rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

Shifts: TypeAlias = Mapping[int, int]
"""For every possible sum, the number of equally likely rolls that give it."""


@dataclass(frozen=True, slots=True)
class FallenDie:
    """A fallen die: its face, whether it cancelled a success, and whether it is counted at all (the other side's dice
    are not). `other`: it belongs to the other side, who plays for the same table.
    """

    face: int
    cancels: bool = False
    counts: bool = True
    other: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """A face from `up_from` gives +1, one up to `down_to` (1 and more) -1; a die that cancels gives nothing where
    `skips_cancelling`."""

    up_from: int
    down_to: int
    skips_cancelling: bool = True

    def gives(self, face: int) -> int:
        return (face >= self.up_from) - (face <= self.down_to)


USUAL: Final = Tally(up_from=8, down_to=3)


@dataclass(frozen=True, slots=True)
class ReadDie:
    """What one die gives: +1, 0 or -1; a skipped or uncounted one gives 0."""

    face: int
    gives: int
    skipped: bool
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Read:
    """A roll as a tally sees it; `dice` in the order in which they fell."""

    dice: tuple[ReadDie, ...]

    @property
    def delta(self) -> int:
        return sum(die.gives for die in self.dice)

    @property
    def plus(self) -> int:
        return sum(die.gives > 0 for die in self.dice)

    @property
    def minus(self) -> int:
        return sum(die.gives < 0 for die in self.dice)

    @property
    def skipped_ones(self) -> int:
        return sum(die.skipped for die in self.dice)

    @property
    def counted(self) -> int:
        """Return the dice that are counted, whatever they give."""
        return sum(die.counts for die in self.dice)


def read(dice: Sequence[FallenDie], tally: Tally = USUAL, *, both: bool = False) -> Read:
    """Return what each die gives, from its face alone. With `both`, the other side's dice count too, as it plays for
    the same table.
    """
    return Read(tuple(_read(die, tally, counts=die.counts or (both and die.other)) for die in dice))


@lru_cache(maxsize=256)
def shifts_of(dice: int, sides: int, tally: Tally) -> Shifts:
    """Return how likely each sum of 0 to 100 dice is, none of which strikes out another."""
    ways = {0: 1}
    shifts_of_one_die = Counter(tally.gives(face) for face in range(1, sides + 1))
    for _ in range(dice):
        after: Counter[int] = Counter()
        for (so_far, several), (gives, faces) in product(ways.items(), shifts_of_one_die.items()):
            after[so_far + gives] += several * faces
        ways = dict(after)
    return MappingProxyType(ways)


def mean(shifts: Shifts) -> Fraction:
    """Return the average of a roll's shifts."""
    return Fraction(sum(delta * ways for delta, ways in shifts.items()), sum(shifts.values()))


def _read(die: FallenDie, tally: Tally, *, counts: bool) -> ReadDie:
    skipped = counts and die.cancels and tally.skips_cancelling
    gives = tally.gives(die.face) if counts and not skipped else 0
    return ReadDie(die.face, gives, skipped, counts)
