"""The GM's call for a roll."""

from __future__ import annotations

from django import forms

from campaigns.forms.text import LineField
from rolls.forms.fields import DifficultyField
from rolls.forms.storyteller import KINDS
from rolls.models import Audience
from rolls.rules.storyteller import Kind
from rolls.services.requests import Call


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
