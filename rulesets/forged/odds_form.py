"""What can be set on the page of odds."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms

from rolls.forms.odds import NumberField, OddsForm

FEWEST_DICE, MOST_DICE = -5, 12
MOST_IN_GROUP: Final = 10
LONGEST_GROUP: Final = 60


class PoolsField(forms.CharField):
    """Several pools, such as "2, 1, 3": 1 to 10 of them."""

    def to_python(self, value: Any) -> tuple[int, ...]:  # type: ignore[override]
        words = re.split(r"[,;\s]+", str(value).strip())
        if not all(re.fullmatch(r"[-\N{MINUS SIGN}]?[0-9]{1,3}", word) for word in words):
            raise forms.ValidationError("Type the dice of each who rolls, such as 2, 1, 3.")
        pools = tuple(int(word.replace("\N{MINUS SIGN}", "-")) for word in words)
        if len(pools) > MOST_IN_GROUP or not all(FEWEST_DICE <= dice <= MOST_DICE for dice in pools):
            raise forms.ValidationError(
                f"A group has at most {MOST_IN_GROUP} who roll, with \N{MINUS SIGN}5 to {MOST_DICE} dice each."
            )
        return pools


class ForgedOdds(OddsForm):
    dice = NumberField("Dice", FEWEST_DICE, MOST_DICE, 2)
    pools = PoolsField(
        label="Group", max_length=LONGEST_GROUP, initial="2, 1, 0", help_text="The dice of each who rolls."
    )
    against = NumberField("Against in fortune", FEWEST_DICE, MOST_DICE, 2)
