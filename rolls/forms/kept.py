"""What a saved roll is called."""

from __future__ import annotations

from django import forms

from campaigns.forms.fields import LineField
from rolls.models import SavedRoll


class KeptForm(forms.Form):
    called = LineField(label="Name", max_length=SavedRoll.LONGEST_NAME, error_messages={"required": "Give it a name."})
