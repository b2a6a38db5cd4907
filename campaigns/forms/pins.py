"""The form of a recap."""

from __future__ import annotations

from django import forms

from campaigns.forms.text import TextField


class RecapForm(forms.Form):
    """The recap of a session; `seen` is the version it was filled with."""

    draft = TextField(
        label="Recap",
        required=False,
        help_text="Markdown. The draft is for GMs; once it is published, everybody at the table can read it.",
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["draft"].widget.attrs["rows"] = 22
