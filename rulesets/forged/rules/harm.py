"""Forged in the Dark: where harm is recorded, what it hinders, and how it heals (public rules, Harm and Recovery)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from rolls.rules.errors import NotPossible, RuleError, whole

HARM_SLOTS: Final[Mapping[int, int]] = MappingProxyType({1: 2, 2: 2, 3: 1})
FATAL: Final = 4
"""The level of a harm that no row takes: catastrophic or fatal."""
HEALING_SEGMENTS: Final = 4
MOST_HEALING_TICKS: Final = 12
"""Ticked at once. No recovery gives more than 5."""

Rows: TypeAlias = Mapping[int, int]
"""How many harms are in the rows 1, 2 and 3; a row that is not in it is empty."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A harm that was taken: the row that has it (4 is fatal and in none), the rows after it, and the healing clock, emptied."""

    row: int
    taken: Rows
    healing: int = 0

    @property
    def fatal(self) -> bool:
        return self.row == FATAL


@dataclass(frozen=True, slots=True)
class Healed:
    """The healing clock and the rows after a recovery. `levels_down`: how far every harm has come down; below 1 it is gone."""

    healing: int
    taken: Rows
    levels_down: int


def harm_row(taken: Rows, level: int) -> int:
    """The row that takes a harm of `level` 1 to 4, given how many are `taken` in each: a full row moves it up; 4 is fatal."""
    rows = _rows(taken)
    row = whole("level", level, 1, FATAL)
    while row < FATAL and rows[row] >= HARM_SLOTS[row]:
        row += 1
    return row


def record(taken: Rows, level: int) -> Recorded:
    """Take a harm of `level` 1 to 4. A new harm empties the healing clock."""
    row, rows = harm_row(taken, level), _rows(taken)
    if row < FATAL:
        rows[row] += 1
    return Recorded(row, MappingProxyType(rows))


def heal(taken: Rows, healing: int, ticks: int) -> Healed:
    """Tick the healing clock (0 to 3 of 4 segments) by 1 to 12; whenever it is full every harm comes down one level.

    What is over begins the clock anew; with no harm left there is nothing to heal, and the clock is empty. NotPossible for
    somebody who has no harm.
    """
    rows = _rows(taken)
    whole("healing", healing, 0, HEALING_SEGMENTS - 1)
    if not any(rows.values()):
        raise NotPossible("harm", sum(rows.values()), allowed="at least one", message="There is no harm to heal.")
    rounds, left = divmod(healing + whole("ticks", ticks, 1, MOST_HEALING_TICKS), HEALING_SEGMENTS)
    after = {row: rows.get(row + rounds, 0) for row in HARM_SLOTS}
    return Healed(left if any(after.values()) else 0, MappingProxyType(after), rounds)


def _rows(taken: Rows) -> dict[int, int]:
    """The rows as given, complete and checked. Every key is 1, 2 or 3, and no row has more than its slots."""
    if not isinstance(taken, Mapping) or len(taken) > len(HARM_SLOTS):
        message = f"Harm is counted in the rows 1 to {max(HARM_SLOTS)}."
        raise RuleError("harm", taken, allowed=f"rows 1 to {max(HARM_SLOTS)}", message=message)
    rows = dict.fromkeys(HARM_SLOTS, 0)
    for row, held in taken.items():
        # Checked before it is looked up: 1.0 and True would find row 1.
        known = whole("row", row, 1, max(HARM_SLOTS))
        rows[known] = whole("harm", held, 0, HARM_SLOTS[known])
    return rows
