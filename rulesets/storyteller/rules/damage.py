"""Damage, soak and health levels. storyteller.txt has none of them: the figures are those in common use, each a setting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from languages.text import pgettext_lazy
from rules.dice import LARGEST_POOL
from rules.errors import whole
from rulesets.storyteller.settings import HEALTH_LEVELS, Settings

MOST_DAMAGE_DICE: Final = 30
"""The most damage dice of a weapon or another source of harm."""
FEWEST_DAMAGE_DICE: Final = 1
"""A hit always has at least this chance to hurt."""


class Harm(StrEnum):
    BASHING = "bashing"
    LETHAL = "lethal"
    AGGRAVATED = "aggravated"


HARM_WORDS: Final = {
    Harm.BASHING: pgettext_lazy("a type of damage", "bashing"),
    Harm.LETHAL: pgettext_lazy("a type of damage", "lethal"),
    Harm.AGGRAVATED: pgettext_lazy("a type of damage", "aggravated"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What a body soaks with: dots of each trait, and whether it is a mortal."""

    stamina: int = 0
    fortitude: int = 0
    armour: int = 0
    mortal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Health levels that are marked, 0 to 7 in all."""

    bashing: int = 0
    lethal: int = 0
    aggravated: int = 0

    @property
    def marked(self) -> int:
        return self.bashing + self.lethal + self.aggravated


def damage_dice(dice: int, over: int, settings: Settings) -> int:
    """Return the dice of what has hit by `over` successes (1 or more): those of the blow, and one for each success beyond the
    first."""
    more = whole("over", over, 1, LARGEST_POOL) - 1 if settings.successes_add_damage else 0
    return min(LARGEST_POOL, max(FEWEST_DAMAGE_DICE, dice + more))


def soak_dice(body: Body, harm: Harm, settings: Settings) -> int:
    """Return Stamina, Fortitude and armour; Fortitude alone against aggravated harm; of mortals Stamina against bashing alone."""
    stamina, armour = body.stamina, body.armour
    if body.mortal and (harm is Harm.AGGRAVATED or (harm is Harm.LETHAL and not settings.mortals_soak_lethal)):
        stamina = 0
    if harm is Harm.AGGRAVATED:
        stamina = 0 if settings.aggravated_needs_fortitude else stamina
        armour = armour if settings.armour_against_aggravated else 0
    return stamina + body.fortitude + armour


def levels(damage: int, soaked: int, harm: Harm, settings: Settings, *, mortal: bool) -> int:
    """Return the health levels that are left of so many successes of damage; of bashing a vampire takes half, rounded down."""
    left = max(0, damage - soaked)
    return left // 2 if harm is Harm.BASHING and not mortal and settings.vampires_halve_bashing else left


def hurt(health: Health, harm: Harm, count: int, settings: Settings) -> tuple[Health, int]:
    """Return health with so many levels more marked, and how many found no place.

    On a full track a further level makes a lighter one worse: bashing becomes lethal, and by aggravated harm the lightest becomes
    aggravated.
    """
    free = min(count, HEALTH_LEVELS - health.marked)
    after, beyond = _more(health, harm, free), count - free
    while beyond and settings.full_track_worsens and (worse := _worsened(after, harm)):
        after, beyond = worse, beyond - 1
    return after, beyond


def _more(health: Health, harm: Harm, by: int) -> Health:
    return replace(health, **{harm.value: getattr(health, harm.value) + by})


def _worsened(health: Health, harm: Harm) -> Health | None:
    if health.bashing:
        worse = Harm.AGGRAVATED if harm is Harm.AGGRAVATED else Harm.LETHAL
        return _more(_more(health, Harm.BASHING, -1), worse, 1)
    if health.lethal and harm is Harm.AGGRAVATED:
        return _more(_more(health, Harm.LETHAL, -1), harm, 1)
    return None
