"""The JSON Schema of a sheet's file: docs/sheet.schema.json, written from the sheets themselves.

`manage.py sheet_schema` prints it, with all rulesets that are installed; a test holds that the file in the docs is so.
"""

from __future__ import annotations

import json
from typing import Any

from characters.sheets import SHEETS
from characters.sheets.common import DISPOSITION
from characters.sheets.exchange import FORMAT, LONGEST_CONCEPT, LONGEST_NAME, VERSION
from characters.sheets.fields import Choice, Field, Flag, Link, Measure, Number, Rows, Text
from characters.sheets.sheet import Sheet


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
