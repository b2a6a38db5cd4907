"""The form for the name of a saved roll."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from campaigns.forms.fields import LineField
from rolls.models import SavedRoll


class KeptForm(forms.Form):
    called = LineField(
        label=gettext_lazy("Name"),
        max_length=SavedRoll.LONGEST_NAME,
        error_messages={"required": gettext_lazy("Enter a name.")},
    )
