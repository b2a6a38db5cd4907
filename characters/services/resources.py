"""What operations do to a sheet: plain helpers that run inside an operation, under its lock.

Each takes the character as it is under the lock, and leaves the one it was given like that. They ask for no leave: the operation
did.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from campaigns.errors import Invalid
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.reasons import Reason
from characters.services.lookup import get_character
from characters.services.sheet_writes import ChangeReason, erase_row, write, write_row
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import SheetError, Value


def change(work: UnitOfWork, character: Character, address: str, to: object, *, why: str | Reason = "") -> Value:
    """Set a value; gives what it was. Raises Invalid for unknown addresses and what the field cannot hold."""
    with _changing(work, character) as current:
        before = current.value(address)
        write(work, current, address, current.clean_value(address, to), ChangeReason(why))
    return before


def gain_row(
    work: UnitOfWork, character: Character, rows: str, given: dict[str, object], *, why: str | Reason = ""
) -> str:
    """Put a row more into a list, such as an Injury; gives its id.

    Raises Invalid for a full list and for what no column holds.
    """
    with _changing(work, character) as current:
        taken = {row["id"] for row in current.rules.rows(current.values, rows)}
        ids = (work.id(f"{current.pk} {rows} {number}").hex for number in range(len(taken) + 1))
        row_id = next(given_id for given_id in ids if given_id not in taken)
        write_row(work, current, current.rules.rows_called(rows), row_id, given, ChangeReason(why))
    return row_id


def lose_row(work: UnitOfWork, character: Character, rows: str, row_id: str, *, why: str | Reason = "") -> None:
    """Take a row off. Raises Invalid where it is not there."""
    with _changing(work, character) as current:
        erase_row(work, current, current.rules.rows_called(rows), row_id, ChangeReason(why))


def shift_disposition(work: UnitOfWork, character: Character, step: int, *, why: str | Reason = "") -> tuple[int, int]:
    """Move what an NPC feels about the player characters; gives what it was and what it is now.

    It stays within -5 to +5, so taking a shift back means shifting by what it really moved. Raises Invalid
    for player characters.
    """
    current = get_character(work, character)
    if not current.is_npc:
        raise Invalid(f"{current.name} is no NPC: what they feel is for their player to say.")
    before = current.disposition
    after = max(DISPOSITION.minimum, min(DISPOSITION.maximum, before + step))
    change(work, character, DISPOSITION.name, after, why=why)
    return before, after


@contextmanager
def _changing(work: UnitOfWork, character: Character) -> Iterator[Character]:
    """Yield the character as it is under the lock; what becomes of it is seen in the one that was given, too."""
    current = get_character(work, character)
    try:
        yield current
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
    character.hold_sheet_of(current)
