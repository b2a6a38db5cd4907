"""Ask what people say of themselves."""

from __future__ import annotations

import struct
import zoneinfo
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from allauth.account import forms as allauth
from allauth.account.forms import LoginForm, SignupForm
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from allauth.socialaccount.forms import SignupForm as ElsewhereForm
from allauth.usersessions.forms import ManageUserSessionsForm
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from people import adapter
from people.models import User, validate_line


@lru_cache(maxsize=1)
def time_zones() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the time zones by part of the world, as choices: ("Europe", [("Europe/Berlin", "Berlin"), …]), after UTC alone."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(zoneinfo.available_timezones()):
        part, _, place = name.partition("/")
        # Names without a place, and those of offsets, are old aliases.
        if place and part not in {"Etc", "SystemV"}:
            parts.setdefault(part, []).append((name, place.replace("_", " ").replace("/", ", ")))
    return [("UTC", [("UTC", "UTC")]), *parts.items()]


class ProfileForm(forms.ModelForm):
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("You see all times in this zone."),
        error_messages={"invalid_choice": gettext_lazy("Choose a time zone from the list.")},
    )

    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        choices=[("", gettext_lazy("Same as my browser")), *settings.LANGUAGES],
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
            "display_name": gettext_lazy("Name at the table"),
            "pronouns": gettext_lazy("Pronouns"),
            "colour": gettext_lazy("Colour"),
            "theme": gettext_lazy("Theme"),
            "single_keys": gettext_lazy("Single-key shortcuts"),
            "motion": gettext_lazy("Motion"),
            "sound": gettext_lazy("Sound"),
        }
        help_texts = {
            "display_name": gettext_lazy(
                "What others call you. Leave blank to use your username. Older entries in the log keep your old name."
            ),
            "colour": gettext_lazy("For your name and your token."),
            "single_keys": gettext_lazy(
                "At the table, / starts writing, r rolls and ? lists all keys. On a sheet, u undoes. Turn this off if you use "
                "speech input."
            ),
            "motion": gettext_lazy("Dice tumble when you roll. Turn this off to keep everything still."),
            "sound": gettext_lazy("Hear the dice, big moments and when it’s your turn."),
        }
        widgets = {"colour": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.instance.time_zone
        zones = self.fields["time_zone"]
        assert isinstance(zones, forms.ChoiceField)  # noqa: S101  # for mypy
        known = any(chosen == name for _part, names in time_zones() for name, _place in names)
        zones.choices = (
            time_zones() if known else [(pgettext("a time zone", "Current"), [(chosen, chosen)]), *time_zones()]
        )


class SignInForm(LoginForm):
    """allauth's, in our words."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Username or email")
        self.fields["login"].widget.attrs.pop("placeholder", None)
        self.fields["password"].widget.attrs.pop("placeholder", None)
        self.fields["remember"].label = _("Stay signed in on this device")


class OurSignUp(forms.Form):
    """What signing up here and elsewhere asks in the same words, with the browser's time zone (static/js/sign-up.js)."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Username")
        self.fields["username"].validators.append(validate_line)
        self.fields["email"].label = _("Email address")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)

    def clean_time_zone(self) -> str:
        """Return the browser's time zone; UTC if it names none, or an unknown one, so that an account can still be made."""
        name = str(self.cleaned_data["time_zone"])
        return name if name in zoneinfo.available_timezones() else "UTC"


class SignUpForm(OurSignUp, SignupForm):
    pass


class ElsewhereSignUpForm(OurSignUp, ElsewhereForm):
    pass


T = TypeVar("T")


def careful(clean: Callable[[], T]) -> T:
    """Return what a form of allauth makes of a passkey; what is none is refused, where its library would only stumble."""
    try:
        return clean()
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError, struct.error):
        raise forms.ValidationError(_("This passkey can’t be used. Try again, or use another way.")) from None


class PasskeyForm(AuthenticateWebAuthnForm):
    def clean_credential(self) -> Authenticator:
        return careful(super().clean_credential)


class SignInByPasskeyForm(LoginWebAuthnForm):
    def clean_credential(self) -> Authenticator:
        return careful(super().clean_credential)


class PasskeyAgainForm(ReauthenticateWebAuthnForm):
    def clean_credential(self) -> Authenticator:
        return careful(super().clean_credential)


class AddPasskeyForm(AddWebAuthnForm):
    def clean(self) -> dict[str, Any]:
        return careful(super().clean)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_of_passkey(self.fields["name"])
        alone = self.fields["passwordless"]
        alone.initial = True
        alone.label = _("Sign in with it alone")
        alone.help_text = _("Without a password. It asks for your fingerprint, face or PIN.")


class RenamePasskeyForm(EditWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_of_passkey(self.fields["name"])


def name_of_passkey(field: forms.Field) -> None:
    """Ask for the name of a passkey in our words."""
    field.label = _("Name")
    field.validators += [MaxLengthValidator(60), validate_line]
    field.widget.attrs["maxlength"] = 60


class SessionsForm(ManageUserSessionsForm):
    """Ends the chosen session; all but this one if none is chosen."""

    session = forms.ModelChoiceField(UserSession.objects.none(), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.fields["session"]
        assert isinstance(chosen, forms.ModelChoiceField)  # noqa: S101  # for mypy
        chosen.queryset = UserSession.objects.filter(user=self.request.user)

    def save(self, request: HttpRequest) -> None:
        if chosen := self.cleaned_data["session"]:
            end_sessions(request, [chosen])
        else:
            super().save(request)


class ResetPasswordForm(allauth.ResetPasswordForm):
    """allauth's form, which says when no mail could be sent.

    That reveals nothing about accounts: an address without one is sent mail as well, which says that it has none.
    """

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Save the address. Where mail fails, answers with the form as it was filled in, by raising ImmediateHttpResponse."""
        email = super().save(request, **kwargs)
        if adapter.failed(request):
            self.add_error(None, adapter.NOT_SENT)
            context = {"form": self, "login_url": reverse("account_login")}
            raise ImmediateHttpResponse(render(request, "account/password_reset.html", context, status=503))
        return email
