"""The GM's request for a roll: whom it asks, and who sees it. The roll itself is filled in as in its system's roll form."""

from __future__ import annotations

from django import forms

from campaigns.forms.fields import LineField
from rolls.forms.base import RollForm
from rolls.models import Audience
from rolls.services.requests import Call


class CallForm(forms.Form):
    """A roll that the GM calls for: of one member (their number), or of every player."""

    member = forms.IntegerField(required=False)
    reason = LineField(max_length=200, required=False)
    audience = forms.ChoiceField(choices=Audience.choices, required=False)

    def call(self, roll: RollForm) -> Call:
        """Both forms are valid."""
        return Call(roll.ask(), reason=self.cleaned_data["reason"].strip())
