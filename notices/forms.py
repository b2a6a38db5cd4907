"""What people choose on the page of notices, and how a browser offers itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from notices import push
from notices.models import Preferences, Way
from notices.sources import SOURCES
from webhooks.sending import Target, never_sent


class WaysForm(forms.Form):
    """By which ways a person is told of each kind of thing; `ways` are those that there are here."""

    def __init__(self, *args: Any, ways: Collection[Way], chosen: Mapping[str, list[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ways, self.chosen = ways, chosen
        for kind, source in SOURCES.items():
            self.fields[kind] = forms.MultipleChoiceField(
                label=source.label,
                help_text=source.hint,
                required=False,
                choices=[(way.value, way.label) for way in ways],
                widget=forms.CheckboxSelectMultiple,
                initial=chosen[kind],
                error_messages={"invalid_choice": gettext_lazy("Choose from the list.")},
            )

    @property
    def result(self) -> dict[str, list[str]]:
        """Return the ways of each kind; those that there are not here stay as they were."""
        return {
            kind: [*self.cleaned_data[kind], *(way for way in self.chosen[kind] if way not in self.ways)]
            for kind in SOURCES
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each kind, with its field and for each way of the page its box."""
        return [{"field": field, "boxes": list(zip(self.ways, field, strict=True))} for field in self]


HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class HoursForm(forms.ModelForm):
    """When a person is told, and who they are in Discord."""

    patience = forms.TypedChoiceField(
        label=gettext_lazy("Tell me after"),
        coerce=int,
        choices=Preferences.patiences,
        help_text=gettext_lazy("Something has to wait this long first."),
    )
    quiet_from = forms.TypedChoiceField(label=pgettext_lazy("quiet hours", "From"), coerce=int, choices=HOURS)
    quiet_until = forms.TypedChoiceField(label=pgettext_lazy("quiet hours", "Until"), coerce=int, choices=HOURS)
    day_before_at = forms.TypedChoiceField(label=gettext_lazy("Remind me the day before at"), coerce=int, choices=HOURS)
    discord_id = forms.CharField(
        label=gettext_lazy("Your Discord user ID"),
        required=False,
        max_length=20,
        validators=[RegexValidator(r"^[0-9]{15,20}\Z", gettext_lazy("A Discord user ID has 15 to 20 digits."))],
        help_text=gettext_lazy(
            "Then messages in the channel mention you. In Discord: Settings, Advanced, Developer mode; then right-click your "
            "name, Copy user ID."
        ),
    )

    class Meta:
        model = Preferences
        fields = ["is_quiet", "quiet_from", "quiet_until", "patience", "day_before_at", "discord_id"]
        labels = {"is_quiet": gettext_lazy("Quiet hours")}


class DeviceForm(forms.Form):
    """What a browser gives of its subscription to a push service."""

    endpoint = forms.CharField(max_length=1000)
    p256dh = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)

    def clean_endpoint(self) -> str:
        """Return the address, which is as free to be any as that of a webhook, and fenced in the same way."""
        endpoint: str = self.cleaned_data["endpoint"]
        try:
            fault = never_sent(Target.of(endpoint))
        except ValueError:
            raise ValidationError(_("That’s not a web address.")) from None
        if fault:
            raise ValidationError(_(fault))
        return endpoint

    def clean(self) -> None:
        given = self.cleaned_data
        try:
            push.key_of(given["p256dh"])
            usable = len(push.decoded(given["auth"])) == 16
        except KeyError:
            return
        except ValueError:
            usable = False
        if not usable:
            raise ValidationError(_("This browser’s keys can’t be used. Turn notices off and on again."))
