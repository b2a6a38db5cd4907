"""The forms of acts, made from what their methods take (rules/acting.py)."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from django import forms

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from rolls.forms.base import WholeNumber
from rolls.models import Procedure as StoredProcedure
from rolls.procedures import Played, ProcedureForm
from rolls.queries.table import StoredTable, procedure_row
from rules.acting import Asked, Between, Procedure, Text
from rules.acts import Target
from rules.table import Table


class ActForm(ProcedureForm):
    """The form of an act, drawn by <system>/<kind>_<act>.html; there is `options` {name: [(value, words)]} of what is chosen."""

    system: ClassVar[str]
    rows: ClassVar[type[Procedure]]
    asks: ClassVar[tuple[Asked, ...]]

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return cls._options(cls._table(viewer), cls.rows())

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: StoredProcedure, target: Target) -> dict[str, Any]:
        return cls._options(cls._table(viewer), procedure_row(cls.rows, procedure))

    @classmethod
    def _table(cls, viewer: Viewer) -> Table:
        table = StoredTable(viewer.campaign, cls.system)
        return table if viewer.is_gm else table.seen()

    @classmethod
    def _options(cls, table: Table, procedure: Procedure) -> dict[str, Any]:
        there = ((asked.name, asked.choices(procedure, table)) for asked in cls.asks)
        return {"options": {name: [(key, str(words)) for key, _, words in found] for name, found in there if found}}


def played(system: str, rows: type[Procedure]) -> Played:
    """Return a kind of procedure of a game whose acts are the methods of this class."""
    return Played(rows, {act.name: _form(system, rows, act.asks) for act in rows.acts.values() if act.asks})


def _form(system: str, rows: type[Procedure], asks: tuple[Asked, ...]) -> type[ActForm]:
    fields = {asked.name: _field(asked) for asked in asks}
    return type(f"{rows.__name__}Form", (ActForm,), fields | {"system": system, "rows": rows, "asks": asks})


def _field(asked: Asked) -> forms.Field:
    required, usual = asked.default is inspect.Parameter.empty, asked.default
    if asked.kind is bool:
        return forms.BooleanField(required=False, label=asked.label)
    if between := asked.mark(Between):
        return WholeNumber(asked.label, between.low, between.high, None if required else usual)
    most = text.most if (text := asked.mark(Text)) else MOST_KEY
    return LineField(max_length=most, required=required, label=asked.label)


MOST_KEY = 80
"""The most letters of what is chosen, as addresses name it (rules/acts.py)."""
