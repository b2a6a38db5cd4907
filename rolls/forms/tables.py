"""The forms of tables that GMs roll on."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from campaigns.forms.fields import LineField, TextField
from rolls.forms.base import SeedField
from rolls.models import Audience, RollTable
from rules.roll_tables import DICE


def called(dice: str) -> str:
    """Return what the dice of a table are called, "" for those of weights: "d66", and where one reads German "W66"."""
    return dice.replace("d", pgettext("as in 3d6", "d"))


class TableForm(forms.Form):
    """A table as a GM writes it; `expected` is the version it was filled with."""

    name = LineField(label=gettext_lazy("Name"), max_length=RollTable.LONGEST_NAME)
    dice = forms.ChoiceField(
        label=gettext_lazy("Dice"),
        required=False,
        choices=lambda: [
            ("", _("Weights: each line counts once, or as “x3” says")),
            *((code, called(code)) for code in DICE),
        ],
    )
    lines = TextField(
        label=gettext_lazy("Lines of the table"),
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=gettext_lazy(
            "One result a line. With dice, begin with their numbers: “1-2 A quiet street”. With weights: “x3 Rain”. The name of "
            "another table in double brackets is rolled, too: “3 [[Street names]]”."
        ),
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)


class TakeTablesForm(forms.Form):
    """Tables of other campaigns that are to be copied."""

    tables = forms.ModelMultipleChoiceField(
        RollTable.objects.none(), error_messages={"required": gettext_lazy("Choose at least one table.")}
    )

    def __init__(self, offered: QuerySet[RollTable], data: Any) -> None:
        super().__init__(data)
        self.fields["tables"].queryset = offered  # type: ignore[attr-defined]


class TableRollForm(forms.Form):
    """Who sees a roll on a table: everyone, or only GMs."""

    audience = forms.TypedChoiceField(
        choices=[(one.value, one.label) for one in (Audience.TABLE, Audience.GM)],
        coerce=Audience,
        required=False,
        empty_value=Audience.TABLE,
    )
    client_seed = SeedField()

    def __init__(self, data: Any) -> None:
        super().__init__(data)
