"""Forged in the Dark: stress, what keeps a scoundrel from acting, attributes and the resistance roll (forged.txt, Consequences,
Resistance Roll; public rules, Stress and Trauma)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.errors import Block, NotPossible, whole
from rulesets.forged.rules.roll import HIGHEST_RATING, Outcome, Pool, Result
from rulesets.forged.settings import DEFAULTS, Settings

RESIST_STRESS: Final = 6
CRITICAL_CLEARS: Final = 1
FULL_STRESS: Final = Block("full_stress", gettext_lazy("with full stress"))
SEVERE_HARM: Final = Block("severe_harm", gettext_lazy("despite severe harm"))


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


def check_payment(stress: int, cost: int, settings: Settings = DEFAULTS) -> None:
    """Raise NotPossible where the `cost` of a push or an assist would fill the stress track and the campaign does not allow that.

    Otherwise its benefit counts even if the track fills; the excess is lost.
    """
    left = settings.boxes - 1 - stress
    if cost > max(0, left) and not settings.filling_stress_counts:
        message = _("That would fill the stress track, which your campaign doesn’t allow here.")
        raise NotPossible("cost", cost, allowed=f"0 to {max(0, left)}", message=message)


def resist_pool(rating: int) -> Pool:
    """Return the dice of an attribute rating, 0 to 4."""
    return Pool(whole("rating", rating, 0, HIGHEST_RATING))


def resist_cost(outcome: Outcome) -> int:
    """Return the stress that resisting costs, 0 to 5: 6 minus the die; or -1, which clears one, on a critical."""
    return -CRITICAL_CLEARS if outcome.result is Result.CRITICAL else RESIST_STRESS - outcome.value


def lowest_rating(dots: Mapping[str, int]) -> int:
    """Return the lowest of the three attribute ratings, by the dots in actions: what a vice is indulged with (public rules)."""
    return min(sum(dots.get(action, 0) > 0 for action in actions) for actions in ACTIONS.values())


def full_words(name: str) -> str:
    return _("{name}’s stress track is full. Choose a trauma first.").format(name=name)


def severe_words(name: str) -> str:
    return _("Severe harm: to act, {name} needs help, or a push for 2 stress.").format(name=name)
