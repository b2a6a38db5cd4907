"""The forms of the pages of odds. The values come in the address, which may hold anything, so they are checked first."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rolls.forms.base import said


class NumberField(forms.IntegerField):
    """A whole number in a range; left out it is `initial`."""

    def __init__(self, label: str, low: int, high: int, initial: int, help_text: str = "") -> None:
        lowest, highest = (str(end).replace("-", "\N{MINUS SIGN}") for end in (low, high))
        words = format_lazy(
            gettext_lazy("{label}: enter a whole number from {low} to {high}."), label=label, low=lowest, high=highest
        )
        super().__init__(
            label=label,
            min_value=low,
            max_value=high,
            initial=initial,
            help_text=help_text,
            error_messages=said(words),
        )


class OddsForm(forms.Form):
    """The settings of one system's page, all with a default. A setting that is given twice is refused, as it would be
    ambiguous.
    """

    use_required_attribute = False

    def __init__(self, asked: QueryDict) -> None:
        given = asked.copy()
        for name, field in self.base_fields.items():
            if not given.get(name, "").strip() and field.initial is not None:
                given[name] = str(field.initial)
        super().__init__(given)
        self.repeated = [name for name in self.base_fields if len(asked.getlist(name)) > 1]

    def clean(self) -> dict[str, Any]:
        for name in self.repeated:
            words = _("{label} is in the address more than once. Give it once.").format(label=self.fields[name].label)
            self.add_error(name, words)
        return self.cleaned_data
