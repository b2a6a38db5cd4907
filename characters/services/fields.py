"""Fields of sheets, set one by one by several people at once: no one overwrites what they have not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Conflict, Forbidden, Invalid
from campaigns.models import Membership, Role, Written
from campaigns.services.log import UnitOfWork, last_actor, service, version
from campaigns.services.undo import undo
from campaigns.text import signed
from characters.models import Character
from characters.reasons import TAKEN_BACK
from characters.services.sheet_writes import (
    ChangeReason,
    by_hand,
    changed_since,
    erase_row,
    get_writable,
    in_play,
    refusing,
    row_address,
    write,
    write_row,
)
from characters.sheets.fields import Field, Link, RowGone, SheetError, Value, Visibility
from characters.sheets.told import marked

LONGEST_WHY = 200
SHORT = 60  # characters of a text that a message repeats


@dataclass(frozen=True)
class SeenVersion:
    """The version of a value that the user saw (`field_version`), sent instead of the value itself."""

    version: str


def field_version(value: Value) -> str:
    """Return a digest of a field's value, to compare it with others."""
    return version({"value": value})


@service(Role.PLAYER)
def set_field(
    work: UnitOfWork, character: Character, address: str, value: object, *, expected: object, why: str = "", key: UUID
) -> Character:
    """Set one value of a sheet, if it is still what the user saw: the value, or a SeenVersion. A number that can't be negative is
    changed by "+5" or "-5", which its history says beside the reason.

    Raises Invalid for unknown fields, impossible values and a locked sheet; Conflict with the current value and who wrote it.
    """
    written = writable(work, character, address)
    try:
        field, current = written.field(address), written.value(address)
        wanted = written.clean_value(address, field.meant(value, current))
        saw = _saw(field, expected, current)
    except RowGone as gone:
        raise _row_gone(written, address, gone) from None
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
    _check_link(written, field, wanted, written.place(address).visibility)
    if saw != current and wanted != current:
        by = last_actor(written.campaign, written.field_subject(address).key)
        words = field.words(current)
        message = _("{field} is now {value}.") if 0 < len(words) <= SHORT else _("{field} has changed.")
        message = message.format(field=written.label(address), value=words)
        raise Conflict(message, field=address, current=field.shown(current), by=by)
    shift = field.shift(value)
    reasons = [signed(shift) if shift else "", _short(why)]
    with by_hand(work):
        write(work, written, address, wanted, ChangeReason(", ".join(filter(None, reasons)), by_hand=True))
    return written


def _saw(field: Field, expected: object, current: Value) -> Value | None:
    """Return the value that the user saw; None if it was another than now, and only its version is known."""
    if isinstance(expected, SeenVersion):
        return current if expected.version == field_version(current) else None
    return current if expected == current else field.clean(field.meant(expected, current))


@service(Role.PLAYER)
def add_row(
    work: UnitOfWork, character: Character, rows: str, given: dict[str, object], *, why: str = "", key: UUID
) -> Character:
    """Add a row to a list of a sheet: `given` maps columns to values. Its id is the key's 32 hex digits.

    Raises Invalid for unknown rows and columns, impossible values, and a full list.
    """
    current = writable(work, character, rows)
    try:
        kind = current.rules.rows_called(rows)
        for column in kind.columns:
            _check_link(current, column, given.get(column.name, ""), kind.visibility)
        with by_hand(work):
            write_row(work, current, kind, work.key.hex, dict(given), ChangeReason(_short(why), by_hand=True))
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
    return current


@service(Role.PLAYER)
def remove_row(
    work: UnitOfWork, character: Character, rows: str, row_id: str, *, expected: str, why: str = "", key: UUID
) -> Character:
    """Remove a row. `expected` is its `row_version`; raises Conflict with the current row if it was changed since."""
    current = writable(work, character, rows)
    address = row_address(rows, row_id)
    try:
        kind = current.rules.rows_called(rows)
        row = current.rules.row(current.values, rows, row_id)
    except RowGone as gone:
        raise _row_gone(current, address, gone) from None
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
    if expected != version(row):
        by = last_actor(current.campaign, current.field_subject(address).key)
        message = _("{who} changed this row first.").format(who=by) if by else _("Someone changed this row first.")
        raise Conflict(message, field=address, current=row, by=by)
    with by_hand(work):
        erase_row(work, current, kind, row_id, ChangeReason(_short(why), by_hand=True))
    return current


def row_version(character: Character, rows: str, row_id: str) -> str:
    """Return a row's version, which `remove_row` takes as `expected`. Raises SheetError."""
    return version(character.rules.row(character.values, rows, row_id))


def check_unlocked(work: UnitOfWork, character: Character, visibility: Visibility) -> None:
    """Raise Forbidden if a GM has locked the sheet, except for one's own notes."""
    if character.locked and not work.by.is_gm and visibility is not Visibility.PRIVATE:
        raise Forbidden(_("{name}’s sheet is locked. Ask your GM to unlock it.").format(name=character.name))


def writable(work: UnitOfWork, character: Character, address: str) -> Character:
    """Return the character, if the member may write at this address. Addresses that they may not see count as missing."""
    current = get_writable(work, character)
    in_play(current, address)
    try:
        rows = current.rules.lists.get(address)
        visibility = rows.visibility if rows else current.place(address).visibility
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
    if visibility not in current.visibilities(work.by):
        raise Invalid(_("This sheet has no field called “{name}”.").format(name=address), field=address)
    check_unlocked(work, current, visibility)
    return current


def _check_link(character: Character, field: Field, value: object, visibility: Visibility) -> None:
    """Check that a link goes to a character of this campaign, and from a field that players may read, to one that they know."""
    if not isinstance(field, Link) or not value:
        return
    characters = Character.objects.filter(campaign=character.campaign, deleted_at=None)
    to = characters.filter(pk=str(field.clean(value))).first()
    gms_alone = character.is_npc and not character.opened and visibility is not Visibility.PUBLIC
    if to is None or to == character or (to.is_hidden and not gms_alone):
        message = _("{field}: choose another character, one that players know.").format(field=field.label)
        raise Invalid(message, field=field.name)


def _row_gone(character: Character, address: str, gone: RowGone) -> Conflict:
    rows, row_id = address.split("/")[:2]
    by = last_actor(character.campaign, character.field_subject(row_address(rows, row_id)).key)
    message = _("{who} removed it from the sheet first.").format(who=by) if by else gone.message
    return Conflict(message, field=address, current=None, by=by)


def _short(why: str) -> str:
    if len(why) > LONGEST_WHY:
        message = ngettext("At most {count} character.", "At most {count} characters.", LONGEST_WHY)
        raise Invalid(message.format(count=LONGEST_WHY), field="why")
    return why.strip()


def row_as_seen(character: Character, rows: str, row_id: str, said: Mapping[str, str]) -> str:
    """Return the version of a row with the column values that the user saw (`said`), as `expected` of `remove_row`.

    Values that a column cannot hold match no row's version. "" if there is no such row; `remove_row` refuses that.
    """
    try:
        kind, row = character.rules.rows_called(rows), character.rules.row(character.values, rows, row_id)
        seen = {
            column.name: column.clean(column.meant(said.get(column.name, ""), row[column.name]))
            for column in kind.columns
        }
    except SheetError:
        return ""
    return version({**row, **seen})


@service(Role.PLAYER)
def mark_resources(work: UnitOfWork, character: Character, moves: Mapping[str, int], *, key: UUID) -> Character:
    """Move resources of the sheet (characters/sheets/sheet.py) up or down by so much, in this order: numbers, the next
    boxes of a track, or a flag by its own name.

    Raises Invalid for unknown resources, impossible values and a locked sheet; nothing is changed then.
    """
    current = get_writable(work, character)
    try:
        for name, by in moves.items():
            for address, value in list(marked(current.rules, current.values, name, by)):
                writable(work, current, address)
                with by_hand(work):
                    write(work, current, address, current.clean_value(address, value), ChangeReason(by_hand=True))
    except SheetError as error:
        raise Invalid(error.message) from None
    return current


# What a person can undo on a sheet.


def own_changes(member: Membership, character: Character) -> QuerySet[Written]:
    """Return what a person has written by hand on a sheet and not undone, newest first."""
    return Written.objects.filter(thing=f"sheet:{character.pk}", by=member).order_by("-pk")


def can_undo(member: Membership, character: Character) -> bool:
    """Return whether the sheet has a change of this person's own to undo."""
    return own_changes(member, character).exists()


@service(Role.PLAYER)
def undo_change(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Undo the member's own last change of this sheet, and what followed from it; called again, the one before.

    Raises Invalid if there is nothing to undo, and Conflict (with the current value and who wrote it) if somebody, or a
    roll, has written there since.
    """
    current = get_writable(work, character)
    in_play(current)
    last = own_changes(work.by, current).first()
    if last is None:
        raise Invalid(_("You have no changes to undo here."))
    undo_by_hand(work, current, last.cause)
    return current


def undo_by_hand(work: UnitOfWork, character: Character, cause: UUID) -> None:
    """Undo what somebody changed on a sheet by hand, and what followed from it. Raises as `undo_change` does."""
    with refusing(character):
        for written in Written.objects.filter(campaign=work.campaign).by_cause([cause])[cause]:
            _check_undone(work, character, written)
        undo(work, cause, TAKEN_BACK)


def _check_undone(work: UnitOfWork, character: Character, written: Written) -> None:
    """Raise Forbidden on a locked sheet, and Conflict where others have written since, even if the value is the same again."""
    name = written.path.split("/")[0]
    rows = character.rules.lists.get(name)
    check_unlocked(work, character, rows.visibility if rows else character.place(name).visibility)
    there = Q(path=written.path) | Q(path__startswith=f"{written.path}/")
    since = Written.objects.filter(there, thing=written.thing, pk__gt=written.pk).exclude(by=written.by)
    if written.added is None and since.exists():
        raise changed_since(character, written)
