"""The budget of a new character: pots of points, and the fields that draw from them. Pure Python, as the sheets are.

A `Budget` is a campaign's for one system. It defines the guided page's sections (`sections`), what follows from the
choices (`completed`), and the state of the pots (`reckon`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar
from uuid import UUID

from characters.sheets.fields import Number
from characters.sheets.sheet import Sheet, Values
from languages.text import gettext as _

MOST_POINTS = 1000
"""The most that a campaign may give of anything."""


@dataclass(frozen=True)
class Pot:
    """A pot of points, and how many are spent. `of` None is unlimited.

    `beside` are points that this pot never pays, such as the dots above the maximum at the start; `note` says what pays
    the excess.
    """

    name: str
    label: str
    of: int | None
    spent: int
    beside: int = 0
    note: str = ""

    @property
    def left(self) -> int | None:
        """Return the points left to spend, never below 0; None without a limit."""
        return None if self.of is None else max(0, self.of - self.spent)

    @property
    def over(self) -> int:
        """Return the points spent beyond the limit."""
        return self.beside + (0 if self.of is None else max(0, self.spent - self.of))


@dataclass(frozen=True)
class Section:
    """A part of the guided page: fields of the sheet, then rows of it with some of their columns.

    `pot` is what it draws from, by default the pot of its own name. `most` is the maximum of its numbers at creation
    (None: as the fields themselves), `blank` whether its fields may stay empty, since others determine them. It begins
    with `begins` rows, and on a new line of the page if it is the `first` of adjacent ones.
    """

    name: str
    label: str
    fields: tuple[str, ...] = ()
    rows: str = ""
    columns: tuple[str, ...] = ()
    most: int | None = None
    blank: bool = False
    words: str = ""
    pot: str = ""
    begins: int = 3
    first: bool = False

    @property
    def draws(self) -> str:
        """Return the name of the pot it draws from; there may be none of that name."""
        return self.pot or self.name


@dataclass(frozen=True)
class Reckoning:
    """The state of a budget: its pots in the order of the page, and the errors, by section or by address."""

    pots: tuple[Pot, ...]
    faults: Mapping[str, str]


@dataclass(frozen=True)
class Setting:
    """A setting of a budget that a campaign may change: its words, and its range."""

    words: str
    least: int = 0
    most: int = MOST_POINTS


def points(default: int, words: str, *, least: int = 0, most: int = MOST_POINTS) -> Any:
    """Return a setting of a budget, and our own default for it."""
    return field(default=default, metadata={"setting": Setting(words, least, most)})


@dataclass(frozen=True, kw_only=True)
class Budget(ABC):
    """The base of all budgets. Every field that `points` makes is a campaign's to set, and has our default."""

    sheet: ClassVar[Sheet]
    ruled: ClassVar[tuple[str, ...]] = ()
    """Fields that a campaign decides among the settings of its rules, and is not asked for twice."""

    @classmethod
    def settings(cls) -> dict[str, Setting]:
        """Return the settings that a campaign may change, by name."""
        return {
            declared.name: declared.metadata["setting"] for declared in fields(cls) if "setting" in declared.metadata
        }

    @abstractmethod
    def sections(self) -> Sequence[Section]:
        """Return the parts of the guided page, in its order."""

    def completed(self, values: Values) -> dict[str, Any]:
        """Return the values with what follows from them. Raises SheetError where that cannot be."""
        return dict(values)

    @abstractmethod
    def reckon(self, values: Values) -> Reckoning:
        """Return the state of the budget with these values."""

    def number(self, values: Values, name: str) -> int:
        return self.sheet.number(values, name)

    def bought(self, values: Values, names: Sequence[str]) -> int:
        """Return the points in these numbers beyond those that everyone starts with."""
        return sum(max(0, self.number(values, name) - self._everybodys(name)) for name in names)

    def _everybodys(self, name: str) -> int:
        known = self.sheet.field(name)
        return known.default if isinstance(known, Number) else 0

    def in_rows(self, values: Values, name: str, column: str) -> list[int]:
        """Return a number of every row."""
        return [int(row[column]) for row in self.sheet.rows(values, name)]


def too_many(pot: Pot) -> str:
    """Return the error for an overspent pot; "" if it is not overspent."""
    if not pot.over:
        return ""
    return _("{over} too many: {spent} of {total} spent.").format(over=pot.over, spent=pot.spent, total=pot.of)


def limit(points_given: int) -> int | None:
    """Return the limit for the points of a setting: None for 0, which means that the rules leave it free."""
    return points_given or None


def rows_above(values: Values, sheet: Sheet, name: str, column: str, most: int) -> dict[str, str]:
    """Return a fault for each row whose number is above `most`; none where that is 0."""
    return {
        f"{name}/{row['id']}/{column}": _("{name}: no more than {most} at creation.").format(
            name=row["name"], most=most
        )
        for row in sheet.rows(values, name)
        if most and int(row[column]) > most
    }


def row_id(number: int, key: UUID) -> str:
    """Return the id of row `number`, 0 to 255, of a sheet made under `key`: 32 hex digits."""
    return f"{number:02x}{key.hex[2:]}"


def number_of(row: str) -> int:
    """Return the number of the row with this id."""
    return int(row[:2], 16)
