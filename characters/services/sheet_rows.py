"""Writing the rows of a sheet: those that are other than they were read, and no others."""

from __future__ import annotations

from django.db.models import QuerySet

from campaigns.errors import Conflict
from characters.models import Character, SheetRow

COMPARED = ("position", "visibility", "values")


def save_rows(character: Character) -> None:
    """Store the rows that a character holds: new ones, those that changed, and none that are gone. Raises Conflict where a row is
    not as it was read any more, as its version says; nothing is to be kept then."""
    stored = {_place(row): row for row in character.stored_rows}
    rows, added = [], []
    for held in character.held_rows():
        row = stored.pop(_place(held), None)
        if row is None:
            added.append(held)
        elif changes := {name: getattr(held, name) for name in COMPARED if getattr(held, name) != getattr(row, name)}:
            _change(row, changes)
        rows.append(row or held)
    for row in stored.values():
        _compared(_as_read(row).delete()[0])
    SheetRow.objects.bulk_create(added)
    character.stored_rows = rows


def _place(row: SheetRow) -> tuple[int | None, str, str]:
    return row.owner_id, row.group, row.uid


def _change(row: SheetRow, changes: dict[str, object]) -> None:
    _compared(_as_read(row).update(**changes, version=row.version + 1))
    for name, value in changes.items():
        setattr(row, name, value)
    row.version += 1


def _as_read(row: SheetRow) -> QuerySet[SheetRow]:
    return SheetRow.objects.filter(pk=row.pk, version=row.version)


def _compared(changed: int) -> None:
    if not changed:
        raise Conflict("Somebody has written in this row meanwhile.")
