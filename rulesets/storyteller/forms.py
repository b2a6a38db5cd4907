"""The roll form of Storyteller, and its correction."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from languages.text import gettext_lazy
from rolls.forms.base import CorrectionForm, RollForm, WholeNumber
from rolls.settings import roll_settings
from rulesets.storyteller.rules.roll import Kind, difficulties
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Settings
from rulesets.storyteller.table import turns
from rulesets.storyteller.table.ask import KIND_WORDS, NAME, StorytellerInput, quick_pool

STANDARD = 6
TO_BE_SET = 0
"""The difficulty of a roll that is announced: the GM sets it, so there are no odds yet."""


class DifficultyField(WholeNumber):
    """2 to 10; left empty it is the standard 6 (storyteller.txt, Success and Failure)."""

    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Difficulty"), LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD, widget=forms.Select
        )
        self.widget.choices = difficulties


MODIFIERS = (-20, 20)
KINDS = [(kind.value, KIND_WORDS[kind]) for kind in Kind]
# Before the roll an action is what its traits make it; the GM who corrects one has the last word.
ASKED_KINDS = [(Kind.ACTION.value, gettext_lazy("Automatic (usually an action)")), *KINDS[1:]]


class StorytellerForm(RollForm):
    """`pool` is a number of dice, or traits joined by plus signs."""

    roll_input = StorytellerInput

    pool = LineField(max_length=120, required=False)
    difficulty = DifficultyField()
    modifier = WholeNumber(None, *MODIFIERS, words=gettext_lazy("Modifier: type a whole number from −20 to 20."))
    kind = forms.ChoiceField(choices=KINDS, required=False)
    willpower = forms.BooleanField(required=False)
    automatic = forms.BooleanField(required=False)
    unhurt = forms.BooleanField(required=False)

    def given(self) -> dict[str, Any]:
        given, pool = super().given(), self.cleaned_data["pool"].strip()
        if self.cleaned_data["announce"]:
            given["difficulty"] = TO_BE_SET
        if pool.isdecimal():
            return given | {"dice": int(pool[:9])}
        return given | {"traits": tuple(pool.split("+")) if pool else ()}

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the context of the form: the dice of a quick NPC, Willpower points left (None without a Storyteller
        character), whether the viewer lets large pools through, and announces rolls whose difficulty the GM sets.
        """
        return {
            "kinds": [(kind, str(words)) for kind, words in ASKED_KINDS],
            "faces": "7 1 1 3 2",
            "pool": quick_pool(hand["character"]) if hand and viewer.is_gm else 0,
            "willpower": hand["character"].number("willpower_now") if hand and hand["system"] == NAME else None,
            "difficulty": STANDARD,
            "difficulties": difficulties(),
            "announces": not viewer.is_gm,
            "automatic": viewer.is_gm or roll_settings(viewer.campaign).of(Settings).automatic_success,
        }

    @classmethod
    def spent(cls, viewer: Viewer, character: Character) -> dict[str, str]:
        """Return why the point of Willpower of this turn is not there any more, if it has been spent."""
        why = turns.spent(viewer, character)
        return {"willpower": why} if why else {}


class StorytellerCorrection(CorrectionForm):
    difficulty = DifficultyField()
    kind = forms.ChoiceField(label=gettext_lazy("Roll type"), choices=KINDS)
    ability = forms.IntegerField(label=gettext_lazy("Ability"), min_value=0, max_value=10, required=False)
