"""The filters of the statistics. Their choices are those of the rolls that the viewer may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.fields import QuickSelect

LABELS = {
    "player": gettext_lazy("Player"),
    "character": gettext_lazy("Character"),
    "trait": gettext_lazy("Trait"),
    "system": gettext_lazy("Rules"),
    "session": gettext_lazy("Session"),
}


class StatisticsForm(forms.Form):
    """Every field may stay empty."""

    def __init__(self, choices: Mapping[str, Mapping[str, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in LABELS.items():
            offered = [("", _("All")), *choices[name].items()]
            field = forms.ChoiceField(label=label, required=False, choices=offered, widget=QuickSelect)
            field.error_messages["invalid_choice"] = _("No rolls match. Choose from the list.")
            self.fields[name] = field
