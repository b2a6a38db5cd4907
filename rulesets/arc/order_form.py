"""Who takes part in a turn of VI-VIII-X, as a GM fills it in: scores from the sheets, and the dice that ties have asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from campaigns.forms.text import LineField
from campaigns.models import Campaign
from characters.models import Character
from characters.sheets.fields import SheetError
from rolls.forms.fields import FacesField, SeedField
from rolls.models import Audience
from rolls.rules.errors import RuleError
from rulesets.arc import sheet
from rulesets.arc.rules.turn import LONGEST_NAME, Declarant, actions_in_turn
from rulesets.arc.settings import SCORES, Settings

BLANK_LINES = 3
"""For those who have no sheet."""

LONGEST_LIST = 60
PERCEPTION = "perception"


class NumbersField(LineField):
    """Whole numbers with spaces between them, such as "7 3"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_LIST, required=False, **kwargs)

    def clean(self, value: Any) -> tuple[int, ...]:
        words = super().clean(value).split()
        if not all(word.isdecimal() and len(word) < 4 for word in words):
            raise forms.ValidationError("Write numbers with spaces between them.")
        return tuple(int(word) for word in words)


def _score() -> forms.IntegerField:
    return forms.IntegerField(min_value=SCORES[0], max_value=SCORES[1], required=False)


class OrderDiceForm(forms.Form):
    """For whom the d10 fall, and what fell where they were thrown on a real table."""

    audience = forms.ChoiceField(choices=[(one.value, one.label) for one in (Audience.TABLE, Audience.GM)])
    faces = FacesField(required=False)
    client_seed = SeedField()


class DeclarantForm(forms.Form):
    """One line. `dice` are the d10 rolled against ties so far, `es` those that are used in this turn."""

    here = forms.BooleanField(required=False)
    name = LineField(max_length=LONGEST_NAME, required=False)
    som = _score()
    empathy = _score()
    perception = _score()
    dice = NumbersField()
    unaware = forms.BooleanField(required=False)
    lost = forms.BooleanField(required=False)
    es = NumbersField()

    @property
    def takes_part(self) -> bool:
        return bool(self.is_valid() and self.cleaned_data["here"])

    def declarant(self) -> Declarant:
        """Raises RuleError for scores and dice that cannot be, or are missing."""
        given = self.cleaned_data
        scores = {name: given[name] for name in ("som", "empathy", "perception")}
        return Declarant(
            given["name"], **scores, rolls=given["dice"], aware=not given["unaware"], lost_turn=given["lost"]
        )

    def actions(self, settings: Settings) -> int | None:
        """How often they act with the ES of this turn; None where none was given. Raises RuleError."""
        es = self.cleaned_data["es"]
        return actions_in_turn(es, settings) if es else None


def lines(campaign: Campaign, data: Mapping[str, str] | None) -> list[DeclarantForm]:
    """A line for everybody in play with such a sheet, and some for others."""
    there = Character.objects.active().filter(campaign=campaign, system=sheet.SHEET.name).order_by("name")
    begun = [_of(character) for character in there] + [{} for _ in range(BLANK_LINES)]
    return [DeclarantForm(data, prefix=f"n{at}", initial=initial) for at, initial in enumerate(begun)]


def _of(character: Character) -> dict[str, Any]:
    values = character.values
    scores = {name: sheet.SHEET.number(values, name) for name in ("som", "empathy")}
    try:
        scores[PERCEPTION] = sheet.skill(values, PERCEPTION)
    except SheetError:
        pass
    return {"name": character.name} | scores


def refused(form: DeclarantForm, error: RuleError) -> None:
    """Put what the rules refuse where it was written."""
    at = {"rolls": "dice"}.get(error.field, error.field)
    form.add_error(at if at in form.fields else None, error.message)
