"""The forms of the pages of odds. The values come in the address, which may hold anything, so they are checked first."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from rolls.forms.base import WholeNumber

__all__ = ["OddsForm", "WholeNumber"]


class OddsForm(forms.Form):
    """The settings of one system's page, all with a default. A setting that is given twice is refused, as it would be
    ambiguous.
    """

    use_required_attribute = False

    def __init__(self, asked: QueryDict) -> None:
        given = asked.copy()
        for name, field in self.base_fields.items():
            usual = field.usual if isinstance(field, WholeNumber) else field.initial
            if not given.get(name, "").strip() and usual is not None:
                given[name] = str(usual)
        super().__init__(given)
        self.repeated = [name for name in self.base_fields if len(asked.getlist(name)) > 1]

    def clean(self) -> dict[str, Any]:
        for name in self.repeated:
            words = _("{label} is in the address more than once. Give it once.").format(label=self.fields[name].label)
            self.add_error(name, words)
        return self.cleaned_data
