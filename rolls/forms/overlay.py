"""The form for the address of an overlay."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _

from campaigns.errors import Invalid

ROLL, CLOCKS = "roll", "clocks"
PARTS = (ROLL, CLOCKS, "scale", "major")
"""The names of all parts that an overlay's address may ask for."""


class PartsField(forms.CharField):
    """Names with commas between them; nothing is all."""

    def clean(self, value: Any) -> list[str]:
        known = list(PARTS)
        wanted = [name.strip() for name in super().clean(value).split(",") if name.strip()]
        if unknown := [name for name in wanted if name not in known]:
            words = _("An overlay has no part called “{name}”. Its parts are: {names}.")
            raise forms.ValidationError(words.format(name=unknown[0], names=", ".join(known)))
        return wanted or known


class OverlayForm(forms.Form):
    """`parts` it shows; `lang`, the language of its words; `size`, of which 1 is that of the table; `stay`, the seconds after
    which a roll goes, where 0 is never; `preview`, whether it is shown over a ground, with the last roll in it."""

    parts = PartsField(required=False, max_length=200)
    size = forms.FloatField(required=False, min_value=0.5, max_value=4)
    stay = forms.IntegerField(required=False, min_value=0, max_value=3600)
    preview = forms.BooleanField(required=False)
    lang = forms.ChoiceField(choices=settings.LANGUAGES, required=False)

    SIZE, STAY = 1.5, 20

    def chosen(self) -> dict[str, Any]:
        """Return all parts and options, with defaults for what the address leaves out. Raises Invalid for errors in it."""
        if unknown := set(self.data) - set(self.fields):
            words = _("An overlay’s address has no “{name}”. It can have: {names}.")
            raise Invalid(words.format(name=min(unknown), names=", ".join(self.fields)))
        for name, messages in self.errors.items():
            raise Invalid(_("In the overlay’s address, {name}: {error}").format(name=name, error=messages[0]))
        usual = {"size": self.SIZE, "stay": self.STAY}
        given = {name: value for name, value in self.cleaned_data.items() if value is not None}
        return usual | given | ({"stay": 0} if given["preview"] else {})
