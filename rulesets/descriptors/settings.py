"""A campaign's decisions about Descriptors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Self

from pydantic import model_validator

from languages.text import gettext, gettext_lazy
from rules.checked import Checked, Whole, YesNo
from rules.dice import LARGEST_DIE
from rules.errors import NotPossible

LARGEST_TRACK: Final = 100
LARGEST_COUNT: Final = 1_000_000
"""No Power track is longer than the first, no Will or XP higher than the second: bounds for sanity, not rules."""

COUNTED_SIDES: Final = 10
"""The dice whose faces can be counted beside the roll (scale.txt, Scale Procedure, names the faces of a d10)."""


class Settings(Checked):
    """Holds what a campaign may decide, with our defaults where descriptors.txt is silent or calls its own number a first try.

    `start_will` (1 and up), `sides` of every die (2 to 100) and `boxes` of a new Power track (1 to 100;
    the text names no length).
    `fewest_dice`: 0 lets a side stand there without dice, and lose to any die by size; 1 refuses such a roll.
    `once_per_roll`: a Descriptor serves one pool of a roll, once.
    `gains_pay`: what a roll gives may pay for the same roll; off, only what was there before can be spent.
    `last_point_rolls`: the roll paid with the last Will is made, and its payer leaves after it; off, that point stays unspent.
    `injury_instead_of_bump`: an Injury may also replace a box that was crossed already, which makes the bump avoidable.
    `excess_may_be_injury`: more successes than boxes hit the last box, and an Injury may replace that one too.
    `full_track_puts_out`: a hit that finds no free box puts its victim out of the scene, besides the Injury.
    `recovery_pays_bearer`: an Injury that withstands a recovery roll gives its bearer 1 Will.
    `both_refreshed`: a Refreshment Scene restores both characters in it; off, only the one who called for it.
    `temporary_may_stay_for_good`: the GM may turn a stuck Descriptor into a permanent one (the text wants a rule and has none).
    `gm_confirms_xp`: XP that a player claims count once the GM has confirmed them.
    `levels_once_per_scene`: each level of a Key counts once in a scene.
    `npc_will_may_be_unlimited`: the GM may mark an NPC's Will as one that never ends; off, the mark counts for nothing.
    `advances_change_temporary`: Advances may raise or lower Injuries and Scene Descriptors.
    `moves_scale`: what counts the dice of action rolls counts those of opposed rolls too; it knows ten-sided dice alone.
    """

    start_will: Annotated[int, Whole(1, LARGEST_COUNT)] = 9
    sides: Annotated[int, Whole(2, LARGEST_DIE)] = 10
    boxes: Annotated[int, Whole(1, LARGEST_TRACK)] = 6
    fewest_dice: Annotated[int, Whole(0, 1)] = 0
    once_per_roll: YesNo = True
    gains_pay: YesNo = False
    last_point_rolls: YesNo = True
    injury_instead_of_bump: YesNo = False
    excess_may_be_injury: YesNo = True
    full_track_puts_out: YesNo = True
    recovery_pays_bearer: YesNo = False
    both_refreshed: YesNo = True
    temporary_may_stay_for_good: YesNo = False
    gm_confirms_xp: YesNo = True
    levels_once_per_scene: YesNo = True
    advances_change_temporary: YesNo = False
    npc_will_may_be_unlimited: YesNo = True
    moves_scale: YesNo = False

    @model_validator(mode="after")
    def _count_what_can_be_counted(self) -> Self:
        if self.moves_scale and self.sides != COUNTED_SIDES:
            message = gettext("The Scale only counts ten-sided dice. Turn this off, or play with ten-sided dice.")
            raise NotPossible("moves_scale", True, allowed="ten-sided dice", message=message)
        return self


DEFAULTS: Final = Settings()

WORDS: Final[Mapping[str, str]] = {
    "start_will": gettext_lazy("Will at the start, and after a Refreshment Scene"),
    "sides": gettext_lazy("Sides of every die"),
    "boxes": gettext_lazy("Boxes of a new Power track"),
    "fewest_dice": gettext_lazy("Fewest dice a side may roll"),
    "once_per_roll": gettext_lazy("A Descriptor counts once in a roll, for one side"),
    "gains_pay": gettext_lazy("Will gained by a roll may pay for that same roll"),
    "last_point_rolls": gettext_lazy("The roll paid with the last Will still happens"),
    "injury_instead_of_bump": gettext_lazy("An Injury may also replace a box that’s already crossed off"),
    "excess_may_be_injury": gettext_lazy("More successes than boxes may be an Injury instead"),
    "full_track_puts_out": gettext_lazy("A hit with no free box left puts its victim out of the scene"),
    "recovery_pays_bearer": gettext_lazy("A failed recovery roll gives the Injury’s bearer 1 Will"),
    "both_refreshed": gettext_lazy("A Refreshment Scene restores both characters"),
    "temporary_may_stay_for_good": gettext_lazy("The GM may make a stuck Descriptor permanent"),
    "gm_confirms_xp": gettext_lazy("XP counts once the GM has confirmed it"),
    "levels_once_per_scene": gettext_lazy("Each level of a Key counts once per scene"),
    "advances_change_temporary": gettext_lazy("Advances may change Injuries and Scene Descriptors"),
    "npc_will_may_be_unlimited": gettext_lazy("The GM may give an NPC unlimited Will"),
    "moves_scale": gettext_lazy("Opposed rolls move the Scale"),
}
"""The labels of the settings."""

HELP: Final[Mapping[str, str]] = {
    "fewest_dice": gettext_lazy("At 0 a side may roll no dice; it then loses to any die."),
    "npc_will_may_be_unlimited": gettext_lazy("The GM sets this on the NPC’s sheet, where no one else sees it."),
    "moves_scale": gettext_lazy(
        "The roller’s dice move the Scale and can trigger Burns. If two player characters share a Scale, both pools count. "
        "Ten-sided dice only."
    ),
}
"""The help texts of the settings."""
