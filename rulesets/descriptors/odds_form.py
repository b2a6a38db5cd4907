"""What can be set on the page of odds."""

from __future__ import annotations

from typing import Final

from rolls.forms.odds import NumberField, OddsForm

MOST_DICE: Final = 20


class DescriptorsOdds(OddsForm):
    a = NumberField("Your dice", 0, MOST_DICE, 3)
    b = NumberField("Their dice", 0, MOST_DICE, 2)
