"""What the faces of a roll's dice give to whatever counts them beside the roll's own result: a second reading of the same dice.

A ruleset whose rolls can be read so says which of its dice `cancels` another, and how likely each sum is (`Shifts`). It knows
nothing of who counts them; the add-on that does knows nothing of its rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

Shifts: TypeAlias = Mapping[int, int]
"""For every sum that can come, in how many of all equally likely rolls it does."""


@dataclass(frozen=True, slots=True)
class FallenDie:
    """A die as it lies: its face, and whether it struck out a success."""

    face: int
    cancels: bool = False


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
    """What one die gives: +1, 0 or -1; a skipped one gives 0."""

    face: int
    gives: int
    skipped: bool


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
    def neutral(self) -> int:
        """Dice that gave nothing by their face; skipped ones are not among them."""
        return len(self.dice) - self.plus - self.minus - self.skipped_ones


def read(dice: Sequence[FallenDie], tally: Tally = USUAL) -> Read:
    """What every die gives, from its face alone, whatever the roll made of it."""
    return Read(tuple(_read(die, tally) for die in dice))


def mean(shifts: Shifts) -> Fraction:
    """What a roll gives on average."""
    return Fraction(sum(delta * ways for delta, ways in shifts.items()), sum(shifts.values()))


def _read(die: FallenDie, tally: Tally) -> ReadDie:
    skipped = die.cancels and tally.skips_cancelling
    return ReadDie(die.face, 0 if skipped else tally.gives(die.face), skipped)
