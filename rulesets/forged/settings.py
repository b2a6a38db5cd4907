"""The settings that a campaign may decide about the forged rules, where forged.txt and its public rules are silent or differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from languages.text import gettext_lazy
from rules.checked import Checked, Whole, YesNo

MOST_TICKS_A_LEVEL: Final = 4
MOST_BOXES: Final = 9
MOST_TRAUMAS: Final = 4
"""A sheet has room for no more of either."""


class Settings(Checked):
    """A campaign's choices, with our defaults. Raises OutOfRange or UnknownWord for impossible values.

    `only_gm_sets`: players announce their actions, and the GM sets position and effect; what they roll unasked is risky
    with standard effect. Off, a player may say what they take them for and roll, and it is told as that. `gambits`:
    whether the crew has gambits at all; they come from another game, so they are off. No sheet says so beside.
    `trade_into_zero`: a trade may leave no effect at all; off, that is refused. `trade_beyond_extreme`: a trade may add
    to an extreme effect, for the ticks alone; off, that is refused. `ticks_beyond_extreme`: what each level above
    extreme ticks on top, 0 to 4 (printed nowhere). `boxes` of stress, 1 to 9, and `last_trauma`, the one that retires,
    1 to 4 (public rules). `filling_stress_counts`: a push or an assist that fills the track still gives what was paid
    for; off, it is refused. `xp_rolls_over`: marks beyond a full xp track begin the next one; off, they are lost.
    """

    only_gm_sets: YesNo = True
    gambits: YesNo = False
    trade_into_zero: YesNo = False
    trade_beyond_extreme: YesNo = False
    ticks_beyond_extreme: Annotated[int, Whole(0, MOST_TICKS_A_LEVEL)] = 1
    boxes: Annotated[int, Whole(1, MOST_BOXES)] = 9
    last_trauma: Annotated[int, Whole(1, MOST_TRAUMAS)] = 4
    filling_stress_counts: YesNo = True
    xp_rolls_over: YesNo = True


DEFAULTS: Final = Settings()

WORDS: Final[Mapping[str, str]] = {
    "only_gm_sets": gettext_lazy("Only the GM sets position and effect: players announce their actions"),
    "gambits": gettext_lazy("The crew has gambits"),
    "trade_into_zero": gettext_lazy("A trade may leave no effect"),
    "trade_beyond_extreme": gettext_lazy("A trade may add to an extreme effect"),
    "ticks_beyond_extreme": gettext_lazy("Ticks for each level of effect above extreme"),
    "boxes": gettext_lazy("Stress boxes"),
    "last_trauma": gettext_lazy("Traumas that retire a character"),
    "filling_stress_counts": gettext_lazy("A push or assist that fills the stress track still counts"),
    "xp_rolls_over": gettext_lazy("XP beyond a full track starts the next one"),
}
"""The labels of the settings."""
