"""The form of a new campaign."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from campaigns.forms.campaigns import CampaignForm
from rolls.queries.tonight import evenings


class FoundingForm(CampaignForm):
    """`tonight` is the ruleset whose first evening is played, "" for an empty table; it is drawn beside the rules, and counts
    if these are chosen. What is left blank of the name and the description is then that of the evening.
    """

    expected: Any = None  # there is no version yet
    tonight = forms.MultipleChoiceField(
        required=False, choices=lambda: [(system, evening["name"]) for system, evening in evenings().items()]
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.evenings = evenings()

    def visible_fields(self) -> list[BoundField]:
        return [field for field in super().visible_fields() if field.name != "tonight"]

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        chosen = [system for system in given.get("tonight", ()) if system in given.get("systems", ())]
        given["tonight"] = next(iter(chosen), "")
        if len(chosen) > 1:
            self.add_error("systems", _("Only one game can be played tonight. Untick the others."))
        if chosen:
            evening = self.evenings[chosen[0]]
            given["pitch"] = given.get("pitch") or evening["pitch"]
            if self.has_error("name", "required"):
                del self.errors["name"]
                given["name"] = evening["name"]
        return given
