"""Values of a sheet in events, and how they are drawn: the labels and the words come from the sheet when it is read.

A value in a payload is {"field": its address, "value", "of": the number of dots or boxes, 0 without any, "row": the
title of its row, "" without one, "name": that of a link's character, "" without one}.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Choice, Field, Flag, Link, Number, Rows, SheetError, Text, Value
from characters.sheets.sheet import STATE, Resource, Sheet
from languages.text import colon
from languages.text import gettext as _

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


# Which values of a sheet the table shows, and what a press changes. Pure Python.


KINDS: tuple[tuple[type[Field], str], ...] = ((Number, "number"), (Flag, "flag"), (Choice, "choice"))


def named(sheet: Sheet, name: str) -> Resource:
    """Return the resource with this name, flag, count or row column. Raises SheetError if there is none."""
    list_name, column = name.partition("/")[0], name.rpartition("/")[2]
    rows = sheet.lists.get(list_name)
    for resource in sheet.layout.resources:
        if name in {resource.name, *resource.flags, *resource.counts} or (
            rows and list_name == resource.name and column == rows.trait
        ):
            return resource
    raise SheetError(_("This can’t be marked here."), field=name)


def label_of(sheet: Sheet, resource: Resource) -> str:
    """Return the label of a resource in a row of others."""
    field = sheet.fields.get(resource.name) or sheet.lists.get(resource.name)
    return str(resource.label or (field.label if field else resource.name))


def kind_of(sheet: Sheet, resource: Resource) -> str:
    """Return how a resource is marked: "number", "counts", "flag", "choice", "track", "chosen", "rows"; "figure" if it
    is only shown.
    """
    if resource.counts:
        return "counts"
    if resource.flags:
        return "chosen" if resource.chosen else "track"
    if resource.name in sheet.lists:
        return "rows"
    return next((name for kind, name in KINDS if isinstance(sheet.fields.get(resource.name), kind)), "figure")


def in_sight(sheet: Sheet, address: str) -> bool:
    """Return whether the table shows a value beside the character's name: a field, or the shown columns of its rows."""
    name, _, column = address.rpartition("/")
    rows = sheet.lists.get(name.partition("/")[0]) if name else None
    kept = {
        resource.name for resource in sheet.layout.resources if not (resource.own or resource.figure or resource.flags)
    }
    if rows is None:
        return address in kept
    return rows.name in kept and column in shown_columns(rows)


def shown_columns(rows: Rows) -> tuple[str, ...]:
    """Return the columns shown of a row: its title, and its trait for rolls."""
    return (rows.title, rows.trait) if rows.trait else (rows.title,)


def figure_in_sight(sheet: Sheet, name: str) -> bool:
    return name == STATE or any(resource.figure == name for resource in sheet.layout.resources if not resource.own)


def marked(sheet: Sheet, values: Mapping[str, Any], name: str, by: int) -> Iterator[tuple[str, object]]:
    """Yield the changes, (address, value), that move a resource by so much; one flag of several has its own name, and a
    row's number its address.

    Raises SheetError for unknown resources, for rows as a whole, and for a track without room, or with nothing to remove.
    """
    resource = named(sheet, name)
    kind = kind_of(sheet, resource)
    if kind == "number" or (kind in ("rows", "counts") and name != resource.name):
        yield name, sheet.number(values, name) + by
    elif kind == "track" and name == resource.name:
        yield from _along(sheet, values, resource, by)
    elif kind == "flag" or name in resource.flags:
        yield name, by > 0
    else:
        raise SheetError(_("{resource}: choose which one.").format(resource=label_of(sheet, resource)), field=name)


def _along(sheet: Sheet, values: Mapping[str, Any], resource: Resource, by: int) -> Iterator[tuple[str, object]]:
    flags = resource.flags[: sheet.number(values, resource.length)] if resource.length else resource.flags
    wanted = by > 0
    movable = [flag for flag in flags if bool(sheet.value(values, flag)) is not wanted]
    if len(movable) < abs(by):
        message = _("{resource}: no boxes left to cross off.") if wanted else _("{resource}: no boxes are crossed off.")
        raise SheetError(message.format(resource=label_of(sheet, resource)), field=resource.name)
    for flag in movable[:by] if wanted else movable[by:]:
        yield flag, wanted
