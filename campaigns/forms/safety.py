"""Forms for lines and veils, and for the words shown while play is paused."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
            raise forms.ValidationError(
                _("That’s {count} entries; the limit is {most}.").format(count=len(entries), most=MOST_ENTRIES)
            )
        if long := next((entry for entry in entries if len(entry) > LONGEST_ENTRY), ""):
            raise forms.ValidationError(
                _("“{entry}…” is longer than {most} characters. Shorten it.").format(
                    entry=long[:40], most=LONGEST_ENTRY
                )
            )
        return entries


class BoundariesForm(forms.Form):
    """A member's own; `expected` is the version it was filled with."""

    lines = EntriesField(
        label=gettext_lazy("Lines"), help_text=gettext_lazy("One per line. These don’t come up in our game at all.")
    )
    veils = EntriesField(
        label=gettext_lazy("Veils"), help_text=gettext_lazy("One per line. These may happen, but off screen.")
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)


class PauseWordsForm(forms.Form):
    words = LineField(
        label=gettext_lazy("Message"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Everyone reads this while the game is paused. Leave blank for the default."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "pause-%s", **kwargs})
        self.fields["words"].widget.attrs["placeholder"] = PAUSED
