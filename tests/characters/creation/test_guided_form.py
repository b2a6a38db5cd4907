"""What the guided page asks for, by the kinds of fields of a sheet."""

from dataclasses import dataclass

from characters.creation import Budget, Reckoning, Section
from characters.forms.creation import GuidedForm
from characters.sheets.fields import Number
from characters.sheets.sheet import Group, Sheet

SHEET = Sheet("moths", [Group("stats", "Stats", (Number("cool", "Cool", minimum=-1, maximum=3),))])


@dataclass(frozen=True, kw_only=True)
class MothsBudget(Budget):
    sheet = SHEET

    def sections(self):
        return [Section("stats", "Stats", ("cool",))]

    def reckon(self, values):
        return Reckoning((), {})


def test_a_number_below_0_can_be_chosen():
    form = GuidedForm(MothsBudget(), {"cool": "-1"})
    assert form.is_valid(), form.errors
    assert form.values() == {"cool": -1}
    assert GuidedForm(MothsBudget(), {"cool": "-2"}).errors == {"cool": ["Cool goes from -1 to 3 here."]}
