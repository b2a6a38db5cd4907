"""What stands on a character's sheet, by address, and in which column it lies.

What all may see, what those may see who see the sheet, what is its player's own and what is the GM's lie in a column each
(`public`, `sheet`, `private`, `secret`), so that none of them has to be filtered before it is shown to those it is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid5

from django.db import models

from campaigns.references import About
from characters.sheets import sheet_of
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Field, Link, Number, Rows, Value, Visibility
from characters.sheets.sheet import Place, Sheet
from characters.sheets.told import drawn, label

GMS_OWN = "gm"  # whose the private values of an NPC are
UNKNOWN = "somebody"  # to whom a link went, of whom its readers know nothing any more


class SheetValues(models.Model):
    """The part of a Character that is its sheet. All raise SheetError for what its sheet does not have.

    `private` maps whose (a membership's number as text, or "gm") to values: what somebody noted stays theirs when the character
    is handed over.
    """

    system = models.CharField(max_length=20)
    is_crew = models.BooleanField(default=False)
    public = models.JSONField(default=dict)
    sheet = models.JSONField(default=dict)
    private = models.JSONField(default=dict)
    secret = models.JSONField(default=dict)
    disposition = models.SmallIntegerField(default=0)

    if TYPE_CHECKING:
        owner_id: int | None

        def known(self, visibility: Visibility) -> dict[str, str]: ...

    class Meta:
        abstract = True

    @property
    def is_npc(self) -> bool:
        return self.owner_id is None and not self.is_crew

    @property
    def rules(self) -> Sheet:
        """What fields its sheet has."""
        return sheet_of(self.system, is_crew=self.is_crew)

    @property
    def values(self) -> dict[str, Any]:
        """All of it together, secrets too: for reckoning, never for showing."""
        return {**self.public, **self.sheet, **self._own, **self.secret}

    def hold(self, values: dict[str, Any]) -> None:
        """Put each of some values into the column of those who may see it."""
        parts: dict[Visibility, dict[str, Any]] = {visibility: {} for visibility in Visibility}
        for name, value in values.items():
            parts[self.rules.visibility_of(name)][name] = value
        self.public, self.sheet, self.secret = (
            parts[Visibility.PUBLIC],
            parts[Visibility.SHEET],
            parts[Visibility.SECRET],
        )
        self.private = {**self.private, self._whose: parts[Visibility.PRIVATE]}

    def place(self, address: str) -> Place:
        """Where an address points, for this character."""
        if self.is_npc and address == DISPOSITION.name:
            return Place(DISPOSITION)
        return self.rules.place(address)

    def field(self, address: str) -> Field:
        return self.place(address).field

    def label(self, address: str) -> str:
        """What a value is called here: "Strength", "Fencing: Dice"."""
        place = self.place(address)
        row = self.rules.row(self.values, place.rows.name, place.row)[place.rows.title] if place.rows else ""
        return label(self.rules, address, str(row))

    def value(self, address: str) -> Value:
        """What a field is now; RowGone where its row is not there."""
        return self.disposition if self.field(address) is DISPOSITION else self.rules.value(self.values, address)

    def number(self, address: str) -> int:
        """What a number is now."""
        return self.disposition if self.field(address) is DISPOSITION else self.rules.number(self.values, address)

    def clean_value(self, address: str, value: object) -> Value:
        """`value` as the field may hold it beside the others."""
        field = self.field(address)
        return field.clean(value) if field is DISPOSITION else self.rules.clean(self.values, address, value)

    def told(self, address: str) -> dict[str, Any]:
        """A value as events tell of it (characters/sheets/told.py)."""
        place, value = self.place(address), self.value(address)
        of = 0
        if isinstance(place.field, Number) and place.field is not DISPOSITION:
            of = self.rules.drawn(self.values, address).of
        row = self.rules.row(self.values, place.rows.name, place.row).get(place.rows.title, "") if place.rows else ""
        linked = isinstance(place.field, Link) and value
        name = self.known(place.visibility).get(str(value), UNKNOWN) if linked else ""
        return {"field": address, "value": value, "of": of, "row": row, "name": name}

    def told_row(self, rows: Rows, row_id: str) -> dict[str, Any]:
        """A row as events tell of it: {"id", "cells": [value of each column]}."""
        return {"id": row_id, "cells": [self.told(f"{rows.name}/{row_id}/{column.name}") for column in rows.columns]}

    def cell(self, address: str) -> dict[str, Any]:
        """A value as templates draw it."""
        return drawn(self.rules, self.told(address))

    def row_cells(self, rows: Rows, row_id: str) -> dict[str, Any]:
        """A row as templates draw it: {"id", "cells": [cell of each column]}."""
        row = self.told_row(rows, row_id)
        return row | {"cells": [drawn(self.rules, told) for told in row["cells"]]}

    def about_field(self, address: str, name: str) -> About:
        """The subject under which the history of a field, a row ("traits/4f2a") or a list of rows is found."""
        return About(f"field:{uuid5(self.pk, address)}", name)

    @property
    def _whose(self) -> str:
        return GMS_OWN if self.owner_id is None else str(self.owner_id)

    @property
    def _own(self) -> dict[str, Any]:
        return self.private.get(self._whose, {})
