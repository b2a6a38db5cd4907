"""How many dice a Storyteller roll takes (storyteller.txt, Rolling Dice and Dice Pools, Default Traits)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import NotPossible, whole

FEWEST_DICE: Final = 1
"""Modifiers, Burns and wounds never take the last die: our decision."""

HUMAN_POOL: Final = 10
"""More dice than this are beyond a human: shown as a warning, never a limit."""

LONE_TRAIT_MAXIMUM: Final = 10
"""Willpower, Humanity and Path run to ten dots and are rolled alone."""

RATING_NAMES: Final[Mapping[int, str]] = MappingProxyType(
    {0: "abysmal", 1: "poor", 2: "average", 3: "good", 4: "exceptional", 5: "superb"}
)
"""storyteller.txt, Trait Ratings. Ratings above 5 have no name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitLimits:
    """The highest ratings a campaign knows. The text says five; its Botch Cancellation speaks of an Ability of 6."""

    attribute: int = 5
    ability: int = 6


LIMITS: Final = TraitLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The dice of one roll: `dots` from traits (or typed in), then modifier, Burn dice and the dice that `wounds` take, together
    1 to 100 dice.

    `ability` is the rating of the Ability rolled with, 0 for none: it decides on Botch Cancellation.
    """

    dots: int
    modifier: int = 0
    extra_dice: int = 0
    wounds: int = 0
    ability: int = 0

    def __post_init__(self) -> None:
        whole("pool", self.dots, 0, LARGEST_POOL)
        whole("modifier", self.modifier, -LARGEST_POOL, LARGEST_POOL)
        whole("extra_dice", self.extra_dice, -LARGEST_POOL, LARGEST_POOL)
        whole("wounds", self.wounds, 0, LARGEST_POOL)
        whole("ability", self.ability, 0, LARGEST_POOL)
        if not self.dots:
            message = "There are no dots to roll, and neither modifier nor Burn makes a pool out of nothing."
            raise NotPossible("pool", self.dots, allowed="1 dot or more", message=message)
        whole("pool", self.dice, FEWEST_DICE, LARGEST_POOL)

    @property
    def dice(self) -> int:
        """How many dice are rolled: at least one."""
        return max(FEWEST_DICE, self.dots + self.modifier + self.extra_dice - self.wounds)

    @property
    def is_beyond_human(self) -> bool:
        return self.dice > HUMAN_POOL


def trait_pool(
    *, attribute: int, ability: int = 0, modifier: int = 0, extra_dice: int = 0, limits: TraitLimits = LIMITS
) -> Pool:
    """Attribute and Ability together. Without the Ability the roll defaults to the Attribute alone."""
    whole("attribute", attribute, 0, limits.attribute)
    whole("ability", ability, 0, limits.ability)
    return Pool(dots=attribute + ability, modifier=modifier, extra_dice=extra_dice, ability=ability)


def typed_pool(dice: int, *, modifier: int = 0, extra_dice: int = 0, ability: int = 0) -> Pool:
    """A number of dice that somebody typed, 1 to 100; `ability` if it is to count for Botch Cancellation."""
    whole("pool", dice, FEWEST_DICE, LARGEST_POOL)
    return Pool(dots=dice, modifier=modifier, extra_dice=extra_dice, ability=ability)


def wound_penalty(marked: int, penalties: Sequence[int]) -> int:
    """The dice that wounds take, by how many health levels are marked: those of the last one, 0 for somebody who is whole.

    storyteller.txt has no figures for wounds; that they count, and how much (`Settings.wound_penalties`), is our decision.
    """
    return penalties[min(marked, len(penalties)) - 1] if marked else 0
