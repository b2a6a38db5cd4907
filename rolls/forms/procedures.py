"""What the forms of every procedure have beside their own fields."""

from __future__ import annotations

import re
from typing import Final

from django import forms

from campaigns.forms.text import LineField
from rolls.forms.fields import SeedField
from rolls.rules.procedures import ANYWAY
from rolls.table_rules import LONGEST_NOTE

WHOM: Final = re.compile("[a-z0-9._-]{0,80}")
"""Somebody in a state, or nobody."""


class OpeningForm(forms.Form):
    """`reason` is what it is about."""

    reason = LineField(max_length=LONGEST_NOTE, required=False)
    client_seed = SeedField()


class StepForm(forms.Form):
    """`act` is the name of one, and whom it is for: "done", "done:3"; "done:3!" where a GM overrides. `expected` is the version
    that was seen."""

    act = forms.RegexField("^[a-z_]{1,20}(:[a-z0-9._-]{1,80})?!?$", error_messages={"invalid": "Choose what to do."})
    expected = forms.IntegerField(min_value=1, error_messages={"invalid": "Reload the page and try again."})
    client_seed = SeedField()

    @property
    def step(self) -> tuple[str, str]:
        name, _, whom = self.cleaned_data["act"].removesuffix(ANYWAY).partition(":")
        return name, whom

    @property
    def override(self) -> bool:
        """Whether a GM allows what somebody's state forbids."""
        return bool(self.cleaned_data["act"].endswith(ANYWAY))


class VersionForm(forms.Form):
    expected = forms.IntegerField(min_value=1, error_messages={"invalid": "Reload the page and try again."})
