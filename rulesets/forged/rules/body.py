"""Forged in the Dark: stress, trauma, attributes and the resistance roll (forged.txt, Resistance Roll; public rules)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from languages.text import gettext as _
from rolls.rules.errors import NotPossible, OutOfRange, RuleError, whole, word
from rulesets.forged.rules.roll import HIGHEST_RATING, Outcome, Pool, Result
from rulesets.forged.settings import DEFAULTS, Settings

RESIST_STRESS: Final = 6
CRITICAL_CLEARS: Final = 1
MOST_STRESS_AT_ONCE: Final = 100
ACTIONS_OF_AN_ATTRIBUTE: Final = 4
TRAUMAS: Final = ("cold", "haunted", "obsessed", "paranoid", "reckless", "soft", "unstable", "vicious")


class Attribute(StrEnum):
    """The attribute that a consequence is resisted with; the GM names it (forged.txt, Resistance Roll)."""

    INSIGHT = "insight"  # deception or understanding
    PROWESS = "prowess"  # physical strain or injury
    RESOLVE = "resolve"  # mental strain or willpower


ACTIONS: Final[Mapping[Attribute, tuple[str, ...]]] = MappingProxyType(
    {
        Attribute.INSIGHT: ("hunt", "study", "survey", "tinker"),
        Attribute.PROWESS: ("finesse", "prowl", "skirmish", "wreck"),
        Attribute.RESOLVE: ("attune", "command", "consort", "sway"),
    }
)
"""The four actions of each attribute (public rules)."""

Ratings: TypeAlias = Mapping[str, int]
"""Dots (0 to 4) by the name of the action. An action that is not in it has none."""


@dataclass(frozen=True, slots=True)
class Strain:
    """Stress (0 to boxes - 1 between operations) and traumas after a change, and whether it took the character out or retired
    them."""

    stress: int
    trauma: int
    taken_out: bool = False
    retired: bool = False


def strain(stress: int, trauma: int, change: int, settings: Settings = DEFAULTS) -> Strain:
    """Mark or clear stress. The last box brings a trauma and empties the track; the excess is lost. Stress is never
    below zero.
    """
    whole("stress", stress, 0, settings.boxes - 1)
    whole("trauma", trauma, 0, settings.last_trauma - 1)
    whole("change", change, -MOST_STRESS_AT_ONCE, MOST_STRESS_AT_ONCE)
    after = max(0, stress + change)
    if after < settings.boxes:
        return Strain(after, trauma)
    return Strain(0, trauma + 1, taken_out=True, retired=trauma + 1 >= settings.last_trauma)


def pay(stress: int, trauma: int, cost: int, settings: Settings = DEFAULTS) -> Strain:
    """Mark the `cost` (0 to 100) of a push or an assist before the roll.

    The benefit counts even if the track fills. Raises NotPossible if the campaign decides otherwise.
    """
    paid = strain(stress, trauma, whole("cost", cost, 0, MOST_STRESS_AT_ONCE), settings)
    if paid.taken_out and not settings.filling_stress_counts:
        allowed = f"0 to {settings.boxes - 1 - stress}"
        message = _("That would fill the stress track, which your campaign doesn’t allow here.")
        raise NotPossible("cost", cost, allowed=allowed, message=message)
    return paid


def resist_pool(rating: int) -> Pool:
    """Return the dice of an attribute rating, 0 to 4."""
    return Pool(whole("rating", rating, 0, HIGHEST_RATING))


def resist_cost(outcome: Outcome) -> int:
    """Return the stress that resisting costs, 0 to 5: 6 minus the die; or -1, which clears one, on a critical."""
    return -CRITICAL_CLEARS if outcome.result is Result.CRITICAL else RESIST_STRESS - outcome.value


def attribute(dots: Sequence[int]) -> int:
    """Return how many of an attribute's four actions (0 to 4 dots each) have a dot."""
    if not isinstance(dots, list | tuple) or len(dots) != ACTIONS_OF_AN_ATTRIBUTE:
        raise OutOfRange("actions", dots, ACTIONS_OF_AN_ATTRIBUTE, ACTIONS_OF_AN_ATTRIBUTE)
    return sum(whole("dots", dot, 0, HIGHEST_RATING) > 0 for dot in dots)


def rating_of(which: Attribute, ratings: Ratings) -> int:
    """Return the rating (0 to 4) of an attribute, from the dots of its actions."""
    return attribute([dots_of(action, ratings) for action in ACTIONS[word("attribute", which, Attribute)]])


def dots_of(action: str, ratings: Ratings) -> int:
    """Return the dots (0 to 4) in an action."""
    if not isinstance(ratings, Mapping):
        message = "Ratings are dots by the name of the action."
        raise RuleError("ratings", ratings, allowed="dots by action", message=message)
    return whole(action, ratings.get(action, 0), 0, HIGHEST_RATING)


def lowest_rating(ratings: Ratings) -> int:
    """Return the lowest of the three attribute ratings (0 to 4): what a vice is indulged with (public rules)."""
    return min(rating_of(which, ratings) for which in Attribute)
