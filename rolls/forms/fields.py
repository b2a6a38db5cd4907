"""Fields that forms of several rulesets share."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rolls.rules.dice import LARGEST_POOL


def said(words: Any) -> dict[str, Any]:
    """Return the one thing to say, whatever is wrong with a number; `words` may be translated when they are read."""
    return dict.fromkeys(("invalid", "min_value", "max_value"), words)


class UsualNumber(forms.IntegerField):
    """A whole number from `low` to `high`; left empty it is the `usual` one. `name` begins the sentence that refuses others."""

    def __init__(self, name: str, low: int, high: int, usual: int, **kwargs: Any) -> None:
        words = said(
            format_lazy(
                gettext_lazy("{label}: enter a whole number from {low} to {high}."), label=name, low=low, high=high
            )
        )
        super().__init__(min_value=low, max_value=high, required=False, error_messages=words, **kwargs)
        self.usual = usual

    def clean(self, value: Any) -> int:
        cleaned = super().clean(value)
        return self.usual if cleaned is None else int(cleaned)


class MoveField(forms.CharField):
    """The id of the move that is rolled (rolls/moves.py); empty without a move."""

    def __init__(self) -> None:
        super().__init__(max_length=100, required=False)


class SeedField(forms.RegexField):
    """A browser's seed for a roll's dice: 32 hex digits, or nothing unless `required`."""

    def __init__(self, *, required: bool = False) -> None:
        super().__init__(
            "^[0-9a-f]{32}$",
            required=required,
            error_messages={"invalid": gettext_lazy("Reload the page and roll again.")},
        )


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
