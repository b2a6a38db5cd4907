"""Keys give XP, XP give Advances, Advances change a character (descriptors.txt, Keys and Advances)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from languages.text import gettext
from rules.dice import LARGEST_POOL
from rules.errors import NotPossible, UnknownWord, whole
from rulesets.descriptors.settings import DEFAULTS, Settings

XP_PER_ADVANCE: Final = 5


class KeyKind(StrEnum):
    DRAMATIC = "dramatic"
    MOTIVATION = "motivation"


class Level(StrEnum):
    """Names what happened to a Key in a scene."""

    INVOLVED = "involved"  # the dramatic issue is part of the scene
    CHALLENGED = "challenged"  # significant challenges around the theme
    PROGRESSES = "progresses"  # the motif moves on
    EXPRESSED = "expressed"  # the character shows the motivation
    AT_A_PRICE = "at_a_price"  # and follows it despite risk or cost
    BUYOFF = "buyoff"  # the theme is discarded, the trait let go


XP: Final[Mapping[KeyKind, Mapping[Level, int]]] = MappingProxyType(
    {
        KeyKind.DRAMATIC: MappingProxyType(
            {Level.INVOLVED: 1, Level.CHALLENGED: 2, Level.PROGRESSES: 5, Level.BUYOFF: 10}
        ),
        KeyKind.MOTIVATION: MappingProxyType({Level.EXPRESSED: 1, Level.AT_A_PRICE: 3, Level.BUYOFF: 10}),
    }
)
"""descriptors.txt, Dramatic Key Framework and Motivation Key Framework."""


class Change(StrEnum):
    """Names what Advances buy."""

    NEW = "new_1"  # a 1D Descriptor out of thin air
    PROMOTE = "background_to_1"
    RETIRE = "1_to_background"
    NEW_KEY = "new_key"
    RAISE = "raise"
    LOWER = "lower"


FLAT_COST: Final = 1
"""The cost of everything but raising and lowering, which cost the rating that they start from."""


def xp_of(kind: KeyKind, level: Level) -> int:
    """Return what it is worth that this happened to a Key in a scene. Raises UnknownWord for a level its kind has not."""
    if level not in XP[kind]:
        raise UnknownWord("level", level, XP[kind])
    return XP[kind][level]


def check_level(level: Level, earlier: Sequence[Level], settings: Settings = DEFAULTS) -> None:
    """Raise NotPossible if a level of a Key has counted in this scene, as one of its `earlier` ones did."""
    if settings.levels_once_per_scene and level in earlier:
        message = gettext("Each level of a Key counts once per scene, until the next one starts.")
        raise NotPossible("claims", level, allowed="each level of a Key once", message=message)


def cost(change: Change, rating: int | None = None) -> int:
    """Return the Advances a change costs (descriptors.txt, "In general, it costs 1 Advance per die").

    `rating` is the dice before a raise (1 to 99) or a lowering (2 to 100: a 1D goes to the Background instead); OutOfRange
    otherwise.
    """
    if change is Change.RAISE:
        return whole("rating", rating, 1, LARGEST_POOL - 1)
    if change is Change.LOWER:
        return whole("rating", rating, 2, LARGEST_POOL)
    return FLAT_COST


def cost_from_scratch(rating: int) -> int:
    """Return the Advances for a new Descriptor of 1 to 100 dice: 1, 2, 4, 7, 11, … (a new 1D, then raised step by step)."""
    whole("rating", rating, 1, LARGEST_POOL)
    return FLAT_COST + rating * (rating - 1) // 2
