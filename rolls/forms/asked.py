"""The forms of acts and of rolls, made from what methods take and terms hold, by their annotations (rules/acting.py)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, get_args
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy, pgettext
from pydantic import BaseModel

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from rolls.forms.base import WholeNumber, said
from rolls.models import Procedure as StoredProcedure
from rolls.procedures import NO_CHARACTER, NOTHING, ProcedureForm, ProcedureKind
from rolls.queries.procedures import actor_of
from rolls.queries.table import StoredTable, procedure_row
from rolls.table_rules import RollInput
from rules.acting import (
    OPEN,
    Act,
    Asked,
    AsRead,
    Between,
    Like,
    OneOf,
    Procedure,
    Text,
    Unasked,
    Under,
    asked_of,
    called,
    key_of,
    nobody,
)
from rules.acts import Target
from rules.table import Table


class ActForm(ProcedureForm):
    """The form of an act, with a field for each argument that it has none of its own for, drawn by rolls/_asked.html, or by a
    template <system>/<kind>_<act>.html: there is `options` {name: [(value, words)]} of what is chosen, in `now` what is said
    already, the `target`, `whom` it is about, and in `parts` what the first of these draws."""

    system: ClassVar[str]
    rows: ClassVar[type[Procedure]]
    act: ClassVar[Act]
    note: ClassVar[str] = ""
    """A sentence below the fields."""

    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: Target) -> dict[str, Any]:
        """Return what its own template draws beside, from what this reader knows: by default nothing."""
        return {}

    @classmethod
    def prepared(cls, table: Table, procedure: Any, target: Target, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is drawn of what was pressed on the card already (`given`): by default nothing."""
        return {}

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        table = cls._table(viewer)
        return cls._options(table if viewer.is_gm else table.seen(), cls.rows())

    @classmethod
    def choices_in(
        cls, viewer: Viewer, procedure: StoredProcedure, target: Target, given: Mapping[str, Any] = NOTHING
    ) -> dict[str, Any]:
        whole = cls._table(viewer)
        row = whole.hold(procedure_row(cls.rows, procedure), procedure.pk)
        table = whole if viewer.is_gm else whole.seen()
        row = table.find(cls.rows, row.id) or row
        found = cls.act.target(row, table, [*map(str, target)]) or ()
        return cls._options(table, row, found) | cls.prepared(table, row, found, given)

    @classmethod
    def _table(cls, viewer: Viewer) -> StoredTable:
        return StoredTable(viewer.campaign, cls.system, by=actor_of(viewer.by))

    @classmethod
    def _options(cls, table: Table, procedure: Procedure, target: Target = ()) -> dict[str, Any]:
        asks = [one for one in cls.act.asks if not one.mark(Unasked) and one.is_asked(procedure, table, target)]
        so_far = procedure.so_far(cls.act.name, table, *target)
        every = {
            one.name: [(key, str(words)) for key, _, words in one.choices(procedure, table, target)] for one in asks
        }
        own = "" if table.by.is_gm else cls.own_field
        needed = (one for one in asks if one.is_needed or one.name == own)
        lacking = (_nothing(one) or (one.is_row and NO_CHARACTER) for one in needed if not every[one.name])
        now = {one.name: _stands(so_far.get(one.name, None if one.is_needed else one.default)) for one in asks}
        parts: list[tuple[str, list[dict[str, Any]]]] = [("", [])]
        for one in cls.act.asks:
            if head := one.mark(Under):
                parts.append((_said(head.words, procedure, table, target), []))
            options = every.get(one.name, [])
            if one.name != own:
                options = _or_none(one, options)
            if one in asks and one.label and (options or not one.is_chosen or _nothing(one)):
                label = _said(one.label, procedure, table, target)
                parts[-1][1].append(_drawn(one, label, options, now[one.name]))
        for _head, fields in parts:
            _pair(fields)
        return {
            "note": cls.note,
            "options": every,
            "nothing": next(filter(None, lacking), ""),
            "now": now,
            "target": target,
            "whom": str(called(target[0])) if target and isinstance(target[0], BaseModel) else "",
            "parts": [(head, fields) for head, fields in parts if fields],
            **cls.drawn(table, procedure, target),
        }


def _said(words: Any, procedure: Procedure, table: Table, target: Target) -> str:
    return str(words(procedure, table, *target) if callable(words) else words)


def _or_none(asked: Asked, options: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the options with one for none of them, where nothing has to be chosen and none says so itself."""
    optional = not asked.is_several and not asked.is_needed and asked.default in (None, "")
    if not optional or "" in dict(options) or not (options or asked.none):
        return options
    return [("", str(asked.none or pgettext("nothing is chosen", "none"))), *options]


def _nothing(asked: Asked) -> str:
    """Return what is read where there is nothing to choose."""
    listed = asked.mark(OneOf)
    return str(listed.nothing) if listed else ""


def _drawn(asked: Asked, label: str, options: list[tuple[str, str]], now: Any) -> dict[str, Any]:
    """Return a field as rolls/_asked.html draws it."""
    between, like, text = asked.mark(Between), asked.mark(Like), asked.mark(Text) or asked.mark(AsRead)
    several = asked.is_several
    example = str(like.words) if like else ""
    is_narrow = max(map(len, (label, example, *(words for _value, words in options)))) <= NARROW
    return {
        "name": asked.name,
        "label": label,
        "options": options,
        "several": several and [(value, words, value in now) for value, words in options],
        "between": between,
        "text": text,
        "now": now,
        "like": example,
        "nothing": _nothing(asked),
        "needed": asked.is_needed,
        "is_half": is_narrow and not several and bool(options or between or (text and text.most <= SHORT)),
    }


def _pair(fields: list[dict[str, Any]]) -> None:
    """Let short fields stand two in a row; one that would stand alone has the row."""
    for is_half, run in groupby([*fields], key=itemgetter("is_half")):
        *paired, last = run
        last["is_half"] = is_half and bool(len(paired) % 2)


def _stands(value: Any) -> Any:
    """Return what stands in a field that has this value."""
    if isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        return [*map(key_of, value)]
    return "" if value is None else key_of(value)


def played(
    system: str, rows: type[Procedure], forms: Mapping[str, type[ActForm]] = MappingProxyType({})
) -> ProcedureKind:
    """Return a kind of procedure of a game whose acts are the methods of this class, with the `forms` of acts whose templates
    need more than what is asked."""
    asking = (act for act in rows.acts.values() if act.by is not nobody and (act.asks or act.name == OPEN))
    return ProcedureKind(rows, {act.name: _form(system, rows, act, forms.get(act.name, ActForm)) for act in asking})


def _form(system: str, rows: type[Procedure], act: Act, base: type[ActForm]) -> type[ActForm]:
    missing = (asked for asked in act.asks if not asked.mark(Unasked) and asked.name not in base.base_fields)
    fields = {asked.name: _field(asked) for asked in missing}
    opens: dict[str, Any] = {"on_card": rows.on_card.get(act.name, "")}
    if act.name == OPEN:
        own, against = rows.against
        opens |= {"own_field": own, "against_field": against, "at_once": rows.at_once}
    return type(f"{rows.__name__}Form", (base,), fields | opens | {"system": system, "rows": rows, "act": act})


def _field(asked: Asked) -> forms.Field:
    label = "" if callable(asked.label) else asked.label
    if asked.kind is bool:
        return forms.BooleanField(required=False, label=label)
    if between := asked.mark(Between):
        usual = None if asked.is_needed else asked.default
        return WholeNumber(
            label, between.low, between.high, usual, words=between.words, required=asked.is_needed or None
        )
    if asked.is_several:
        return Several(required=asked.is_needed, label=label)
    line = asked.mark(Text) or asked.mark(AsRead)
    most = line.most if line else MOST_KEY
    return LineField(max_length=most, required=asked.is_needed, label=label)


F = TypeVar("F", bound=type[forms.Form])


def asks(*kinds: type[RollInput], only: Collection[str] = ()) -> Callable[[F], F]:
    """Give the form of a roll, or of its correction, a field for each annotated term of these kinds, or `only` for those of these
    names, that it has none of its own for. They are declared as the arguments of acts are: what is chosen by `OneOf`, of choices
    that ask for no table, a number `Between` two as well."""

    def add(form: F) -> F:
        terms = {asked.name: _typed(asked) for kind in kinds for asked in asked_of(kind)}
        form.base_fields = {name: terms[name] for name in only or terms if name in terms} | form.base_fields
        return form

    return add


def _typed(asked: Asked) -> forms.Field:
    """Return the field of a term, which may be left empty."""
    if UUID in (get_args(asked.kind) or (asked.kind,)):
        return forms.UUIDField(
            required=False, label=asked.label, error_messages=said(gettext_lazy("Choose from the list."))
        )
    listed, between = asked.mark(OneOf), asked.mark(Between)
    choices: Any = listed and partial(listed.choices, None, None)
    if listed and between:
        widget = forms.Select(choices=choices)
        return WholeNumber(asked.label, between.low, between.high, asked.default, widget=widget)
    return forms.ChoiceField(required=False, label=asked.label, choices=choices) if listed else _field(asked)


class Several(forms.MultipleChoiceField):
    """Some of what a form has shown; whether they may be chosen is asked under the lock (rules/acting.py)."""

    def to_python(self, value: Any) -> list[str]:
        return [one for one in super().to_python(value) if one]

    def valid_value(self, value: object) -> bool:
        return len(str(value)) <= LONGEST_KEY


SHORT = 120
NARROW = 24
"""Lines to type of up to so many letters, with labels, examples and choices of up to so many, have half a row."""
LONGEST_KEY = 120
MOST_KEY = 80
"""The most letters of what is chosen, as addresses name it (rules/acts.py)."""
