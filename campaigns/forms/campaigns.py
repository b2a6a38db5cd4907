"""Forms for what a campaign says about itself; and the confirmation before deleting an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns import rulesets
from campaigns.forms.fields import LineField, TextField
from people.models import User


class RulesField(forms.MultipleChoiceField):
    """Sets of rules, each with a description (templates/campaigns/_rules_field.html)."""

    widget = forms.CheckboxSelectMultiple
    template = "campaigns/_rules_field.html"


class CampaignForm(forms.Form):
    """`seen` is the version that the form was filled with; a new campaign has none."""

    name = LineField(label=_("Name"), max_length=80)
    pitch = TextField(
        label=_("Description"),
        max_length=2000,
        required=False,
        help_text=_("People you invite read this before they join."),
    )
    systems = RulesField(
        label=_("Rules"),
        choices=rulesets.offered,
        initial=rulesets.first,
        error_messages={
            "required": _("Choose at least one set of rules."),
            "invalid_choice": _("These rules aren’t installed here. Choose from the list."),
        },
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pitch"].widget.attrs["rows"] = 5
        # A ruleset that is not installed any more is not forgotten by saving this form.
        gone = rulesets.missing((self.initial or {}).get("systems", []))
        field = self.fields["systems"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101  # for mypy
        field.choices = [*rulesets.offered(), *((name, rulesets.label_of(name)) for name in gone)]


class DeleteAccountForm(forms.Form):
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.has_usable_password():
            self.fields["password"] = forms.CharField(label=_("Your username"))

    def clean_password(self) -> str:
        typed: str = self.cleaned_data["password"]
        if not self.user.has_usable_password():
            if typed != self.user.username:
                raise forms.ValidationError(gettext("This isn’t your username."))
        elif not self.user.check_password(typed):
            raise forms.ValidationError(gettext("This isn’t your password."))
        return typed
