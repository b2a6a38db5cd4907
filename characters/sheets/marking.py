"""Which values of a sheet the table shows, and what a press changes. Pure Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from characters.sheets.fields import Choice, Field, Flag, Number, Rows, SheetError
from characters.sheets.sheet import Resource, Sheet
from languages.text import gettext as _

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
    return any(resource.figure == name for resource in sheet.layout.resources if not resource.own)


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
