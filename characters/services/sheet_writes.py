"""Every write to a sheet: the new value in its column or row, and an event for each change.

An operation's writes on a sheet are recorded at its end, when their meaning is known (characters/figures.py): one event has
the line that says it, and those that it covers have none. An event about a field or a row goes to the streams of those who
may see it, under one uid. Its subjects are the character and, for the history, the field (and its row), each by its address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaigns.errors import Conflict
from campaigns.kinds import EventKind
from campaigns.models.log import Subject
from campaigns.services.log import UnitOfWork
from characters.events import FIELD_CHANGED, ROW_ADDED, ROW_REMOVED
from characters.figures import State
from characters.models import Character, SheetRow
from characters.models.values import VALUE_COLUMNS
from characters.reasons import LIMITED, ClaimReason, Reason, Why
from characters.rulesets import figures_of, states_between
from characters.services.lookup import SheetChange, SheetChanges, SheetOperation
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Rows, Value, Visibility


@dataclass(frozen=True)
class ChangeReason:
    """Why a sheet changes; `by_hand` if someone edits it, rather than by a roll; `undoes` is the uid of the event that
    is undone, `follows` the address of the field that it follows; `quiet` if another event's line says it.
    """

    why: Why = ""
    by_hand: bool = False
    undoes: str = ""
    follows: str = ""
    quiet: bool = False

    def payload(self) -> dict[str, Any]:
        return {
            "why": self.why if isinstance(self.why, str) else "",
            "cause": self.why.code if isinstance(self.why, Reason) else "",
            "claimed": self.why.payload() if isinstance(self.why, ClaimReason) else None,
            "by_hand": self.by_hand,
            "undoes": self.undoes,
            "follows": self.follows,
            "quiet": self.quiet or (isinstance(self.why, Reason) and self.why.quiet),
        }


def write(work: UnitOfWork, character: Character, address: str, value: Value, cause: ChangeReason) -> None:
    """Put a value into a sheet, lower what may not exceed it, and record each field that changed. Raises SheetError."""
    before, figures = character.value(address), figures_of(character)
    if value == before:
        return
    _begin(work, character)
    if character.field(address) is DISPOSITION:
        character.disposition = int(value)
        changed = [(address, before)]
    else:
        changed = _put(character, address, value)
    if character.place(address).rows is None:
        character.save(update_fields=VALUE_COLUMNS)
    else:
        save_rows(character)
    for name, was in changed:
        why = cause if name == address else ChangeReason(LIMITED, follows=address)
        _tell_field(work, character, name, was, why, _new_figures(character, figures))


def write_row(
    work: UnitOfWork,
    character: Character,
    rows: Rows,
    row_id: str,
    given: dict[str, Any],
    cause: ChangeReason,
    at: int | None = None,
) -> None:
    """Put a row more into a sheet. Raises SheetError."""
    figures = figures_of(character)
    _begin(work, character)
    character.hold(character.rules.add_row(character.values, rows.name, row_id, given, at))
    save_rows(character)
    row = character.rules.row(character.values, rows.name, row_id)
    payload = {"row": character.told_row(rows, row_id), "at": row["at"], "title": row[rows.title]}
    payload["figures"] = _new_figures(character, figures)
    _tell_row(work, character, ROW_ADDED, rows, row_id, payload | cause.payload())


def erase_row(work: UnitOfWork, character: Character, rows: Rows, row_id: str, cause: ChangeReason) -> None:
    """Remove a row from a sheet; the event keeps its values. Raises RowGone."""
    row, figures = character.rules.row(character.values, rows.name, row_id), figures_of(character)
    _begin(work, character)
    character.hold(character.rules.remove_row(character.values, rows.name, row_id))
    save_rows(character)
    held = {column.name: row[column.name] for column in rows.columns}
    payload = {"row": {"id": row_id, "values": held}, "at": row["at"], "title": row[rows.title]}
    payload["figures"] = _new_figures(character, figures)
    _tell_row(work, character, ROW_REMOVED, rows, row_id, payload | cause.payload())


def sheet_written(work: UnitOfWork, character: Character) -> None:
    """Have it looked for what follows from this sheet by the rules, at the latest before the commit."""
    work.state(SheetOperation).written[character.pk] = character


def take_written(work: UnitOfWork) -> list[Character]:
    """Return the characters whose sheets were written since the last call."""
    operation = work.state(SheetOperation)
    written, operation.written = operation.written, {}
    return list(written.values())


def row_address(rows: str, row_id: str) -> str:
    """Return the address of a row, by which its history is found."""
    return f"{rows}/{row_id}"


def _new_figures(character: Character, before: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the figures that are other than they were."""
    return [figure for figure in figures_of(character) if figure not in before]


def _put(character: Character, address: str, value: Value) -> list[tuple[str, Value]]:
    """Set a value. Return the fields that changed by it, each with its old value."""
    leaning = [field.name for field in character.rules.capped_by(address)]
    was = {name: character.value(name) for name in (address, *leaning)}
    character.hold(character.rules.put(character.values, address, value))
    return [(name, before) for name, before in was.items() if character.value(name) != before]


def _tell_field(
    work: UnitOfWork,
    character: Character,
    address: str,
    before: Value,
    cause: ChangeReason,
    figures: list[dict[str, Any]],
) -> None:
    place, cell = character.place(address), character.told(address)
    payload = {
        "character": character.ref,
        "sheet": character.rules.name,
        "cell": cell,
        # The field that is drawn with as many marks as this one counts, as far as the same people see it.
        "also": [character.told(capped.name) for capped in character.rules.capped_by(address)],
        "before": before,
        "after": cell["value"],
        # They follow from the open sheet, which not all see who see a card, nor all fields that change.
        "figures": figures if place.visibility is Visibility.SHEET else [],
        **cause.payload(),
    }
    subjects = [character.subject, character.field_subject(address)]
    if place.rows is not None:
        subjects.append(character.field_subject(row_address(place.rows.name, place.row)))
    _record(work, character, FIELD_CHANGED, payload, place.visibility, address, subjects)


def _tell_row(
    work: UnitOfWork, character: Character, kind: EventKind, rows: Rows, row_id: str, row_payload: dict[str, Any]
) -> None:
    payload = {"character": character.ref, "sheet": character.rules.name, "rows": rows.name, **row_payload}
    address = row_address(rows.name, row_id)
    subjects = [
        character.subject,
        character.field_subject(rows.name),
        character.field_subject(address),
    ]
    _record(work, character, kind, payload, rows.visibility, address, subjects)


def _record(
    work: UnitOfWork,
    character: Character,
    kind: EventKind,
    payload: dict[str, Any],
    visibility: Visibility,
    address: str,
    subjects: list[Subject],
) -> None:
    _begin(work, character).changes.append(SheetChange(kind, payload, visibility, address, subjects))


def _begin(work: UnitOfWork, character: Character) -> SheetChanges:
    """Remember the sheet's values before anything is written there."""
    sheet_written(work, character)
    untold = work.state(SheetOperation).untold
    if character.pk not in untold:
        untold[character.pk] = SheetChanges(character, character.sheet)
    return untold[character.pk]


def tell_sheets(work: UnitOfWork) -> bool:
    """Record the changes of sheets once all are made (settings.BEFORE_COMMIT)."""
    operation = work.state(SheetOperation)
    untold, operation.untold = operation.untold, {}
    for changes in untold.values():
        _tell(work, changes)
    return bool(untold)


def _tell(work: UnitOfWork, written: SheetChanges) -> None:
    character = written.character
    states = states_between(character.rules.name, written.before, character.sheet)
    covered = {name for state in states for name in state.covers}
    spoken = [change for change in written.changes if change.visibility is Visibility.SHEET and change.name in covered]
    for change in written.changes:
        says = states if change in spoken[-1:] else ()
        quiet = change.payload["quiet"] or change in spoken[:-1]
        payload = {**change.payload, "states": _told(says), "quiet": quiet}
        for stream in character.streams(change.visibility):
            discriminator = f"{character.pk} {change.address}"
            work.record(change.kind, payload, stream=stream, subjects=change.subjects, discriminator=discriminator)


def _told(states: Sequence[State]) -> list[dict[str, Any]]:
    return [{"code": state.code, "values": list(state.values)} for state in states]


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
        raise Conflict(_("Someone changed this row first."))
