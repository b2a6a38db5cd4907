"""Forged in the Dark: a score from the engagement roll, which the crew makes at the table, to the payoff (public rules).

What it leaves behind with the law, and what comes after it, is in downtime.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from languages.text import gettext as _
from rules.errors import NotPossible, whole, word
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.roll import Result
from rulesets.forged.settings import MOST_BOXES

HIGHEST_TIER: Final = 6
REP: Final = 2
MOST_EXTRA_COIN: Final = 100


class Load(StrEnum):
    """The load that a character has chosen to carry on the score."""

    LIGHT = "light"
    NORMAL = "normal"
    HEAVY = "heavy"
    ENCUMBERED = "encumbered"


MOST_ITEMS: Final[Mapping[Load, int]] = MappingProxyType(
    {Load.LIGHT: 3, Load.NORMAL: 5, Load.HEAVY: 6, Load.ENCUMBERED: 9}
)


class Flashback(StrEnum):
    """The weight of what a flashback asks of the past."""

    ORDINARY = "ordinary"  # something for which there was every occasion
    COMPLEX = "complex"  # something unlikely
    ELABORATE = "elaborate"  # something that took occasions and luck


FLASHBACK_STRESS: Final[Mapping[Flashback, int]] = MappingProxyType(
    {Flashback.ORDINARY: 0, Flashback.COMPLEX: 1, Flashback.ELABORATE: 2}
)

MOST_EXTRA_STRESS: Final = MOST_BOXES - FLASHBACK_STRESS[Flashback.ELABORATE]
"""More than the whole stress track makes no difference."""


class Take(StrEnum):
    """The size of the haul."""

    MINOR = "minor"
    SMALL = "small"
    STANDARD = "standard"
    BIG = "big"
    MAJOR = "major"


COIN: Final[Mapping[Take, int]] = MappingProxyType(
    {Take.MINOR: 2, Take.SMALL: 4, Take.STANDARD: 6, Take.BIG: 8, Take.MAJOR: 10}
)
"""The coin for each size of take; a major one may be worth more."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """The gains of a score: `rep` is 0 to 8, `coin` 2 and more."""

    rep: int
    coin: int


def engagement(result: Result) -> Position | None:
    """Return the position in which a score opens; None on a critical: past the first obstacle already."""
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
    """Return what a score earns: rep of 2, more for each Tier (0 to 6) of the target above the crew's and less for each
    below, never below 0; and coin.

    `extra` coin (0 to 100) needs a major haul. Raises NotPossible otherwise.
    """
    above = whole("target_tier", target_tier, 0, HIGHEST_TIER) - whole("tier", tier, 0, HIGHEST_TIER)
    haul = word("take", take, Take)
    if whole("extra", extra, 0, MOST_EXTRA_COIN) and haul is not Take.MAJOR:
        message = _("Only a major haul can bring extra coin.")
        raise NotPossible("extra", extra, allowed="0", message=message)
    return Payoff(max(0, REP + above), COIN[haul] + extra)


FACTORS: Final[Mapping[str, int]] = {
    "bold": 1,
    "weak_spot": 1,
    "friends": 1,
    "smaller": 1,
    "for_it": 1,
    "complex": -1,
    "strong_spot": -1,
    "rivals": -1,
    "larger": -1,
    "against_it": -1,
}
"""Major advantages and disadvantages (public rules, Engagement Roll); the last of each is "anything else"."""
OPPOSITES: Final[Mapping[str, str]] = {
    "bold": "complex",
    "weak_spot": "strong_spot",
    "smaller": "larger",
    "complex": "bold",
    "strong_spot": "weak_spot",
    "larger": "smaller",
}
"""Pairs of which only one can hold."""
