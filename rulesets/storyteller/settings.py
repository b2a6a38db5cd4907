"""A campaign's decisions about Storyteller rolls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Self, TypeAlias

from pydantic import SkipValidation, model_validator

from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.checked import Checked, Whole, YesNo
from rules.errors import NotPossible

BOTCH_NAMES: Final = 5
LONGEST_NAME: Final = 40
HEALTH_LEVELS: Final = 7
WORST_PENALTY: Final = 10
LOWEST_DIFFICULTY: Final = 2
HIGHEST_DIFFICULTY: Final = 10


Difficulty: TypeAlias = Annotated[int, Whole(LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)]


class Settings(Checked):
    """A campaign's choices, with our defaults where storyteller.txt is silent or says "may".

    `willpower_prevents_botch`: a point spent counts even when the dice alone would botch; off, a botch swallows it.
    `botch_cancellation`: a mastered Ability takes 1s out of a botch by itself (it never hurts). `tens_count_twice`: a ten
    that is not cancelled is two successes (the specialty rule of other editions). `botch_names`: five, for a severity of 1,
    2, …; the last one is used for all above (the table in the text is empty). `wound_penalties`: dice that an action loses
    at each of the seven health levels, the lightest first (the text names none). `attack_difficulty`, `damage_difficulty`,
    `soak_difficulty`: the difficulties of attacks and defences, damage and soak. `successes_add_damage`: each success of an
    attack beyond the first is another die of damage. `damage_botches`: damage and soak botch like other rolls; off, they
    only fail. `aggravated_needs_fortitude`: Stamina soaks no aggravated damage, for anyone. `armour_against_aggravated`:
    armour soaks that as well. `mortals_soak_lethal`: Stamina also soaks lethal damage for mortals. `vampires_halve_bashing`:
    after soak a vampire takes half, rounded down. `full_track_worsens`: on a full track damage makes the marked levels
    worse; off, it is lost. `incapacitated_may_act`: a character with every health level marked may still act (the text names
    no states of health). `automatic_success`: players may skip the dice for a large enough pool; off, the GM allows it.
    """

    willpower_prevents_botch: YesNo = True
    botch_cancellation: YesNo = True
    tens_count_twice: YesNo = False
    botch_names: tuple[SkipValidation[str], ...] = ("minor", "serious", "major", "disastrous", "catastrophic")
    wound_penalties: tuple[Annotated[int, Whole(0, WORST_PENALTY)], ...] = (0, 1, 1, 2, 2, 5, 5)
    automatic_success: YesNo = False
    incapacitated_may_act: YesNo = False
    attack_difficulty: Difficulty = 6
    damage_difficulty: Difficulty = 6
    soak_difficulty: Difficulty = 6
    successes_add_damage: YesNo = True
    damage_botches: YesNo = False
    aggravated_needs_fortitude: YesNo = True
    armour_against_aggravated: YesNo = False
    mortals_soak_lethal: YesNo = False
    vampires_halve_bashing: YesNo = True
    full_track_worsens: YesNo = True

    @model_validator(mode="after")
    def _name_and_count_every_level(self) -> Self:
        names = self.botch_names
        if len(names) != BOTCH_NAMES or not all(
            isinstance(name, str) and 0 < len(name) <= LONGEST_NAME for name in names
        ):
            message = _("Enter {count} names of up to {most} characters each.").format(
                count=BOTCH_NAMES, most=LONGEST_NAME
            )
            raise NotPossible("botch_names", None, allowed=f"{BOTCH_NAMES} names", message=message)
        if len(self.wound_penalties) != HEALTH_LEVELS:
            message = _("Enter {count} numbers, one for each health level.").format(count=HEALTH_LEVELS)
            raise NotPossible("wound_penalties", None, allowed=f"{HEALTH_LEVELS} numbers", message=message)
        return self


DEFAULTS: Final = Settings()

WORDS: Final[Mapping[str, str]] = {
    "willpower_prevents_botch": gettext_lazy("A Willpower point prevents a botch"),
    "botch_cancellation": gettext_lazy("Abilities of 5 and 6 remove 1s from a botch"),
    "tens_count_twice": gettext_lazy("A 10 counts as two successes"),
    "botch_names": gettext_lazy("Botch names, for one to five 1s"),
    "wound_penalties": gettext_lazy("Wound penalty of each health level, from Bruised to Incapacitated"),
    "incapacitated_may_act": gettext_lazy("Incapacitated characters can act"),
    "automatic_success": gettext_lazy("Players can take an automatic success when their pool is large enough"),
    "attack_difficulty": gettext_lazy("Difficulty of attacks and defences"),
    "damage_difficulty": gettext_lazy("Difficulty of damage rolls"),
    "soak_difficulty": gettext_lazy("Difficulty of soak rolls"),
    "successes_add_damage": gettext_lazy("Attack successes beyond the first add damage dice"),
    "damage_botches": gettext_lazy("Damage and soak can botch"),
    "aggravated_needs_fortitude": gettext_lazy("Only Fortitude soaks aggravated damage"),
    "armour_against_aggravated": gettext_lazy("Armour soaks aggravated damage"),
    "mortals_soak_lethal": gettext_lazy("Mortals soak lethal damage with Stamina"),
    "vampires_halve_bashing": gettext_lazy("Vampires halve bashing damage after soak"),
    "full_track_worsens": gettext_lazy("Damage on a full health track worsens marked levels"),
}
"""The labels of the settings."""

HELP: Final[Mapping[str, str]] = {
    "wound_penalties": gettext_lazy("Seven numbers. Use all zeros for no wound penalties."),
    "incapacitated_may_act": gettext_lazy("Off: only when the GM allows it, roll by roll."),
    "automatic_success": gettext_lazy("Off: only when the GM allows it."),
    "damage_botches": gettext_lazy("Off: they only fail."),
    "mortals_soak_lethal": gettext_lazy("Off: mortals soak only bashing damage. Armour counts either way."),
    "vampires_halve_bashing": gettext_lazy("Rounded down."),
    "full_track_worsens": gettext_lazy(
        "Bashing becomes lethal; aggravated damage makes the lightest level aggravated."
    ),
}
"""The help texts of the settings."""
