"""The form that makes a token of the API."""

from __future__ import annotations

from django import forms

from campaigns.forms.fields import LineField

SCOPES = [("read", "Read"), ("write", "Read and write")]


class TokenForm(forms.Form):
    """What the token is for, and how far it goes."""

    name = LineField(
        label="Name",
        max_length=80,
        help_text="What it is for, such as “Discord bot”.",
        error_messages={"required": "Give it a name."},
    )
    scope = forms.ChoiceField(
        label="It may",
        choices=SCOPES,
        help_text="It never sees or does more than you.",
        error_messages=dict.fromkeys(["required", "invalid_choice"], "Choose what it may do."),
    )
    days = forms.TypedChoiceField(
        label="Expires",
        choices=[("7", "in a week"), ("30", "in a month"), ("365", "in a year"), ("0", "when you revoke it")],
        initial="30",
        coerce=lambda days: int(days) or None,
        empty_value=None,
        error_messages=dict.fromkeys(["required", "invalid_choice"], "Choose when it expires."),
    )
