"""The form by which a campaign comes from another server."""

from __future__ import annotations

from django import forms


class ImportForm(forms.Form):
    """A log as it was exported there. How large it may be, the middleware says before it is read."""

    file = forms.FileField(
        label="The saved log",
        help_text="A file of JSON lines, at most 50 MB. A long one takes some minutes.",
        widget=forms.FileInput(attrs={"accept": ".jsonl,application/jsonl"}),
        error_messages={"required": "Choose a file first.", "empty": "This file is empty. Choose another one."},
    )
