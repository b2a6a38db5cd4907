"""Keys give XP, XP give Advances, Advances change a character (descriptors.txt, Keys and Advances)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from languages.text import gettext
from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import NotPossible, OutOfRange, UnknownWord, whole, yes_or_no
from rulesets.descriptors.rules.contest import named
from rulesets.descriptors.settings import DEFAULTS, Settings

XP_PER_ADVANCE: Final = 5
MOST_CLAIMS: Final = 100
"""Claims of one scene; more are refused."""


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


class Nature(StrEnum):
    """Names what kind of Descriptor is to be changed."""

    DESCRIPTOR = "descriptor"
    INJURY = "injury"
    SCENE = "scene"


FLAT_COST: Final = 1
"""The cost of everything but raising and lowering, which cost the rating that they start from."""


@dataclass(frozen=True, slots=True)
class Key:
    name: str
    kind: KeyKind

    def __post_init__(self) -> None:
        named("key", self.name)
        if not isinstance(self.kind, KeyKind):
            raise UnknownWord("kind", self.kind, KeyKind)


@dataclass(frozen=True, slots=True)
class Claim:
    """A player says that this happened to a Key in the scene; the GM confirms it. UnknownWord for a level its kind has not."""

    key: Key
    level: Level
    confirmed: bool = False

    def __post_init__(self) -> None:
        yes_or_no("confirmed", self.confirmed)
        if not isinstance(self.level, Level) or self.level not in XP[self.key.kind]:
            raise UnknownWord("level", self.level, XP[self.key.kind])

    @property
    def xp(self) -> int:
        return XP[self.key.kind][self.level]


def scene_xp(claims: Sequence[Claim], settings: Settings = DEFAULTS) -> int:
    """Return what up to 100 claims of one scene are worth together: levels of one Key add up, each once.

    Claims that the GM has not confirmed count nothing. Raises NotPossible if a level of a Key is claimed twice.
    """
    if len(claims) > MOST_CLAIMS:
        raise OutOfRange("claims", len(claims), 0, MOST_CLAIMS)
    counted = [claim for claim in claims if claim.confirmed or not settings.gm_confirms_xp]
    if settings.levels_once_per_scene and len({(claim.key, claim.level) for claim in counted}) < len(counted):
        message = gettext("Each level of a Key counts once per scene, until the next one starts.")
        raise NotPossible("claims", len(counted), allowed="each level of a Key once", message=message)
    return sum(claim.xp for claim in counted)


def cost(
    change: Change, rating: int | None = None, *, of: Nature = Nature.DESCRIPTOR, settings: Settings = DEFAULTS
) -> int:
    """Return the Advances a change costs (descriptors.txt, "In general, it costs 1 Advance per die").

    `rating` is the dice before a raise (1 to 99) or a lowering (2 to 100: a 1D goes to the Background instead). Other changes
    have none. Raises OutOfRange for other ratings, NotPossible for what Advances do not change.
    """
    if not isinstance(change, Change):
        raise UnknownWord("change", change, Change)
    if not isinstance(of, Nature):
        raise UnknownWord("of", of, Nature)
    if of is not Nature.DESCRIPTOR and not settings.advances_change_temporary:
        message = gettext("Advances can’t change Injuries or Scene Descriptors.")
        raise NotPossible("of", of, allowed=Nature.DESCRIPTOR, message=message)
    if change is Change.RAISE:
        return whole("rating", rating, 1, LARGEST_POOL - 1)
    if change is Change.LOWER:
        return whole("rating", rating, 2, LARGEST_POOL)
    if rating is not None:
        # A 1D on its way to the Background may say so; a new thing or a Background entry has 0 or will have 1.
        whole("rating", rating, 1 if change is Change.RETIRE else 0, 1)
    return FLAT_COST


def cost_from_scratch(rating: int) -> int:
    """Return the Advances for a new Descriptor of 1 to 100 dice: 1, 2, 4, 7, 11, … (a new 1D, then raised step by step)."""
    whole("rating", rating, 1, LARGEST_POOL)
    return FLAT_COST + rating * (rating - 1) // 2
