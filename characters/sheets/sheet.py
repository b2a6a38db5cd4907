"""A sheet: which fields a system has, and pure functions on the values of one character.

An *address* names one value: a field's name ("strength"), or rows, row and column ("traits/4f2a/dice").

`values` is a plain mapping, as JSON keeps it: fields to their values, rows to lists of {"id": …, "at": …, column: value}, where
`at` is a number by which rows are ordered and which stays theirs. What is not in it has its default. Nothing here changes the
mapping it is given: `put`, `add_row` and `remove_row` give new ones.

    values = SHEET.put({}, "will", 7)
    values = SHEET.add_row(values, "traits", "4f2a", {"name": "Fencing", "dice": 3})
    SHEET.value(values, "traits/4f2a/dice")  # 3
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from characters.sheets.fields import SHORTENED, Field, Number, RowGone, Rows, SheetError, Value, Visibility
from languages.letters import fold
from languages.text import gettext as _
from languages.text import ngettext

STATE: Final = "state"
"""The name of the figure that says in a few words how a character is, beside its name in the party; its label is not shown."""


@dataclass(frozen=True)
class Resource:
    """A value of the sheet that is shown and marked in play. `name` is that of a number, a flag, a choice or rows; with
    `flags` it is its own.

    `flags` in their order are a track, as long as the number `length` says; if the resource is `chosen`, they have no order,
    and the player says which one to mark. `figure` names what is shown instead of its value (characters/figures.py); a
    resource that is only a figure is shown, not marked. If the figure draws a track for several numbers, these are `counts`,
    and its levels say what a press changes. Boxes are drawn as `drops`. Resources are shown beside the names of the party;
    those that are `own` only below the traits of the character at hand, where a `note` says in a few words what it does.
    """

    name: str
    label: str = ""
    flags: tuple[str, ...] = ()
    length: str = ""
    chosen: bool = False
    figure: str = ""
    counts: tuple[str, ...] = ()
    drops: bool = False
    own: bool = False
    note: str = ""

    @property
    def shows(self) -> frozenset[str]:
        """Return the fields and rows whose values are shown with it in full."""
        return frozenset({self.name, *self.flags, *self.counts, *([self.length] if self.length else [])})


Values: TypeAlias = Mapping[str, Any]
"""The values of one sheet, as `Sheet` describes."""

ROW_ID = re.compile(r"[0-9a-z]{1,32}")


@dataclass(frozen=True)
class Group:
    """Fields and rows under one heading; on the table page only if it is `at_hand` there. `by_label` ones stand in the order of
    their labels in the reader's language.
    """

    name: str
    label: str
    fields: tuple[Field | Rows, ...]
    at_hand: bool = True
    by_label: bool = False

    @property
    def in_order(self) -> list[Field | Rows]:
        """Return the fields and rows as they are read: rows last, if they are `by_label`."""
        if not self.by_label:
            return list(self.fields)
        return sorted(self.fields, key=lambda field: (isinstance(field, Rows), fold(str(field.label))))


@dataclass(frozen=True)
class Layout:
    """How pages draw a sheet, by the names of its groups.

    `bands` are side by side from the top; other groups follow in columns. `gathers` are (name, label, groups) that the
    table page shows as one, in alphabetical order. `slots` are the fields of the roll form that a pressed number and a
    pressed row fill in. `scripts` are static files, JavaScript modules, that its page needs besides those of all
    sheets. `resources` are what the table shows of every character.
    """

    bands: tuple[tuple[str, ...], ...] = ()
    gathers: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    slots: tuple[str, str] = ("pool", "pool")
    scripts: tuple[str, ...] = ()
    resources: tuple[Resource, ...] = ()


@dataclass(frozen=True)
class Limit:
    """Numbers and flags that share one track: together no more than `most`, which `label` names."""

    label: str
    names: tuple[str, ...]
    most: int


@dataclass(frozen=True)
class Drawn:
    """A number as it is drawn: `of` is the number of marks, `value` how many of them are filled."""

    field: Number
    value: int
    of: int


@dataclass(frozen=True)
class FieldAddress:
    """Where an address points: at a field, and in which rows and which row, if it is a column of one."""

    field: Field
    rows: Rows | None = None
    row: str = ""

    @property
    def visibility(self) -> Visibility:
        return self.rows.visibility if self.rows else self.field.visibility


class Sheet:
    """The fields of one ruleset's characters, or of its crews (`crew_of` names the ruleset). No two sheets have one `name`.

    `retired` are the names of fields that it had once: files of that time may hold them, and no other field is called so.
    `quick` is the number in which a quick NPC's dice are kept, "" if the sheet has none.
    """

    def __init__(
        self,
        name: str,
        groups: Sequence[Group],
        limits: Sequence[Limit] = (),
        *,
        layout: Layout | None = None,
        crew_of: str = "",
        retired: Sequence[str] = (),
        quick: str = "",
    ) -> None:
        self.name = name
        self.retired = frozenset(retired)
        self.quick = quick
        self.crew_of = crew_of
        self.layout = layout or Layout()
        self.groups = tuple(groups)
        self.limits = tuple(limits)
        held = [(field, group) for group in self.groups for field in group.fields]
        self.fields: dict[str, Field] = {field.name: field for field, _ in held if isinstance(field, Field)}
        self.lists: dict[str, Rows] = {field.name: field for field, _ in held if isinstance(field, Rows)}
        self._groups = {field.name: group.name for field, group in held}

    def place(self, address: str) -> FieldAddress:
        """Raises SheetError for what no sheet of this kind has; whether there is such a row, only values can say."""
        name, *inside = address.split("/", 3)
        if not inside and name in self.fields:
            return FieldAddress(self.fields[name])
        if len(inside) == 2 and name in self.lists and ROW_ID.fullmatch(inside[0]):
            return FieldAddress(self.lists[name].column(inside[1]), self.lists[name], inside[0])
        message = _("This sheet has no field called “{name}”.").format(name=address[:SHORTENED])
        raise SheetError(message, field=address[:SHORTENED])

    def field(self, address: str) -> Field:
        """Return the field of exactly this address. Raises SheetError."""
        return self.place(address).field

    def rows_called(self, name: str) -> Rows:
        """Raises SheetError."""
        if name not in self.lists:
            message = _("This sheet has no list called “{name}”.").format(name=name[:SHORTENED])
            raise SheetError(message, field=name[:SHORTENED])
        return self.lists[name]

    def group_of(self, address: str) -> str:
        """Return the name of the group that a field or rows belong to; "" for unknown ones."""
        return self._groups.get(address.split("/")[0], "")

    def visibility_of(self, name: str) -> Visibility:
        """Return the visibility of a field or rows, by their name."""
        return self.lists[name].visibility if name in self.lists else self.place(name).visibility

    def value(self, values: Values, address: str) -> Value:
        """Return the current value of a field. Raises SheetError, RowGone if its row does not exist."""
        place = self.place(address)
        if place.rows is not None:
            held: Value = self.row(values, place.rows.name, place.row)[place.field.name]
            return held
        value: Value = values.get(place.field.name, place.field.start)
        ceiling = place.field.ceiling if isinstance(place.field, Number) else ""
        return min(value, self.value(values, ceiling)) if ceiling else value

    def number(self, values: Values, address: str) -> int:
        """Return the current value of a Number. Raises SheetError, also for other fields."""
        value = self.value(values, address)
        if isinstance(value, bool) or not isinstance(value, int):
            raise SheetError(_("{field} is not a number.").format(field=self.field(address).label), field=address)
        return value

    def highest(self, values: Values, address: str) -> int:
        """Return how far a Number goes now: to its maximum, or to its ceiling where that is lower. Raises SheetError."""
        place = self.place(address)
        if not isinstance(place.field, Number):
            raise SheetError(_("{field} is not a number.").format(field=place.field.label), field=address)
        most = self._most(values, place)
        return place.field.maximum if most is None else min(place.field.maximum, most)

    def clean(self, values: Values, address: str, value: object) -> Value:
        """Return `value` cleaned as the field may hold it beside the other values. Raises SheetError with the address."""
        place = self.place(address)
        try:
            if not isinstance(place.field, Number):
                cleaned = place.field.clean(value)
            else:
                cleaned = place.field.clean(value, most=self._most(values, place))
        except SheetError as error:
            error.field = address
            raise
        self._check_limits(values, address, cleaned)
        return cleaned

    def put(self, values: Values, address: str, value: object) -> dict[str, Any]:
        """New values with one of them set, and what may not exceed it lowered. Raises SheetError, RowGone."""
        place, cleaned = self.place(address), self.clean(values, address, value)
        if place.rows is not None:
            self.row(values, place.rows.name, place.row)
            changed = [
                {**row, place.field.name: cleaned} if row["id"] == place.row else row
                for row in values.get(place.rows.name, [])
            ]
            return {**values, place.rows.name: changed}
        held = {**values, address: cleaned}
        lowered = {field.name: self.value(held, field.name) for field in self.capped_by(address)}
        return held | {name: now for name, now in lowered.items() if now != self.value(values, name)}

    def capped_by(self, name: str) -> list[Number]:
        """Return the fields that are lowered for good with this one: those that may not exceed it and have the same
        visibility.

        Others only read as lower while it is lowered (`value`). Otherwise the writer of this one could overwrite a
        secret, and learn its value.
        """
        numbers = (field for field in self.fields.values() if isinstance(field, Number) and field.ceiling == name)
        return [field for field in numbers if field.visibility is self.visibility_of(name)]

    def drawn(self, values: Values, address: str) -> Drawn:
        """Return a number as it is drawn. Raises SheetError for other fields."""
        field, value = self.field(address), self.number(values, address)
        assert isinstance(field, Number)  # noqa: S101  # or `number` had refused
        of = field.drawn or (self.number(values, field.ceiling) if field.ceiling else field.maximum)
        return Drawn(field, value, max(of, value))

    # Rows

    def rows(self, values: Values, name: str) -> list[dict[str, Any]]:
        """Return all rows of a list, in their order, each with its id and a value for every column. Raises SheetError."""
        rows = self.rows_called(name)
        return [_whole(rows, row) for row in values.get(name, [])]

    def row(self, values: Values, name: str, row_id: str) -> dict[str, Any]:
        """Return a row of a list. Raises RowGone if it does not exist."""
        rows = self.rows_called(name)
        for row in values.get(name, []):
            if row["id"] == row_id:
                return _whole(rows, row)
        message = _("This row is no longer on the sheet ({kind}).").format(kind=rows.singular)
        raise RowGone(message, field=f"{name}/{row_id[:SHORTENED]}")

    def add_row(
        self, values: Values, name: str, row_id: str, given: Mapping[str, object], at: int | None = None
    ) -> dict[str, Any]:
        """New values with a row more: behind all others, or where its `at` puts it. Raises SheetError."""
        rows, present = self.rows_called(name), list(values.get(name, []))
        if not ROW_ID.fullmatch(row_id) or any(row["id"] == row_id for row in present):
            raise SheetError(_("Each row needs its own ID."), field=name, value=row_id[:SHORTENED])
        if len(present) >= rows.most:
            room = ngettext("{rows}: only {count} fits.", "{rows}: only {count} fit.", rows.most)
            message = room.format(rows=rows.label, count=rows.most)
            raise SheetError(message, field=name, value=len(present), range=(0, rows.most))
        for column in given:
            rows.column(column)
        last = max((row["at"] for row in present), default=-1)
        row: dict[str, Any] = {"id": row_id, "at": last + 1 if at is None else at}
        for field in rows.columns:
            # Required columns are checked even if nothing was given.
            row[field.name] = self.clean(values, f"{name}/{row_id}/{field.name}", given.get(field.name, field.start))
        return {**values, name: sorted([*present, row], key=lambda other: int(other["at"]))}

    def remove_row(self, values: Values, name: str, row_id: str) -> dict[str, Any]:
        """New values without it. Raises RowGone."""
        self.row(values, name, row_id)
        return {**values, name: [row for row in values[name] if row["id"] != row_id]}

    # Whole sheets

    def cleaned(self, given: object) -> dict[str, Any]:
        """Values from outside, such as an import: every field and row checked as if it were set one by one.

        Rows are taken in the order they come in. Raises SheetError with the address at fault.
        """
        if not isinstance(given, Mapping):
            raise SheetError(_("A sheet is an object of names and values."), value=type(given).__name__)
        for name in given:
            if name not in self.fields and name not in self.lists:
                self.place(str(name))
        values: dict[str, Any] = {}
        # In the sheet's own order, so that ceilings are there before what may not exceed them.
        for name in self.fields:
            if name in given:
                values = self.put(values, name, given[name])
        for name in self.lists:
            values = self._cleaned_rows(values, name, given.get(name, []))
        return values

    def _cleaned_rows(self, values: dict[str, Any], name: str, rows: object) -> dict[str, Any]:
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise SheetError(
                _("{rows}: this has to be a list of rows.").format(rows=self.lists[name].label), field=name
            )
        for row in rows:
            columns = {key: value for key, value in row.items() if key not in ("id", "at")}
            values = self.add_row(values, name, str(row.get("id", "")), columns)
        return values

    def _most(self, values: Values, place: FieldAddress) -> int | None:
        """Return the maximum of a number that others set; None if only its own counts."""
        field = place.field
        if place.rows is not None or not isinstance(field, Number) or not field.ceiling:
            return None
        return self.number(values, field.ceiling)

    def _check_limits(self, values: Values, name: str, value: Value) -> None:
        for limit in self.limits:
            if name not in limit.names or int(value) <= int(self.value(values, name)):
                continue
            others = sum(int(self.value(values, other)) for other in limit.names if other != name)
            if others + int(value) > limit.most:
                room = max(0, limit.most - others)
                message = _("{limit}: {most} in total, {taken} already taken. There’s room for {room}.")
                message = message.format(limit=limit.label, most=limit.most, taken=others, room=room)
                raise SheetError(message, field=name, value=value, range=(0, room))


def _whole(rows: Rows, row: Mapping[str, Any]) -> dict[str, Any]:
    return {**{field.name: field.start for field in rows.columns}, **row}
