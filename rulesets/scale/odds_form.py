"""What can be set on the page of odds of the Scale."""

from __future__ import annotations

from typing import Final

from django import forms

from rolls.forms.odds import NumberField, OddsForm
from rulesets.scale.rules.scale import MAJOR_AT, BurnKind

LOWEST_DIFFICULTY, STANDARD, HIGHEST_DIFFICULTY = 2, 6, 10
MOST_DICE: Final = 20


class ScaleOdds(OddsForm):
    scale = NumberField("Scale", 1 - MAJOR_AT, MAJOR_AT - 1, 0)
    banked = forms.ChoiceField(
        label="In the bank",
        choices=[("", "nothing"), *((kind.value, kind.value.capitalize()) for kind in BurnKind)],
        required=False,
        error_messages={"invalid_choice": "In the bank: choose nothing, Grace or Trouble."},
    )
    dice = NumberField("Dice", 1, MOST_DICE, 5)
    difficulty = NumberField("Difficulty", LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)
