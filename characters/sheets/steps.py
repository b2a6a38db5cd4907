"""Values written on a sheet in one go: a roll's cost, a purchase, what follows from a procedure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
