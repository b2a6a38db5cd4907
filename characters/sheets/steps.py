"""Values written on a sheet in one go: a roll's cost, a purchase, what follows from a procedure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from characters.sheets.fields import Value


@dataclass(frozen=True)
class Put:
    """Set a value. A running total `counts`: undoing it subtracts the difference."""

    address: str
    to: Value
    counts: bool = False


@dataclass(frozen=True)
class Shift:
    """Raise a number by so much, or lower it, as far as its field goes, and up to `most` where a campaign leaves less room; taken
    back, only the difference is."""

    address: str
    by: int
    most: int | None = None


@dataclass(frozen=True)
class Add:
    """Put a row more into a list."""

    rows: str
    given: Mapping[str, Value]


@dataclass(frozen=True)
class Take:
    """Take a row off a list."""

    rows: str
    row_id: str


Step = Put | Shift | Add | Take


def earlier_note(done: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step that was taken, as releases up to 0.2.1 kept it, as the journal has it (campaigns/models/undo.py)."""
    if "address" in done:
        before, after = done["before"], done["after"]
        added = after - before if done["counts"] else None
        return {"path": done["address"], "before": [before], "after": [after], "added": added}
    row, rows = done["row"], done.get("added") or done["taken"]
    was, now = ([], [row]) if "added" in done else ([row], [])
    return {"path": f"{rows}/{row['id']}", "before": was, "after": now, "added": None}
