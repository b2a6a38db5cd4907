"""The form that adds a webhook."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaigns.forms.fields import LineField
from webhooks.events import offered
from webhooks.models import Format
from webhooks.sending import Target, never_sent


class WebhookForm(forms.Form):
    """Where events are sent to, which, and in what form."""

    address = LineField(
        label=gettext_lazy("Address"),
        max_length=2000,
        help_text=gettext_lazy(
            "Starts with https://. In Discord you find it under Edit channel, Integrations, Webhooks."
        ),
        error_messages={"required": gettext_lazy("Enter the receiver’s address.")},
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=Format.choices,
        error_messages=dict.fromkeys(["required", "invalid_choice"], gettext_lazy("Choose a format.")),
    )
    topics = forms.MultipleChoiceField(
        label=pgettext_lazy("what a webhook is sent", "Send"),
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: list(offered().items()),
        initial=lambda: list(offered()),
        error_messages={
            "required": gettext_lazy("Choose what to send."),
            "invalid_choice": gettext_lazy("Choose from the list."),
        },
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        try:
            fault = never_sent(Target.of(address))
        except ValueError:
            raise ValidationError(_("That’s not a web address.")) from None
        if fault:
            raise ValidationError(_(fault))
        return address
