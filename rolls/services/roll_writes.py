"""A roll's writes on sheets (`TableRules.writes`): done in its own transaction, kept with it, and undone with it.

A corrected roll writes what its own outcome says. What the roll that it corrects has written as well stays as it is, whatever
happened on the sheet since; the rest is undone, and what is new is done: each once.
"""

from __future__ import annotations

from typing import Any

from campaigns.services.log import UnitOfWork
from characters.reasons import ROLL_CORRECTED, ROLL_TAKEN_BACK
from rolls.models import Roll
from rolls.registry import kind_of
from rolls.services.effects import Table
from rolls.table_rules import Written, as_written
from rules.effects import Write


def write(work: UnitOfWork, roll: Roll) -> None:
    """Write what a roll says that is not stored yet, and keep with it how that is undone. Raises Invalid for what a sheet cannot
    hold."""
    roll.written = [_do(work, wanted) for wanted in _wanted(roll)]


def unwrite(work: UnitOfWork, roll: Roll) -> None:
    """Undo what a roll has written, the last first. Raises Conflict where something else was written since in the same place."""
    for kept in reversed(_kept(roll)):
        Table(work, ROLL_TAKEN_BACK).undo(kept["done"])


def stand(old: Roll, new: Roll) -> bool:
    """Return whether a correcting roll writes the same as the corrected one."""
    return [written["write"] for written in _kept(old)] == [
        as_written(written, [])["write"] for written in _wanted(new)
    ]


def rewrite(work: UnitOfWork, old: Roll, new: Roll) -> None:
    """Undo what a corrected roll does not write, do what it writes in addition, and keep the result with it. Raises
    what `write` and `unwrite` raise.
    """
    before = _kept(old)
    wanted = [(one, _taken(before, one)) for one in _wanted(new)]
    for gone in reversed(before):
        Table(work, ROLL_CORRECTED).undo(gone["done"])
    new.written = [kept or _do(work, one) for one, kept in wanted]


def step_on(roll: Roll, character: str, address: str) -> dict[str, Any] | None:
    """Return the step {"before", "after", …} that a roll wrote in a field of a character, by its id; None if it did not."""
    steps = (written["done"] for written in _kept(roll) if written["done"]["character"] == character)
    return next((step for done in steps for step in done["steps"] if step.get("address") == address), None)


def _wanted(roll: Roll) -> list[Write]:
    return list(kind_of(roll).writes(roll))


def _do(work: UnitOfWork, wanted: Write) -> Written:
    return as_written(wanted, Table(work).write(wanted))


def _taken(before: list[Written], wanted: Write) -> Written | None:
    """Remove the first write equal to `wanted` from `before` and return it; None if there is none."""
    write = as_written(wanted, [])["write"]
    taken = next((written for written in before if written["write"] == write), None)
    if taken is not None:
        before.remove(taken)
    return taken


def _kept(roll: Roll) -> list[Written]:
    """Return what a roll wrote, as it was kept; if its version kept nothing, what its rules say."""
    if roll.written is not None:
        return list(roll.written)
    return kind_of(roll).wrote(roll)
