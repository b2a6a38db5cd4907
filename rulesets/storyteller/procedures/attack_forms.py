"""The forms of an attack, and the schema of its payload."""

from __future__ import annotations

from typing import Any, Final

from django import forms

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from rolls.forms.fields import UsualNumber, said
from rolls.models import Procedure
from rolls.procedures import NO_CHARACTER, ProcedureForm
from rolls.rules.acts import Target
from rolls.rules.states import restored
from rulesets.storyteller.procedures import attack_words as words
from rulesets.storyteller.procedures import sides
from rulesets.storyteller.rules.attack import Attack
from rulesets.storyteller.rules.contested import LONGEST_NAME
from rulesets.storyteller.rules.damage import MOST_DAMAGE_DICE, Harm
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY
from rulesets.storyteller.table.ask import NAME as SYSTEM

USUAL_SOAK: Final = 2
"""Of who has no sheet: the Stamina of most people."""
MOST_SOAK: Final = 20


class OwnDifficulty(forms.IntegerField):
    """2 to 10; left empty the one that the campaign has set."""

    def __init__(self) -> None:
        words_of = said(f"A difficulty goes from {LOWEST_DIFFICULTY} to {HIGHEST_DIFFICULTY}.")
        super().__init__(
            min_value=LOWEST_DIFFICULTY, max_value=HIGHEST_DIFFICULTY, required=False, error_messages=words_of
        )


class BlowForm(ProcedureForm):
    """What hits, how hard: the GM's to set. `soak` and `mortal` are for a target without a sheet."""

    difficulty = OwnDifficulty()
    dice = UsualNumber("The dice of damage", 0, MOST_DAMAGE_DICE, 0)
    strength = forms.BooleanField(required=False)
    harm = forms.ChoiceField(choices=[(harm.value, harm.value) for harm in Harm], required=False)
    soak = UsualNumber("Soak", 0, MOST_SOAK, USUAL_SOAK)
    mortal = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"harm": [(harm.value, harm.value) for harm in Harm], "is_gm": viewer.is_gm, "now": None}


class SetForm(BlowForm):
    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        return cls.choices(viewer) | {"now": restored(Attack, procedure.state)}


class OpenAttackForm(BlowForm):
    """Who attacks with what, and whom."""

    against_field, own_field = "target", "a_character"

    a_character = forms.UUIDField(required=False)
    a_name = LineField(max_length=LONGEST_NAME, required=False)
    a_pool = LineField(max_length=120, required=False)
    willpower = forms.BooleanField(required=False)
    target = forms.UUIDField(required=False)
    target_name = LineField(max_length=LONGEST_NAME, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        named = [
            (str(character.pk), character.name)
            for character in sides.characters_for(viewer)
            if character.system == SYSTEM
        ]
        against = [
            (str(character.pk), character.name)
            for character in sides.known_to_players(viewer)
            if character.system == SYSTEM
        ]
        nothing = "" if named or viewer.is_gm else NO_CHARACTER
        return super().choices(viewer) | {"characters": named, "targets": against, "nothing": nothing}


class DefendForm(ProcedureForm):
    """How somebody defends, and with what: left empty, with what that takes."""

    how = forms.ChoiceField(choices=[(defence.value, defence.value) for defence in words.DEFENCES])
    pool = LineField(max_length=120, required=False)
    difficulty = OwnDifficulty()
    willpower = forms.BooleanField(required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        state = restored(Attack, procedure.state)
        how = [(defence.value, words.DEFENCES[defence]) for defence in words.DEFENCES]
        return {
            "how": how,
            "has_sheet": state.character is not None,
            "is_gm": viewer.is_gm,
            "difficulty": state.decisions.attack_difficulty,
        }
