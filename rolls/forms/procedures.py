"""What the forms of every procedure have beside their own fields."""

from __future__ import annotations

import re
from typing import Final

from django import forms

from campaigns.forms.text import LineField
from rolls.forms.fields import SeedField
from rolls.rules.procedures import ANYWAY, MARK
from rolls.table_rules import LONGEST_NOTE

WHOM: Final = re.compile("[a-z0-9._-]{0,80}")
"""Somebody in a state, or nobody."""


class OpeningForm(forms.Form):
    """`reason` is what it is about."""

    reason = LineField(max_length=LONGEST_NOTE, required=False)
    client_seed = SeedField()


class StepForm(forms.Form):
    """`act` is an offer as its button sends it (AvailableAct.sent), with "!" behind it where a GM overrides."""

    act = forms.RegexField(
        rf"^[a-z_]{{1,20}}(:[a-z0-9._-]{{1,80}})?(~[0-9a-f]{{{MARK}}})?{ANYWAY}?$",
        error_messages={"required": "Choose what to do.", "invalid": "Choose what to do."},
    )
    client_seed = SeedField()

    @property
    def offer(self) -> tuple[str, str, str]:
        """The name of the act, whom it is for, and the mark of the terms that were seen."""
        sent, _, mark = self.cleaned_data["act"].removesuffix(ANYWAY).partition("~")
        name, _, whom = sent.partition(":")
        return name, whom, mark

    @property
    def override(self) -> bool:
        """Whether a GM allows what somebody's state forbids."""
        return bool(self.cleaned_data["act"].endswith(ANYWAY))


class StepBackForm(forms.Form):
    """`step` is the one that was seen as the newest."""

    step = forms.UUIDField(
        error_messages={"required": "Reload the page and try again.", "invalid": "Reload the page and try again."}
    )
