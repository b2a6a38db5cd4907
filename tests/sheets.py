"""Sheets as tests want them, without an event for each field: what stands on them is given as values of a sheet hold it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from characters.models import Character
from characters.models.values import VALUE_COLUMNS
from characters.services.sheet_writes import save_rows
from characters.sheets.sheet import Values


def create_character(*, sheet: Values | None = None, secret: Values | None = None, **fields: Any) -> Character:
    """Make a character with these values on the open sheet, and in secret."""
    character = Character(**fields)
    character.hold(_numbered({**(sheet or {}), **(secret or {})}))
    character.save(force_insert=True)
    save_rows(character)
    return character


def put(character: Character, values: Values) -> Character:
    """Set these fields and lists, and leave the others as they are."""
    character.hold(character.values | _numbered(values))
    character.save(update_fields=VALUE_COLUMNS)
    save_rows(character)
    return character


def rewrite(character: Character, **values: Values) -> None:
    """Let nothing else than this `sheet` and `secret` be stored; the given object does not learn of it."""
    dress(Character.objects.get(pk=character.pk), **values)


def dress(character: Character, *, sheet: Values | None = None, secret: Values | None = None) -> Character:
    """Let nothing else stand on the open sheet, or in secret."""
    kept = {name: value for name, value in character.values.items() if name not in character.sheet | character.secret}
    open_sheet = character.sheet if sheet is None else _numbered(sheet)
    hidden = character.secret if secret is None else _numbered(secret)
    character.hold({**kept, **open_sheet, **hidden})
    character.save(update_fields=VALUE_COLUMNS)
    save_rows(character)
    return character


def _numbered(values: Values) -> dict[str, Any]:
    """Return values whose rows are numbered in the given order."""
    return {
        name: [_at(row, number) for number, row in enumerate(value)] if isinstance(value, list) else value
        for name, value in values.items()
    }


def _at(row: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {**row, "at": row.get("at", number)}
