"""What is typed into the table page, read into what the services take. The services check it again, under the lock."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django import forms

from campaigns.forms.text import LineField, TextField
from rolls.models import Audience
from rolls.rules import scale, storyteller
from rolls.rules.dice import LARGEST_POOL
from rolls.rules.scale import Effect
from rolls.rules.storyteller import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Kind
from rolls.services.amend import Correction
from rolls.services.ask import LONGEST_NOTE, Ask
from rolls.services.cards import KIND_WORDS
from rolls.services.requests import Call
from rolls.settings import RollSettings, stored

MODIFIERS = (-20, 20)
KINDS = [(kind.value, KIND_WORDS[kind]) for kind in Kind]
STANDARD = 6


def _said(words: str) -> dict[str, str]:
    """The one thing to say, whatever is wrong with a number."""
    return dict.fromkeys(("invalid", "min_value", "max_value"), words)


class DifficultyField(forms.IntegerField):
    """2 to 10; left empty it is the standard 6 (storyteller.txt, Success and Failure)."""

    def __init__(self) -> None:
        words = f"A difficulty goes from {LOWEST_DIFFICULTY} to {HIGHEST_DIFFICULTY}."
        super().__init__(
            min_value=LOWEST_DIFFICULTY, max_value=HIGHEST_DIFFICULTY, required=False, error_messages=_said(words)
        )

    def clean(self, value: Any) -> int:
        cleaned = super().clean(value)
        return STANDARD if cleaned is None else cleaned


class FacesField(forms.CharField):
    """Faces that fell on a real table: "7 1 1 3 2" or "7, 1, 1"; a 0 is a ten, as printed on the die."""

    def clean(self, value: Any) -> list[int] | None:
        words = super().clean(value).replace(",", " ").split()
        if len(words) > LARGEST_POOL:
            raise forms.ValidationError(f"Type at most {LARGEST_POOL} faces.")
        if not all(word.isascii() and word.isdigit() and int(word[:4]) <= 10 for word in words):
            raise forms.ValidationError(
                "Type the faces as numbers from 1 to 10 with blanks between them, such as 7 1 10."
            )
        return [int(word) or 10 for word in words] or None


class RollForm(forms.Form):
    """A Storyteller roll. `pool` is a number of dice, or traits joined by plus signs."""

    character = forms.UUIDField(required=False)
    pool = LineField(max_length=120, required=False)
    difficulty = DifficultyField()
    modifier = forms.IntegerField(
        min_value=MODIFIERS[0],
        max_value=MODIFIERS[1],
        required=False,
        error_messages=_said("A modifier goes from −20 to +20 dice."),
    )
    kind = forms.ChoiceField(choices=KINDS, required=False)
    willpower = forms.BooleanField(required=False)
    automatic = forms.BooleanField(required=False)
    audience = forms.ChoiceField(choices=Audience.choices, required=False)
    faces = FacesField(required=False)
    note = LineField(max_length=LONGEST_NOTE, required=False)
    request = forms.UUIDField(required=False)

    def ask(self) -> Ask:
        """The valid form as the services want it."""
        given = self.cleaned_data
        pool = given["pool"].strip()
        return Ask(
            character=given["character"],
            traits=() if pool.isdecimal() or not pool else tuple(pool.split("+")),
            dice=int(pool[:9]) if pool.isdecimal() else None,
            modifier=given["modifier"] or 0,
            difficulty=given["difficulty"],
            kind=given["kind"] or Kind.ACTION.value,
            willpower=given["willpower"],
            automatic=given["automatic"],
            note=given["note"],
            request=given["request"],
        )

    @property
    def seen_by(self) -> Audience:
        return Audience(self.cleaned_data["audience"] or Audience.TABLE)


class CallForm(forms.Form):
    """A roll that the GM calls for: of one member (their id), or of every player."""

    member = forms.IntegerField(required=False)
    traits = LineField(max_length=120, required=False)
    difficulty = DifficultyField()
    kind = forms.ChoiceField(choices=KINDS, required=False)
    reason = LineField(max_length=200, required=False)
    automatic = forms.BooleanField(required=False)
    audience = forms.ChoiceField(choices=Audience.choices, required=False)

    def call(self) -> Call:
        given = self.cleaned_data
        return Call(
            traits=given["traits"].strip(),
            difficulty=given["difficulty"],
            kind=given["kind"] or Kind.ACTION.value,
            reason=given["reason"].strip(),
            automatic=given["automatic"],
        )


class EffectForm(forms.Form):
    """What a fired Burn does."""

    effect = forms.ChoiceField(choices=[(effect.value, effect.value) for effect in Effect])
    words = TextField(max_length=10_000, required=False)
    npc = forms.UUIDField(required=False)


class WordsForm(forms.Form):
    """A text that must say something: the narration of a Major Burn."""

    text = TextField(max_length=10_000)


class ReasonForm(forms.Form):
    reason = LineField(max_length=LONGEST_NOTE, required=False)


class CorrectionForm(ReasonForm):
    """What may be put right on a roll whose dice have fallen: everything but the dice."""

    difficulty = DifficultyField()
    kind = forms.ChoiceField(choices=KINDS)
    ability = forms.IntegerField(min_value=0, max_value=10, required=False)
    note = LineField(max_length=LONGEST_NOTE, required=False)

    def correction(self) -> Correction:
        given = self.cleaned_data
        return Correction(
            difficulty=given["difficulty"], kind=given["kind"], ability=given["ability"], note=given["note"]
        )


class RulesForm(forms.Form):
    """What a table decides where the rules leave it open; each field is one of RollSettings."""

    shared = forms.BooleanField(
        required=False, label="One Scale for the whole table", help_text="Off: each player character has its own."
    )
    npcs_feed = forms.BooleanField(required=False, label="Action rolls of NPCs move the Scale too")
    cancelled_ones_count = forms.BooleanField(
        required=False,
        label="1s that cancel a success still count −1",
        help_text="The text skips them, which lets the Scale drift upward; with this it does not.",
    )
    players_call_in_trouble = forms.BooleanField(
        required=False, label="Players may call in their banked Trouble themselves"
    )
    staying_is_reaching = forms.BooleanField(required=False, label="Every roll that ends at ±3 or beyond offers a Burn")
    major_clears_bank = forms.BooleanField(required=False, label="A Major Burn takes the banked Burn with it")
    willpower_prevents_botch = forms.BooleanField(required=False, label="A Willpower point keeps a roll from botching")
    botch_cancellation = forms.BooleanField(required=False, label="Abilities of 5 and 6 take 1s out of a botch")
    tens_count_twice = forms.BooleanField(required=False, label="A 10 is two successes")
    automatic_success = forms.BooleanField(
        required=False,
        label="Players may let a large enough pool succeed without dice",
        help_text="Off: only when the GM allows it.",
    )

    @classmethod
    def filled(cls, now: RollSettings) -> dict[str, Any]:
        """The settings as they are, as initial values."""
        plain = stored(now)
        return {**plain["scale"], **plain["storyteller"], "automatic_success": plain["automatic_success"]}

    def settings(self) -> RollSettings:
        given = self.cleaned_data
        of_scale = {f.name: given[f.name] for f in fields(scale.Settings)}
        of_rolls = {f.name: given[f.name] for f in fields(storyteller.Settings) if f.name in given}
        return RollSettings(
            scale=scale.Settings(**of_scale),
            storyteller=storyteller.Settings(**of_rolls),
            automatic_success=given["automatic_success"],
        )
