"""The read: what an action roll gives the Scale, face by face (scale.txt, Scale Procedure).

It looks at the same dice a second time, after the rules of the roll have settled it. Only faces count, not success: a 3 that
succeeds is -1, a 9 that fails is +1, and a Willpower success is no die and gives nothing (our decision). Skipped are the 1s that
struck out a success; those that a mastered Ability took out of a botch count (our decision).
"""

from __future__ import annotations

from typing import Final

from rolls.rules.tally import Tally
from rulesets.scale.rules.scale import DEFAULTS, Settings

UP_FROM: Final = 8
DOWN_TO: Final = 3
"""Faces from 8 up give +1, faces up to 3 give -1, successes or not."""


def tally(settings: Settings = DEFAULTS) -> Tally:
    """How the Scale counts dice by a campaign's settings."""
    return Tally(UP_FROM, DOWN_TO, skips_cancelling=not settings.cancelled_ones_count)


def feeds(is_action: bool, *, is_npc: bool, settings: Settings = DEFAULTS) -> bool:
    """Return whether a roll with dice moves a Scale (scale.txt, Scale Procedure). One that succeeds without dice never does.

    scale.txt leaves out soak, Willpower, Humanity and initiative; leaving out damage and everything else is our decision.
    """
    return is_action and (settings.npcs_feed or not is_npc)
