"""What the roll form of any system has, and how a roll is corrected."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from campaigns.forms.text import LineField
from campaigns.models import Viewer
from rolls.forms.fields import FacesField, SeedField
from rolls.models import Audience
from rolls.table_rules import LONGEST_NOTE, RollInput


class RollForm(forms.Form):
    """A roll as it is typed into the composer, or `announce`d there. A system adds its own fields, and says what they ask for.

    The part of the page with those fields is <system>/form.html; it is given what `shown` returns.
    """

    system: ClassVar[str]

    character = forms.UUIDField(required=False)
    audience = forms.ChoiceField(choices=Audience.choices, required=False)
    faces = FacesField(required=False)
    note = LineField(max_length=LONGEST_NOTE, required=False)
    request = forms.UUIDField(required=False)
    announce = forms.BooleanField(required=False)
    client_seed = SeedField()

    def ask(self) -> RollInput:
        """The valid form as the services want it."""
        raise NotImplementedError

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """What the form needs to be drawn for this viewer, with this character at hand (characters/views/active_character.py)."""
        return {}

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """What <system>/request.html needs, where a GM asks somebody else for such a roll."""
        return cls.shown(viewer, None)

    @property
    def common(self) -> dict[str, Any]:
        """What every Ask takes."""
        given = self.cleaned_data
        return {"character": given["character"], "note": given["note"], "request": given["request"]}

    @property
    def seen_by(self) -> Audience:
        return Audience(self.cleaned_data["audience"] or Audience.TABLE)


class WitnessForm(forms.Form):
    """What a player's browser adds to the dice of a GM's roll."""

    seed = SeedField(required=True)


class ReasonForm(forms.Form):
    reason = LineField(max_length=LONGEST_NOTE, required=False)


class CorrectionForm(ReasonForm):
    """What may be put right on a roll whose dice have fallen. A system adds the terms that it lets be corrected."""

    note = LineField(label="Note", max_length=LONGEST_NOTE, required=False)
    reason = LineField(label="Why", max_length=LONGEST_NOTE, required=False)
    field_order = ("difficulty", "threshold", "kind", "ability", "note", "reason")

    @property
    def changes(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "reason"}
