"""The read: what an action roll gives the Scale, face by face (scale.txt, Scale Procedure).

It looks at the same dice a second time, after storyteller.txt has settled the roll. Only faces count, not success.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rolls.rules.dice import shown
from rolls.rules.scale import DEFAULTS, Settings
from rolls.rules.storyteller import Ask, Kind, Outcome, Role, resolve
from rolls.rules.storyteller_pool import typed_pool

UP_FROM: Final = 8
DOWN_TO: Final = 3
"""Faces from 8 up give +1, faces up to 3 give -1, successes or not."""

FEEDING_KINDS: Final = frozenset({Kind.ACTION})
"""scale.txt leaves out soak, Willpower, Humanity and initiative; that virtues, damage and all else stay out is our decision."""

SKIPPED_ROLES: Final = frozenset({Role.CANCELS})
"""1s that the read skips: those which struck out a success. Those a mastered Ability took out of a botch count: our decision."""


@dataclass(frozen=True, slots=True)
class ReadDie:
    """What one die gives the Scale: +1, 0 or -1; a skipped 1 gives 0."""

    face: int
    gives: int
    skipped: bool


@dataclass(frozen=True, slots=True)
class Read:
    """A roll as the Scale sees it; `dice` in the order in which they fell."""

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
        """Dice that gave nothing by their face; skipped 1s are not among them."""
        return len(self.dice) - self.plus - self.minus - self.skipped_ones


def feeds(kind: Kind, *, is_npc: bool, settings: Settings = DEFAULTS) -> bool:
    """Whether a roll with dice moves a Scale (scale.txt, Scale Procedure). One that succeeds without dice never does."""
    return kind in FEEDING_KINDS and (settings.npcs_feed or not is_npc)


def read(outcome: Outcome, settings: Settings = DEFAULTS) -> Read:
    """What every die gives, from its face alone: a 3 that succeeds is -1, a 9 that fails is +1 (scale.txt, Scale Procedure).

    A Willpower success is no die and gives nothing: our decision.
    """
    dice = []
    for die in outcome.dice:
        skipped = die.role in SKIPPED_ROLES and not settings.cancelled_ones_count
        gives = 0 if skipped else (die.face >= UP_FROM) - (die.face <= DOWN_TO)
        dice.append(ReadDie(die.face, gives, skipped))
    return Read(tuple(dice))


def read_faces(faces: Sequence[int], difficulty: int, settings: Settings = DEFAULTS) -> Read:
    """The read of 1 to 100 bare faces at a difficulty of 2 to 10."""
    checked = shown(faces)
    return read(resolve(Ask(pool=typed_pool(len(checked)), difficulty=difficulty), iter(checked)), settings)
