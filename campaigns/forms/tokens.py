"""The form that makes a token of the API."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.fields import LineField

SCOPES = [("read", _("Read")), ("write", _("Read and write"))]
EXPIRES = [("7", _("in a week")), ("30", _("in a month")), ("365", _("in a year")), ("0", _("when you revoke it"))]


class TokenForm(forms.Form):
    """A token's name, and what it may do."""

    name = LineField(
        label=_("Name"),
        max_length=80,
        help_text=_("What it’s for, such as “Discord bot”."),
        error_messages={"required": _("Give the token a name.")},
    )
    scope = forms.ChoiceField(
        label=_("Access"),
        choices=SCOPES,
        help_text=_("It never sees or does more than you."),
        error_messages=dict.fromkeys(["required", "invalid_choice"], _("Choose what it may do.")),
    )
    days = forms.TypedChoiceField(
        label=_("Expires"),
        choices=EXPIRES,
        initial="30",
        coerce=lambda days: int(days) or None,
        empty_value=None,
        error_messages=dict.fromkeys(["required", "invalid_choice"], _("Choose when it expires.")),
    )
