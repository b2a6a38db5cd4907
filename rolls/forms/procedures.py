"""The fields that every procedure's form has besides its own."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy

from campaigns.forms.fields import LineField
from rolls.forms.base import SeedField
from rolls.table_rules import LONGEST_NOTE
from rules.acts import ActKey


class ActKeyField(forms.Field):
    """An act as a button sends it."""

    default_error_messages: ClassVar = dict.fromkeys(("required", "invalid"), gettext_lazy("Choose what to do."))

    def to_python(self, value: Any) -> ActKey | None:
        try:
            return ActKey.parse(str(value)) if value else None
        except ValueError:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None


class OpeningForm(forms.Form):
    """The start of a procedure; `reason` is what it is about."""

    reason = LineField(max_length=LONGEST_NOTE, required=False)
    client_seed = SeedField()


class StepForm(forms.Form):
    """The act that was pressed (`act`); `override` if a GM allows it although a character's state forbids it."""

    act = ActKeyField(required=False)
    override = ActKeyField(required=False)
    client_seed = SeedField()

    def clean(self) -> dict[str, Any]:
        sent = self.cleaned_data
        if "act" in sent and "override" in sent and not (sent["act"] or sent["override"]):
            self.add_error("act", self.fields["act"].error_messages["required"])
        return sent

    @property
    def wanted(self) -> ActKey:
        wanted: ActKey = self.cleaned_data["override"] or self.cleaned_data["act"]
        return wanted


class StepBackForm(forms.Form):
    """`step` is the one that was seen as the newest."""

    step = forms.UUIDField(
        error_messages=dict.fromkeys(("required", "invalid"), gettext_lazy("Reload the page and try again."))
    )
