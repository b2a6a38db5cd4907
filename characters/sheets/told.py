"""Values of a sheet in events, and how they are drawn: the labels and the words come from the sheet when it is read.

A value in a payload is {"field": its address, "value", "of": the number of dots or boxes, 0 without any, "row": the
title of its row, "" without one, "name": that of a link's character, "" without one}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Field, Link, Number, Rows, SheetError, Text, Value
from characters.sheets.sheet import Sheet
from languages.text import colon

LONG = "long"


def drawn(sheet: Sheet, cell: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value as templates draw it: what events keep, with {"label", "style", "words"}.

    `style` is one of "dots", "boxes", "signed", "number", "text", "long", "choice", "flag", "measure" or "link";
    `words` is the value as people read it, "" if the text itself is the value. A field that the sheet does not have is
    labelled by its name.
    """
    field = field_at(sheet, cell["field"])
    if field is None:
        return {**cell, "label": plain(cell["field"]), "style": "text", "words": ""}
    words = cell["name"] if isinstance(field, Link) else words_of(field, cell["value"])
    named = {"label": label(sheet, cell["field"], cell["row"]), "style": style_of(field), "words": words}
    return {**cell, "value": field.shown(cell["value"]), **named}


def label(sheet: Sheet, address: str, row: str = "") -> str:
    """Return the label of a value: "Strength", "Fencing: Dice"; `row` is its row's title."""
    if address == DISPOSITION.name:
        return str(DISPOSITION.label)
    try:
        place = sheet.place(address)
    except SheetError:
        return plain(address)
    if place.rows is None:
        return str(place.field.label)
    if place.field.name == place.rows.title:
        return str(place.rows.singular)
    return f"{title(place.rows, row)}{colon()}{place.field.label}"


def title(rows: Rows, name: str) -> str:
    """Return a row's title as it is read: its `name`, or what one such row is called."""
    return rows.column(rows.title).words(name) or str(rows.singular)


def field_at(sheet: Sheet, address: str) -> Field | None:
    """Return the field at an address; None if the sheet does not have it."""
    if address == DISPOSITION.name:
        return DISPOSITION
    try:
        return sheet.field(address)
    except SheetError:
        return None


def style_of(field: Field) -> str:
    """Return how a value is drawn."""
    if isinstance(field, Number):
        return field.marks.value
    return LONG if isinstance(field, Text) and field.long else field.kind


def words_of(field: Field, value: Value) -> str:
    """Return a value as people read it; "" where the text itself is the value."""
    return "" if isinstance(field, Text) else field.words(value)


def rows_words(sheet: Sheet, name: str) -> dict[str, str]:
    """Return the labels of a list and of one of its rows: {"label", "singular"}."""
    rows: Rows | None = sheet.lists.get(name)
    label, singular = (str(rows.label), str(rows.singular)) if rows else (plain(name), plain(name))
    return {"label": label, "singular": singular}


def plain(address: str) -> str:
    """Return the name of a field as it can be read: "Points now" for "points_now"."""
    return address.rpartition("/")[2].replace("_", " ").capitalize()
