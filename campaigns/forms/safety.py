"""Lines and veils, and what is read while play is paused."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.forms.fields import LineField, TextField
from campaigns.models.members import PAUSED
from campaigns.services.safety import LONGEST_ENTRY, MOST_ENTRIES


class EntriesField(TextField):
    """Lines of text, each of which is one entry."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MOST_ENTRIES * (LONGEST_ENTRY + 1), required=False, **kwargs)
        self.widget.attrs["rows"] = 5

    def clean(self, value: Any) -> list[str]:
        entries = [entry for line in super().clean(value).split("\n") if (entry := " ".join(line.split()))]
        if len(entries) > MOST_ENTRIES:
            raise forms.ValidationError(f"These are {len(entries)}; write up to {MOST_ENTRIES}.")
        if long := next((entry for entry in entries if len(entry) > LONGEST_ENTRY), ""):
            raise forms.ValidationError(
                f"“{long[:40]}…” is longer than {LONGEST_ENTRY} characters. Say it in fewer words."
            )
        return entries


class BoundariesForm(forms.Form):
    """A member's own; `expected` is the version it was filled with."""

    lines = EntriesField(label="Lines", help_text="One on each line. These do not come up in our game at all.")
    veils = EntriesField(label="Veils", help_text="One on each line. These may happen, but not on screen.")
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)


class PauseWordsForm(forms.Form):
    words = LineField(
        label="Words",
        max_length=300,
        required=False,
        help_text="Everybody reads them while the game is paused. Leave it empty for ours.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "pause-%s", **kwargs})
        self.fields["words"].widget.attrs["placeholder"] = PAUSED
