"""The forms of Burns, and of an oracle table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.fields import LineField, TextField
from scale.rules.oracles import ENTRIES, Entry
from scale.rules.scale import Effect
from scale.services.burns import LONGEST_NOTE


class EffectForm(forms.Form):
    """Asks what a fired Burn does."""

    effect = forms.ChoiceField(choices=[(effect.value, effect.value) for effect in Effect])
    words = TextField(max_length=10_000, required=False)
    npc = forms.UUIDField(required=False)


class NoteForm(forms.Form):
    """Asks why, or for what: a note that may be left out."""

    reason = LineField(max_length=LONGEST_NOTE, required=False)


class WordsForm(forms.Form):
    """A text that must say something: the narration of a Major Burn."""

    text = TextField(max_length=10_000)


MAX_TITLE = 60
MAX_ENTRY = 1_000


class OracleForm(forms.Form):
    """`may_shift` says whether entries of this table can ask for a second die."""

    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, entries: Sequence[Entry], expected: str, may_shift: bool) -> None:
        values = fields_of(entries) | {"expected": expected}
        super().__init__(data, initial=values)
        self.may_shift = may_shift
        for face in range(1, ENTRIES + 1):
            self.fields[f"title_{face}"] = LineField(label=_("Title"), max_length=MAX_TITLE)
            text = TextField(label=_("Text"), max_length=MAX_ENTRY, required=False)
            text.widget.attrs["rows"] = 2
            self.fields[f"text_{face}"] = text
            if may_shift:
                self.fields[f"shift_{face}"] = forms.BooleanField(label=_("Shift: roll a second die"), required=False)

    def faces(self) -> Iterator[tuple[int, list[forms.BoundField]]]:
        """Yield each face with its fields, to be drawn."""
        for face in range(1, ENTRIES + 1):
            yield (
                face,
                [self[name] for name in (f"title_{face}", f"text_{face}", f"shift_{face}") if name in self.fields],
            )

    def entries(self) -> list[Entry]:
        """Return the entries of a valid form."""
        said = self.cleaned_data
        return [
            Entry(said[f"title_{face}"], said[f"text_{face}"], said.get(f"shift_{face}", False))
            for face in range(1, ENTRIES + 1)
        ]


def fields_of(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return entries as the form's fields hold them."""
    values: dict[str, Any] = {}
    for face, entry in enumerate(entries, 1):
        values |= {f"title_{face}": entry.title, f"text_{face}": entry.text, f"shift_{face}": entry.shift}
    return values
