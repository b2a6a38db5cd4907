"""Ask what people say of themselves."""

from __future__ import annotations

import zoneinfo
from functools import lru_cache
from typing import Any

from allauth.account import forms as allauth
from allauth.account.forms import LoginForm, SignupForm
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from people import mail
from people.models import User


@lru_cache(maxsize=1)
def time_zones() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the time zones by part of the world, as choices: ("Europe", [("Europe/Berlin", "Berlin"), …]), after UTC alone."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(zoneinfo.available_timezones()):
        part, _, place = name.partition("/")
        # Names without a place, and those of offsets, are old aliases.
        if place and part not in {"Etc", "SystemV"}:
            parts.setdefault(part, []).append((name, place.replace("_", " ").replace("/", ", ")))
    return [("Everywhere", [("UTC", "UTC")]), *parts.items()]


class ProfileForm(forms.ModelForm):
    time_zone = forms.ChoiceField(
        label="Time zone",
        help_text="Times are shown as they are where you are.",
        error_messages={"invalid_choice": "Choose a time zone from the list."},
    )

    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[("", _("The language of my browser")), *settings.LANGUAGES]
    )

    class Meta:
        model = User
        fields = [
            "display_name",
            "pronouns",
            "colour",
            "theme",
            "language",
            "time_zone",
            "single_keys",
            "motion",
            "sound",
        ]
        labels = {
            "display_name": "Name at the table",
            "colour": "Colour of your name and token",
            "single_keys": "Single keys are shortcuts",
            "motion": "Motion",
            "sound": "Sound",
        }
        help_texts = {
            "display_name": "What others call you. Left empty, it is your user name. What was written before keeps the "
            "name you had then.",
            "single_keys": "At the table / writes, r rolls and ? lists them all; on a sheet u takes back. Switch them off if you "
            "speak to your computer, or press keys unawares.",
            "motion": "Dice tumble when they are rolled. Turn it off to keep everything still.",
            "sound": "Hear dice, turns of the story and your own turn at the table.",
        }
        widgets = {"colour": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.instance.time_zone
        zones = self.fields["time_zone"]
        assert isinstance(zones, forms.ChoiceField)  # noqa: S101  # for mypy
        known = any(chosen == name for _, names in time_zones() for name, _ in names)
        zones.choices = time_zones() if known else [("As it is now", [(chosen, chosen)]), *time_zones()]


class SignInForm(LoginForm):
    """allauth's, in our words."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "User name or e-mail address"
        self.fields["login"].widget.attrs.pop("placeholder", None)
        self.fields["password"].widget.attrs.pop("placeholder", None)
        self.fields["remember"].label = "Stay signed in on this device"


class SignUpForm(SignupForm):
    """allauth's, in our words, and with the browser's time zone (static/js/sign-up.js)."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "User name"
        self.fields["email"].label = "E-mail address (optional)"
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)

    def clean_time_zone(self) -> str:
        """UTC where a browser says nothing, or a name that nobody here knows: an account can be made all the same."""
        name = str(self.cleaned_data["time_zone"])
        return name if name in zoneinfo.available_timezones() else "UTC"


class ResetPasswordForm(allauth.ResetPasswordForm):
    """allauth's, which says so when no mail could be sent.

    That tells nothing about accounts: an address without one is sent mail as well, which says that it has none.
    """

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Save the address. Where mail fails, answers with the form as it was filled in, by raising ImmediateHttpResponse."""
        email = super().save(request, **kwargs)
        if mail.failed(request):
            self.add_error(None, mail.NOT_SENT)
            context = {"form": self, "login_url": reverse("account_login")}
            raise ImmediateHttpResponse(render(request, "account/password_reset.html", context, status=503))
        return email
