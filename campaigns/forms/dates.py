"""Forms for the dates of sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Answer
from campaigns.services.dates import TIMES
from people.models import validate_time_zone, zone_of

FIELDS = 4
"""Dates that the page takes at once."""


class SeveralField(forms.MultipleChoiceField):
    """Several texts under one name, without those that are empty."""

    def to_python(self, value: Any) -> list[str]:
        return [text for text in super().to_python(value) if text.strip()]

    def valid_value(self, value: str) -> bool:
        return True


class ProposalForm(forms.Form):
    """Dates to propose, in `zone`, by default that of the one who proposes."""

    at = SeveralField(
        label=gettext_lazy("Date and time"),
        error_messages={"required": gettext_lazy("Enter at least one date and time.")},
    )
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Length"),
        coerce=int,
        required=False,
        empty_value=180,  # type: ignore[arg-type]  # what `coerce` makes
        initial=180,
        choices=[
            (120, gettext_lazy("2 hours")),
            (180, gettext_lazy("3 hours")),
            (240, gettext_lazy("4 hours")),
            (300, gettext_lazy("5 hours")),
            (480, gettext_lazy("8 hours")),
        ],
    )
    weeks = forms.TypedChoiceField(
        label=gettext_lazy("Repeat"),
        coerce=int,
        required=False,
        empty_value=0,  # type: ignore[arg-type]  # what `coerce` makes
        choices=[
            (0, gettext_lazy("No")),
            (1, gettext_lazy("Every week")),
            (2, gettext_lazy("Every second week")),
            (4, gettext_lazy("Every fourth week")),
        ],
    )
    times = forms.IntegerField(
        label=gettext_lazy("How many, if it repeats"), required=False, min_value=1, max_value=TIMES, initial=6
    )
    at_once = forms.BooleanField(
        label=gettext_lazy("Set them without asking"),
        required=False,
    )
    zone = forms.CharField(label=gettext_lazy("Time zone"), required=False, max_length=60)

    def __init__(self, data: Any = None, *, zone: str) -> None:
        super().__init__(data)
        self.own_zone = zone

    def clean_zone(self) -> str:
        zone = str(self.cleaned_data["zone"] or self.own_zone)
        validate_time_zone(zone)
        return zone

    def clean_times(self) -> int:
        return int(self.cleaned_data["times"] or 1)

    def clean(self) -> None:
        """Read the times of `at` in `zone`."""
        try:
            with timezone.override(zone_of(self.cleaned_data.get("zone", "UTC"))):
                self.cleaned_data["at"] = [_moment(text) for text in self.cleaned_data.get("at", ())]
        except ValidationError as error:
            self.add_error("at", error)

    @property
    def proposal(self) -> dict[str, Any]:
        """Return what dates are proposed with."""
        return {("starts" if name == "at" else name): given for name, given in self.cleaned_data.items()}


def _moment(text: str) -> datetime:
    message = _("Enter a date and time, such as 2030-01-31T19:30.")
    read = forms.DateTimeField(error_messages={"invalid": message}).clean(text)
    assert isinstance(read, datetime)  # noqa: S101  # for mypy
    return read


class AnswerForm(forms.Form):
    """Whether one can come."""

    answer = forms.TypedChoiceField(
        label=gettext_lazy("Answer"),
        coerce=Answer,
        choices=Answer.choices,
        error_messages={"invalid_choice": gettext_lazy("Answer yes, maybe or no.")},
    )
