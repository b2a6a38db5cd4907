"""The form that adds a webhook."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError

from campaigns.forms.fields import LineField
from webhooks.choices import offered
from webhooks.models import Format
from webhooks.sending import Target


class WebhookForm(forms.Form):
    """Where events are sent to, which, and in what form."""

    address = LineField(
        label="Address",
        max_length=2000,
        help_text="Starts with https://. In Discord it is under Edit channel, Integrations, Webhooks.",
        error_messages={"required": "Enter the receiver’s address."},
    )
    format = forms.ChoiceField(
        label="Format",
        choices=Format.choices,
        error_messages=dict.fromkeys(["required", "invalid_choice"], "Choose a format."),
    )
    topics = forms.MultipleChoiceField(
        label="Send",
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: list(offered().items()),
        error_messages={"required": "Choose what to send.", "invalid_choice": "Choose from the list."},
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        try:
            Target.of(address)
        except ValueError:
            raise ValidationError("This is no web address.") from None
        return address
