"""What can be set on the page of odds."""

from __future__ import annotations

from typing import Final

from django import forms

from rolls.forms.odds import NumberField, OddsForm
from rulesets.storyteller.difficulty import STANDARD
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY

MOST_DICE: Final = 20


class StorytellerOdds(OddsForm):
    dice = NumberField("Dice", 1, MOST_DICE, 5)
    difficulty = NumberField("Difficulty", LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)
    ability = NumberField("Ability", 0, 10, 0, "From 5 on it saves from botches.")
    willpower = forms.BooleanField(label="A Willpower point", required=False)
