"""Several writes on a sheet in one operation, undone together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from campaigns.errors import Conflict, Invalid
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.reasons import Why
from characters.services.lookup import SheetOperation, get_character
from characters.services.sheet_writes import ChangeReason, erase_row, write, write_row
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Number, RowGone, SheetError
from characters.sheets.steps import Add, Put, Shift, Step
from characters.sheets.told import title


def take_steps(
    work: UnitOfWork, character: Character, steps: Sequence[Step], *, why: Why, follows: str = "", quiet: bool = False
) -> list[dict[str, Any]]:
    """Write each step on the sheet of a character as it is under the lock. Return what `step_back` needs, in JSON's own types.

    `follows` is the address of the field that they follow: undoing a change there undoes these too. They are
    `quiet` where another event's line says them. Raises Invalid for impossible values, Conflict for a row that is gone.
    """
    with _refusing(character):
        return [_step(work, character, step, ChangeReason(why, follows=follows, quiet=quiet)) for step in steps]


def step_back(work: UnitOfWork, character: Character, done: Sequence[dict[str, Any]], *, why: Why) -> None:
    """Undo all steps, the last first. Raises Conflict if something else has been written since."""
    with _refusing(character):
        for step in reversed(done):
            _step_back(work, character, step, ChangeReason(why))


def shift_disposition(work: UnitOfWork, character: Character, step: int, *, why: Why = "") -> tuple[int, int]:
    """Move an NPC's disposition to the player characters. Return its value before and now.

    It stays within -5 to +5, so undoing a shift means shifting by the actual difference. Raises Invalid for player characters.
    """
    current = get_character(work, character)
    if not current.is_npc:
        message = _("{name} isn’t an NPC: how they feel is up to their player.")
        raise Invalid(message.format(name=current.name))
    before = current.disposition
    after = max(DISPOSITION.minimum, min(DISPOSITION.maximum, before + step))
    write(work, current, DISPOSITION.name, after, ChangeReason(why))
    character.hold_sheet_of(current)
    return before, after


def _step(work: UnitOfWork, character: Character, step: Step, cause: ChangeReason) -> dict[str, Any]:
    if isinstance(step, Put):
        before = character.value(step.address)
        after = character.clean_value(step.address, step.to)
        write(work, character, step.address, after, cause)
        return {"address": step.address, "before": before, "after": after, "counts": step.counts}
    if isinstance(step, Shift):
        return _shift(work, character, step, cause)
    if isinstance(step, Add):
        added = work.state(SheetOperation).rows_added
        added[character.pk, step.rows] += 1
        row_id = work.id(f"{character.pk} {step.rows} step {added[character.pk, step.rows]}").hex
        write_row(work, character, character.rules.rows_called(step.rows), row_id, dict(step.given), cause)
        return {"added": step.rows, "row": character.rules.row(character.values, step.rows, row_id)}
    row = character.rules.row(character.values, step.rows, step.row_id)
    erase_row(work, character, character.rules.rows_called(step.rows), step.row_id, cause)
    return {"taken": step.rows, "row": row}


def _shift(work: UnitOfWork, character: Character, step: Shift, cause: ChangeReason) -> dict[str, Any]:
    before = character.number(step.address)
    wanted = before + step.by if step.most is None else min(before + step.by, max(before, step.most))
    after = _as_far_as_it_goes(character, step.address, wanted)
    write(work, character, step.address, after, cause)
    return {"address": step.address, "before": before, "after": after, "counts": True}


def _as_far_as_it_goes(character: Character, address: str, wanted: int) -> int:
    """Return a number within what its field can hold. Raises Invalid for a field that holds no number."""
    field = character.field(address)
    if not isinstance(field, Number):
        raise Invalid(_("{field} is not a number.").format(field=character.label(address)), field=address)
    most = min(field.maximum, character.number(field.ceiling)) if field.ceiling else field.maximum
    return max(field.minimum, min(most, wanted))


def _step_back(work: UnitOfWork, character: Character, done: dict[str, Any], cause: ChangeReason) -> None:
    if "address" in done:
        _put_back(work, character, done, cause)
        return
    row = done["row"]
    rows = character.rules.rows_called(done.get("added") or done["taken"])
    if "taken" in done:
        columns = {name: value for name, value in row.items() if name not in ("id", "at")}
        write_row(work, character, rows, row["id"], columns, cause, at=row["at"])
    elif character.rules.row(character.values, rows.name, row["id"]) != row:
        raise Conflict(_changed_since(f"“{title(rows, row[rows.title])}”"))
    else:
        erase_row(work, character, rows, row["id"], cause)


def _put_back(work: UnitOfWork, character: Character, done: dict[str, Any], cause: ChangeReason) -> None:
    address, before, after = done["address"], done["before"], done["after"]
    to = before
    if done["counts"]:
        to = _as_far_as_it_goes(character, address, character.number(address) - (after - before))
    elif character.value(address) not in (before, after):
        raise Conflict(_changed_since(character.label(address)), field=address)
    write(work, character, address, character.clean_value(address, to), cause)


def _changed_since(what: str) -> str:
    return _("{what} has changed since then. Undo that first.").format(what=what)


@contextmanager
def _refusing(character: Character) -> Iterator[None]:
    try:
        yield
    except RowGone:
        raise Conflict(_("This is no longer on {name}’s sheet.").format(name=character.name)) from None
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
