"""What somebody should have said."""

from __future__ import annotations

from django import forms

from campaigns.forms.text import LineField, TextField


class AmendForm(forms.Form):
    words = TextField(label="What it should say")
    reason = LineField(label="Why", required=False)
