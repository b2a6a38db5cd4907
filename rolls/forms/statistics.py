"""The filters of the statistics. What can be chosen is what the rolls that the viewer may see have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from campaigns.forms.fields import QuickSelect

LABELS = {"player": "Player", "character": "Character", "trait": "Trait", "system": "Rules", "session": "Session"}


class StatisticsForm(forms.Form):
    """Every field may stay empty."""

    def __init__(self, choices: Mapping[str, Mapping[str, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in LABELS.items():
            offered = [("", "All"), *choices[name].items()]
            field = forms.ChoiceField(label=label, required=False, choices=offered, widget=QuickSelect)
            field.error_messages["invalid_choice"] = "There are no such rolls. Choose from the list."
            self.fields[name] = field
