"""Forged in the Dark: a score from the engagement roll to the payoff (public rules).

What it leaves behind with the law is in `forged_heat`, what comes after it in `forged_downtime`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rolls.rules.errors import NotPossible, whole, word
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.roll import Pool, Result, fortune_pool
from rulesets.forged.settings import MOST_BOXES

HIGHEST_TIER: Final = 6
REP: Final = 2
MOST_EXTRA_COIN: Final = 100


class Load(StrEnum):
    """How much somebody has chosen to carry into the score."""

    LIGHT = "light"
    NORMAL = "normal"
    HEAVY = "heavy"
    ENCUMBERED = "encumbered"


MOST_ITEMS: Final[Mapping[Load, int]] = MappingProxyType(
    {Load.LIGHT: 3, Load.NORMAL: 5, Load.HEAVY: 6, Load.ENCUMBERED: 9}
)


class Flashback(StrEnum):
    """How much a flashback asks of the past."""

    ORDINARY = "ordinary"  # something for which there was every occasion
    COMPLEX = "complex"  # something unlikely
    ELABORATE = "elaborate"  # something that took occasions and luck


FLASHBACK_STRESS: Final[Mapping[Flashback, int]] = MappingProxyType(
    {Flashback.ORDINARY: 0, Flashback.COMPLEX: 1, Flashback.ELABORATE: 2}
)

MOST_EXTRA_STRESS: Final = MOST_BOXES - FLASHBACK_STRESS[Flashback.ELABORATE]
"""More than the whole stress track makes no difference."""


class Take(StrEnum):
    """How large the haul is."""

    MINOR = "minor"
    SMALL = "small"
    STANDARD = "standard"
    BIG = "big"
    MAJOR = "major"


COIN: Final[Mapping[Take, int]] = MappingProxyType(
    {Take.MINOR: 2, Take.SMALL: 4, Take.STANDARD: 6, Take.BIG: 8, Take.MAJOR: 10}
)
"""What it is worth in coin; a major one may be worth more."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """What a score brings the crew: `rep` is 0 to 8, `coin` 2 and more."""

    rep: int
    coin: int


def engagement_pool(*, advantages: int = 0, disadvantages: int = 0) -> Pool:
    """The pool of an engagement roll: 1d, +1d a major advantage, -1d a major disadvantage (0 to 100 of each)."""
    return fortune_pool(trait=1, advantages=advantages, disadvantages=disadvantages)


def engagement(result: Result) -> Position | None:
    """The position in which a score opens; None on a critical: past the first obstacle already."""
    match word("result", result, Result):
        case Result.BAD:
            return Position.DESPERATE
        case Result.PARTIAL:
            return Position.RISKY
        case Result.FULL:
            return Position.CONTROLLED
        case Result.CRITICAL:
            return None


def payoff(tier: int, target_tier: int, take: Take, extra: int = 0) -> Payoff:
    """Rep of 2, more by each Tier (0 to 6) that the target is above the crew and less by each below, never below 0; and coin.

    `extra` coin (0 to 100) comes with a major haul only: NotPossible otherwise.
    """
    above = whole("target_tier", target_tier, 0, HIGHEST_TIER) - whole("tier", tier, 0, HIGHEST_TIER)
    haul = word("take", take, Take)
    if whole("extra", extra, 0, MOST_EXTRA_COIN) and haul is not Take.MAJOR:
        message = "Only a major haul is worth more than its usual coin."
        raise NotPossible("extra", extra, allowed="0", message=message)
    return Payoff(max(0, REP + above), COIN[haul] + extra)
