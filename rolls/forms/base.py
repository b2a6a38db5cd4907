"""The forms of rolls: fields that the forms of rulesets share, the base of every system's roll form, and corrections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, ClassVar

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from rolls.models import Audience, SavedRoll
from rolls.table_rules import LONGEST_NOTE, RollInput
from rules.dice import LARGEST_POOL


def said(words: Any) -> dict[str, Any]:
    """Return the one thing to say, whatever is wrong with a number; `words` may be translated when they are read."""
    return dict.fromkeys(("invalid", "min_value", "max_value"), words)


class WholeNumber(forms.IntegerField):
    """A whole number from `low` to `high`; left empty it is the `usual` one, or None, or refused with the words of
    `required` (True: as every other number). `words` refuse those; without them it is a sentence that begins with the label.
    """

    def __init__(
        self,
        label: str | None,
        low: int | None = None,
        high: int | None = None,
        usual: int | None = None,
        *,
        words: Any = None,
        required: Any = None,
        **kwargs: Any,
    ) -> None:
        ends = {end: str(number).replace("-", "\N{MINUS SIGN}") for end, number in (("low", low), ("high", high))}
        within = format_lazy(gettext_lazy("{label}: enter a whole number from {low} to {high}."), label=label, **ends)
        super().__init__(
            label=label,
            min_value=low,
            max_value=high,
            required=required is not None,
            error_messages=said(words or within)
            | ({"required": (words or within) if required is True else required} if required else {}),
            **kwargs,
        )
        self.usual = usual

    def clean(self, value: Any) -> int | None:
        cleaned = super().clean(value)
        return self.usual if cleaned is None else int(cleaned)


class SeedField(forms.RegexField):
    """A browser's seed for a roll's dice: 32 hex digits, or nothing unless `required`."""

    def __init__(self, *, required: bool = False) -> None:
        super().__init__(
            "^[0-9a-f]{32}$",
            required=required,
            error_messages={"invalid": gettext_lazy("Reload the page and roll again.")},
        )


class MarkForm(forms.Form):
    """Asks which of what an oracle of the Scale gives is marked on the sheet."""

    choice = forms.SlugField(max_length=40)
    client_seed = SeedField()


class FacesField(forms.CharField):
    """Faces rolled with real dice: "7 1 1 3 2" or "7, 1, 1"; on a d10 a 0 is a ten, as printed on the die.

    `sides` is the largest face that this field takes; the rules know which die the roll really has.
    """

    def __init__(self, sides: int = 10, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.sides = sides

    def clean(self, value: Any) -> list[int] | None:
        words = super().clean(value).replace(",", " ").split()
        if len(words) > LARGEST_POOL:
            raise forms.ValidationError(_("Enter at most {count} faces.").format(count=LARGEST_POOL))
        if not all(word.isascii() and word.isdigit() and int(word[:4]) <= self.sides for word in words):
            raise forms.ValidationError(
                _("Enter faces from 1 to {sides} with spaces between them, such as 5 1 3.").format(sides=self.sides)
            )
        return [int(word) or (10 if self.sides == 10 else 0) for word in words] or None


class RollForm(forms.Form):
    """A roll as it is typed into the composer, or `announce`d there. A system adds its own fields, and builds its input
    from them.

    `roll_input` is the class that the services take. The part of the page with its fields is <system>/form.html; its
    context is what `shown` returns.
    """

    roll_input: ClassVar[type[RollInput]]
    system: ClassVar[str]
    """The name of the ruleset, which is that of its RollInput."""

    character = forms.UUIDField(required=False)
    audience = forms.ChoiceField(choices=Audience.choices, required=False)
    faces = FacesField(required=False)
    note = LineField(max_length=LONGEST_NOTE, required=False)
    request = forms.UUIDField(required=False)
    announce = forms.BooleanField(required=False)
    override = forms.BooleanField(required=False)
    client_seed = SeedField()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.system = cls.roll_input.system

    def ask(self) -> RollInput:
        """Return the valid form as the services want it."""
        return self.roll_input(**self.given())

    def given(self) -> dict[str, Any]:
        """Return the RollInput's fields that are filled in here under the same name; empty ones keep their defaults.

        A system whose fields differ from its RollInput's adds those.
        """
        typed = {field.name: self.cleaned_data.get(field.name) for field in fields(self.roll_input)}
        return {name: value for name, value in typed.items() if value not in (None, "")}

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the context that the form's template needs for this viewer, with this character at hand
        (characters/views/in_play.py).
        """
        return {}

    @classmethod
    def spent(cls, viewer: Viewer, character: Character) -> dict[str, str]:
        """Return the boxes that only a GM may let the character tick now, by their fields, with the reason in a few words."""
        return {}

    @classmethod
    def labels(cls) -> dict[str, str]:
        """Return the labels of the fields by their names, which form.html and request.html share."""
        return {name: str(field.label) for name, field in cls.base_fields.items() if field.label}

    @classmethod
    def options(cls) -> dict[str, list[tuple[str, str]]]:
        """Return what there is to choose, by the names of the fields, likewise."""
        widgets: dict[str, Any] = {name: field.widget for name, field in cls.base_fields.items()}
        return {
            name: [(str(value), str(words)) for value, words in widget.choices]
            for name, widget in widgets.items()
            if isinstance(widget, forms.Select)
        }

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """Return the context that <system>/request.html needs where a GM requests this roll."""
        return cls.shown(viewer, None)

    @property
    def seen_by(self) -> Audience:
        return Audience(self.cleaned_data.get("audience") or Audience.TABLE)


class WitnessForm(forms.Form):
    """A player's browser's contribution to the dice of a GM's roll."""

    seed = SeedField(required=True)


class ReasonForm(forms.Form):
    reason = LineField(max_length=LONGEST_NOTE, required=False)


class CorrectionForm(ReasonForm):
    """A correction of a roll whose dice have fallen. A system adds the terms that may be corrected."""

    note = LineField(label=gettext_lazy("Note"), max_length=LONGEST_NOTE, required=False)
    reason = LineField(label=gettext_lazy("Reason"), max_length=LONGEST_NOTE, required=False)
    field_order = ("difficulty", "threshold", "kind", "ability", "note", "reason")

    @property
    def changes(self) -> dict[str, Any]:
        """Return the corrected values by field, None for unchanged ones.

        What was not sent counts as unchanged, and so does an empty number or choice, unless a TypedChoiceField offers it.
        """
        made = {name: value for name, value in self.cleaned_data.items() if name != "reason"}
        return {name: None if self._is_unmade(name) else value for name, value in made.items()}

    def _is_unmade(self, name: str) -> bool:
        field, sent = self.fields[name], self[name].data
        offers_nothing = isinstance(field, forms.TypedChoiceField) and field.valid_value("")
        is_chosen = isinstance(field, forms.ChoiceField | forms.IntegerField) and not offers_nothing
        return sent is None or (is_chosen and not sent)


def correction_of(form: type[RollForm], terms: Iterable[str]) -> type[CorrectionForm]:
    """Return the form that corrects these terms of a roll, with the fields of the roll form; one that it does not have is left
    out, and said by rolls/checks.py."""
    fields = {name: form.base_fields[name] for name in terms if name in form.base_fields}
    return type("TermsForm", (CorrectionForm,), fields)


class KeptForm(forms.Form):
    called = LineField(
        label=gettext_lazy("Name"),
        max_length=SavedRoll.LONGEST_NAME,
        error_messages={"required": gettext_lazy("Enter a name.")},
    )
