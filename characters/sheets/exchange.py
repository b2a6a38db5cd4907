"""Sheets as files: written, and read from untrusted input (docs/sheets.md).

    file = written(head, values, names, may)      # {"format": "afterburn-sheet", "version": 1, …}
    brought = read(json.loads(text), may, key)    # Brought(head, values, …); raises Faults with a path for each fault

A path is an address with the number of a row, from 1, in place of the id: "traits/3/dice". Ids are neither exported nor
imported: rows get new ones, and the targets of links are written by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

from campaigns.text import TextError
from characters.sheets import SHEETS, crew_sheet, sheet_of, with_crews
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import (
    SHORTENED,
    Choice,
    Field,
    Flag,
    Link,
    Measure,
    Number,
    Rows,
    SheetError,
    Text,
    Visibility,
    clean_line,
)
from characters.sheets.sheet import Sheet, Values
from languages.text import gettext as _
from languages.text import ngettext

FORMAT = "afterburn-sheet"
VERSION = 4
MOST_FAULTS = 20
LONGEST_NAME = 80
LONGEST_CONCEPT = 120
LONGEST_FAULT = 300
KEYS = ("format", "version", "system", "crew", "name", "concept", "values", "rows")
EVERYTHING = frozenset(Visibility)
_ID = re.compile(r"[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")


class Faults(Exception):
    """A file that is no acceptable sheet: (path, error), at most 20 of them, in the order they were found."""

    def __init__(self, faults: list[tuple[str, str]]) -> None:
        super().__init__(f"{len(faults)} faults")
        self.faults = faults


@dataclass(frozen=True)
class Head:
    """Whose sheet it is. `system` is the system's name, of a crew's sheet too."""

    system: str
    name: str
    concept: str = ""
    is_crew: bool = False

    @property
    def sheet(self) -> Sheet:
        return sheet_of(self.system, is_crew=self.is_crew)


@dataclass(frozen=True)
class Brought:
    """A sheet from a file, every value cleaned.

    `links` maps the addresses of links to the names of those they go to, who still have to be looked for. `disposition` is None
    where the file names none.
    """

    head: Head
    values: dict[str, Any]
    links: dict[str, str]
    disposition: int | None = None


def written(head: Head, values: Values, names: Mapping[str, str], may: Collection[Visibility]) -> dict[str, Any]:
    """Return the file of a sheet, with the fields of the visibilities `may`.

    `values` may also hold "disposition"; `names` are the names of link targets that the reader knows: links to others
    are left empty.
    """
    sheet = head.sheet
    fields = {name: sheet.value(values, name) for name, kind in sheet.fields.items() if kind.visibility in may}
    if DISPOSITION.name in values and DISPOSITION.visibility in may:
        fields[DISPOSITION.name] = values[DISPOSITION.name]
    lists = {name: kind for name, kind in sheet.lists.items() if kind.visibility in may}
    return {
        "format": FORMAT,
        "version": VERSION,
        "system": head.system,
        "crew": head.is_crew,
        "name": head.name,
        "concept": head.concept,
        "values": fields,
        "rows": {name: [_row(kind, row, names) for row in sheet.rows(values, name)] for name, kind in lists.items()},
    }


def _row(kind: Rows, row: Values, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        column.name: names.get(row[column.name], "") if isinstance(column, Link) else row[column.name]
        for column in kind.columns
    }


def read(file: object, may: Collection[Visibility], key: UUID) -> Brought:
    """Return the sheet in a file, for a person who may write fields of the visibilities `may`; the ids of its rows
    follow from `key`. Raises Faults.
    """
    if not isinstance(file, Mapping) or file.get("format") != FORMAT:
        raise Faults([("format", _("This is not a sheet: it has to say “{format}” here.").format(format=FORMAT))])
    if type(file.get("version")) is not int or not 1 <= file["version"] <= VERSION:
        raise Faults([("version", _("Only versions 1 to {newest} can be read.").format(newest=VERSION))])
    reader = _Reader(file, frozenset(may), key)
    head = reader.head()
    if head is None:
        raise Faults(reader.faults)
    values, disposition = reader.fields(head)
    values = reader.lists(head.sheet, values)
    if reader.faults:
        raise Faults(reader.faults)
    return Brought(head, values, reader.links, disposition)


@dataclass
class _Reader:
    """Reads on after a fault, so that all are found together."""

    file: Mapping[str, object]
    may: frozenset[Visibility]
    key: UUID
    faults: list[tuple[str, str]] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)

    def fault(self, path: str, message: str) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append((shown(path), shown(message, LONGEST_FAULT)))

    def head(self) -> Head | None:
        """Return the head of the file; None if it does not even name a sheet."""
        for name in self.file:
            if name not in KEYS:
                self.fault(name, _("A sheet has nothing with this name."))
        system, is_crew = self.file.get("system"), self.file.get("crew", False)
        name = self.line(self.file.get("name", ""), "name", LONGEST_NAME)
        if not name and not self.faults:
            self.fault("name", _("A character needs a name."))
        concept = self.line(self.file.get("concept", ""), "concept", LONGEST_CONCEPT)
        systems = [sheet.name for sheet in SHEETS.values() if not sheet.crew_of]
        if not isinstance(system, str) or system not in systems:
            self.fault("system", _("This has to be one of: {systems}.").format(systems=", ".join(systems)))
        elif not isinstance(is_crew, bool) or (is_crew and crew_sheet(system) is None):
            able = ", ".join(with_crews(systems)) or "–"
            self.fault("crew", _("This is true for crews (only in: {systems}), otherwise false.").format(systems=able))
        else:
            return Head(system, name, concept, is_crew)
        return None

    def fields(self, head: Head) -> tuple[dict[str, Any], int | None]:
        """Taken in the sheet's own order, so that ceilings are there before what may not exceed them."""
        sheet, given = head.sheet, self.mapping("values")
        values: dict[str, Any] = {}
        for name in given:
            if name not in sheet.fields and name not in sheet.retired and (name != DISPOSITION.name or head.is_crew):
                self.fault(name, _("This sheet has no field with this name."))
        for name in (wanted for wanted in sheet.fields if wanted in given):
            if self.allowed(name, sheet.fields[name].visibility):
                try:
                    values = sheet.put(values, name, given[name])
                except SheetError as error:
                    self.fault(name, error.message)
        if DISPOSITION.name not in given or head.is_crew:
            return values, None
        return values, self.cleaned(DISPOSITION, DISPOSITION.name, given[DISPOSITION.name])

    def lists(self, sheet: Sheet, values: dict[str, Any]) -> dict[str, Any]:
        given = self.mapping("rows")
        for name in given:
            if name not in sheet.lists:
                self.fault(name, _("This sheet has no list with this name."))
        for name in (kind for kind in sheet.lists if kind in given):
            if self.allowed(name, sheet.lists[name].visibility):
                values = self.rows(sheet, sheet.lists[name], values, given[name])
        return values

    def rows(self, sheet: Sheet, kind: Rows, values: dict[str, Any], given: object) -> dict[str, Any]:
        if not isinstance(given, list):
            self.fault(kind.name, _("{rows}: this has to be a list of rows.").format(rows=kind.label))
        elif len(given) > kind.most:
            message = ngettext("Only {count} row fits, not {given}.", "Only {count} rows fit, not {given}.", kind.most)
            self.fault(kind.name, message.format(count=kind.most, given=len(given)))
        else:
            for number, row in enumerate(given, 1):
                row_id = uuid5(self.key, f"{kind.name} {number}").hex
                columns = self.row(kind, row, f"{kind.name}/{number}", row_id)
                if not self.faults:
                    values = sheet.add_row(values, kind.name, row_id, columns)
        return values

    def row(self, kind: Rows, given: object, path: str, row_id: str) -> dict[str, Any]:
        """Return the values of a row, without its links."""
        if not isinstance(given, Mapping):
            self.fault(path, _("A row has to be an object of columns and values."))
            return {}
        columns = {column.name: column for column in kind.columns}
        for name in given:
            if name not in columns:
                self.fault(f"{path}/{name}", _("{rows}: there is no column with this name.").format(rows=kind.label))
        values: dict[str, Any] = {}
        for name, column in columns.items():
            value = given.get(name, column.start)
            if isinstance(column, Link):
                self.link(f"{kind.name}/{row_id}/{name}", value, f"{path}/{name}")
            else:
                values[name] = self.cleaned(column, f"{path}/{name}", value)
        return values

    def link(self, address: str, value: object, path: str) -> None:
        name = self.line(value, path, LONGEST_NAME)
        if _ID.fullmatch(name):
            self.fault(path, _("Enter a character’s name here, or nothing. IDs mean nothing in another campaign."))
        elif name:
            self.links[address] = name

    def cleaned(self, kind: Field, path: str, value: object) -> Any:
        """Return the cleaned value; None, with a fault, if the field cannot hold it."""
        try:
            return kind.clean(value)
        except SheetError as error:
            self.fault(path, error.message)
            return None

    def line(self, value: object, path: str, limit: int) -> str:
        try:
            if isinstance(value, str):
                return clean_line(value, limit)
            self.fault(path, _("This has to be text."))
        except TextError as error:
            said = str(error)
            self.fault(path, said[:1].upper() + said[1:])
        return ""

    def allowed(self, path: str, visibility: Visibility) -> bool:
        if visibility in self.may:
            return True
        if visibility is Visibility.SECRET:
            self.fault(path, _("Only GMs can import this. Remove it from the file."))
        else:
            self.fault(path, _("Only their author can import private notes. Remove them from the file."))
        return False

    def mapping(self, name: str) -> Mapping[str, object]:
        mapping = self.file.get(name, {})
        if isinstance(mapping, Mapping):
            return mapping
        self.fault(name, _("This has to be an object of names and values."))
        return {}


def shown(text: str, most: int = 2 * SHORTENED) -> str:
    """Return a text as it can be shown: names in a file may hold anything."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:most])


# The JSON Schema of a sheet's file: docs/sheet.schema.json, written from the sheets themselves.
#
# `manage.py sheet_schema` prints it, with all rulesets that are installed; a test holds that the file in the docs is so.


def schema() -> dict[str, Any]:
    """Return the JSON schema of all sheets' files, each with all that it may contain; what is left out has its default."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A sheet of Afterburn",
        "description": "See sheets.md. At most 1 MB of JSON in UTF-8.",
        "oneOf": [_file(sheet) for sheet in SHEETS.values()],
    }


def _file(sheet: Sheet) -> dict[str, Any]:
    is_crew = bool(sheet.crew_of)
    fields = dict(sheet.fields) if is_crew else {**sheet.fields, DISPOSITION.name: DISPOSITION}
    head = {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "system": {"const": sheet.crew_of or sheet.name},
        "crew": {"const": is_crew},
        "name": {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME},
        "concept": {"type": "string", "maxLength": LONGEST_CONCEPT},
    }
    return _object(
        {
            **head,
            "values": _object({field.name: _value(field) for field in fields.values()}),
            "rows": _object({rows.name: _rows(rows) for rows in sheet.lists.values()}),
        },
        required=["format", "version", "system", "name", *(["crew"] if is_crew else [])],
    )


def _rows(rows: Rows) -> dict[str, Any]:
    required = [column.name for column in rows.columns if isinstance(column, Text) and column.required]
    row = _object({column.name: _value(column) for column in rows.columns}, required=required)
    return {"type": "array", "title": str(rows.label), "maxItems": rows.most, "items": row}


def _value(field: Field) -> dict[str, Any]:
    return {"title": str(field.label), **_kind(field)}


def _kind(field: Field) -> dict[str, Any]:
    if isinstance(field, Number):
        return {"type": "integer", "minimum": field.minimum, "maximum": field.maximum}
    if isinstance(field, Flag):
        return {"type": "boolean"}
    if isinstance(field, Choice):
        return {"enum": [held for held, _ in field.choices]}
    if isinstance(field, Measure):
        return {"type": "string", "pattern": r"^[0-9]{1,6}([.,][0-9]{1,3})?$"}
    if isinstance(field, Link):
        return {"type": "string", "maxLength": LONGEST_NAME, "description": "What somebody is called, or nothing."}
    assert isinstance(field, Text)  # noqa: S101  # there are no other kinds
    return {"type": "string", "maxLength": field.most} | ({"minLength": 1} if field.required else {})


def _object(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    needed = {"required": required} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def text() -> str:
    """Return the schema as in its file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False)
