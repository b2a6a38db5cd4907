"""Tables that a GM rolls on: plain lines, each with the numbers of the dice that lead to it, or with a weight.

    1-2 A quiet street                  x3 Rain
    3   [[Street names]], at night      Fog
    4-6 Nobody                          Snow

Another table's name in double brackets is rolled on, too, and its result stands in that place. Nothing here rolls: faces come in
from outside. Odds are exact, with nested tables multiplied out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Final, NamedTuple, TypeAlias

from languages.letters import fold
from languages.text import gettext as _
from languages.text import ngettext
from rules.dice import LARGEST_DIE, Dice, Die, Faces, draw
from rules.errors import NotPossible

LONGEST_LINE: Final = 300
MOST_THROWS: Final = 20
"""How often dice may fall for one result, with all tables that it names."""
MOST_LISTED: Final = 400
"""How many results of a table are listed with their odds."""

_NUMBERED: Final = re.compile(r"([0-9]{1,3})(?:\s*[-–—]\s*([0-9]{1,3}))?(?:[.:)]\s*|\s+)(\S.*)")
_WEIGHTED: Final = re.compile(r"[xX×]\s?([0-9]{1,3})(?:[.:)]\s*|\s+)(\S.*)")
_NAMED: Final = re.compile(r"\[\[([^\[\]]+)\]\]")


@dataclass(frozen=True, slots=True)
class TableDice:
    """Dice, and the number that they come to: their sum, or, as `digits`, their faces one after the other (d66)."""

    dice: Dice
    digits: bool = False

    def number(self, faces: Sequence[int]) -> int:
        return int("".join(map(str, faces))) if self.digits else sum(faces)

    @property
    def ways(self) -> Mapping[int, int]:
        """Return in how many ways the dice come to each number, in the order of numbers."""
        return _ways(self)


@cache
def _ways(dice: TableDice) -> Mapping[int, int]:
    each = range(1, dice.dice.die.sides + 1)
    return dict(sorted(Counter(map(dice.number, product(each, repeat=dice.dice.count))).items()))


def _of(count: int, sides: int, *, digits: bool = False) -> TableDice:
    return TableDice(Dice(count=count, die=Die(sides)), digits)


DICE: Final[Mapping[str, TableDice]] = {
    **{f"d{sides}": _of(1, sides) for sides in (4, 6, 8, 10, 12, 20)},
    "d66": _of(2, 6, digits=True),
    "d100": _of(1, 100),
    "2d6": _of(2, 6),
    "3d6": _of(3, 6),
}
"""The dice of tables with numbers, by the code that is stored. Of tables with weights it is "" and the die has as many faces
as the weights add up to.
"""


class Row(NamedTuple):
    """The numbers from `first` to `last` and what they lead to."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class RollTable:
    """A table as it was written, in the order of its lines. Every number of its dice leads to exactly one of its rows."""

    name: str
    dice: TableDice
    rows: tuple[Row, ...]

    def row(self, number: int) -> Row:
        return next(row for row in self.rows if row.first <= number <= row.last)

    def chance(self, row: Row) -> Fraction:
        """Return how likely this row is when the table is rolled on."""
        ways = self.dice.ways
        return Fraction(sum(ways[number] for number in ways if row.first <= number <= row.last), sum(ways.values()))


Tables: TypeAlias = Mapping[str, RollTable]
"""All tables of a campaign, by the `known_as` of their names."""


def known_as(name: str) -> str:
    """Return a name as it is looked for: whatever its case, accents and blanks."""
    return " ".join(fold(name).split())


def named_in(text: str) -> list[str]:
    """Return the names of tables in a row's text, in their order."""
    return [name.strip() for name in _NAMED.findall(text)]


# Reading what a GM typed


def read_table(name: str, dice: str, lines: str) -> RollTable:
    """Return the table of these lines, for the dice of a code in DICE, or "" for weights. Raises NotPossible with the line that
    is wrong.
    """
    if "[" in name or "]" in name:
        raise _wrong("name", _("Leave square brackets out of the name: they stand around names in other tables."))
    typed = [(at, line.strip()) for at, line in enumerate(lines.splitlines(), 1) if line.strip()]
    if not typed:
        raise _wrong("lines", _("Write at least one line."))
    for at, line in typed:
        if len(line) > LONGEST_LINE:
            raise _at(at, _("This line is longer than {most} characters.").format(most=LONGEST_LINE))
    if dice == "":
        return _weighted(name, typed)
    if dice not in DICE:
        raise _wrong("dice", _("Choose dice from the list."))
    return _numbered(name, DICE[dice], typed)


def _weighted(name: str, typed: Sequence[tuple[int, str]]) -> RollTable:
    rows: list[Row] = []
    for at, line in typed:
        match = _WEIGHTED.fullmatch(line)
        weight, text = (int(match[1]), match[2]) if match else (1, line)
        if not weight:
            raise _at(at, _("A weight is at least 1."))
        last = rows[-1].last if rows else 0
        rows.append(Row(last + 1, last + weight, text))
    if not 2 <= rows[-1].last <= LARGEST_DIE:
        message = _("The weights add up to {total}. A die has 2 to {most} faces: change lines or weights.")
        raise _wrong("lines", message.format(total=rows[-1].last, most=LARGEST_DIE))
    return RollTable(name, _of(1, rows[-1].last), tuple(rows))


def _numbered(name: str, dice: TableDice, typed: Sequence[tuple[int, str]]) -> RollTable:
    rows: list[Row] = []
    free = dict.fromkeys(dice.ways)
    for at, line in typed:
        match = _NUMBERED.fullmatch(line)
        if match is None:
            raise _at(at, _("Begin with the numbers of the dice, such as “1-2 A quiet street”."))
        first, last = (_number(given, dice) for given in (match[1], match[2] or match[1]))
        for number in (first, last):
            if number not in dice.ways:
                raise _at(at, _("These dice never come to {number}.").format(number=number))
        if first > last:
            raise _at(at, _("Write the lower number first."))
        for number in (one for one in dice.ways if first <= one <= last):
            if number not in free:
                raise _at(at, _("{number} stands in an earlier line, too.").format(number=number))
            del free[number]
        rows.append(Row(first, last, match[3]))
    if free:
        missing = ", ".join(map(str, list(free)[:6])) + (" …" if len(free) > 6 else "")
        words = ngettext("No line says what {numbers} means.", "No line says what these mean: {numbers}.", len(free))
        raise _wrong("lines", words.format(numbers=missing))
    return RollTable(name, dice, tuple(rows))


def _number(typed: str, dice: TableDice) -> int:
    """Return a number as dice print it: on a d100 the hundred is 00."""
    return 100 if typed == "00" and 100 in dice.ways else int(typed)


def _wrong(field: str, message: str) -> NotPossible:
    return NotPossible(field, None, allowed="a table", message=message)


def _at(line: int, message: str) -> NotPossible:
    return _wrong("lines", _("Line {line}: {message}").format(line=line, message=message))


# Tables that name each other


def check(tables: Tables) -> None:
    """Raise NotPossible where a table leads back to itself, or takes more than MOST_THROWS rolls for one result."""
    most: dict[str, int] = {}
    for known in tables:
        _throws(known, tables, (), most)


def _throws(known: str, tables: Tables, before: tuple[str, ...], most: dict[str, int]) -> int:
    """Return how often dice fall at most for one result of a table."""
    name = tables[known].name
    if known in before:
        circle = ", ".join(tables[one].name for one in (*before[before.index(known) :], known))
        message = _("“{name}” would lead back to itself: {circle}. Take one of these names out.")
        raise _wrong("lines", message.format(name=name, circle=circle))
    if known not in most:
        within = (*before, known)
        rows = (sum(_throws(one, tables, within, most) for one in nested(row, tables)) for row in tables[known].rows)
        most[known] = 1 + max(rows)
        if most[known] > MOST_THROWS:
            message = _("“{name}” could take {count} rolls at once. Name fewer tables in a line: {most} rolls at most.")
            raise _wrong("lines", message.format(name=name, count=most[known], most=MOST_THROWS))
    return most[known]


def nested(row: Row, tables: Tables) -> Iterator[str]:
    """Yield which of the `tables` a row names, in their order."""
    return (known for known in map(known_as, named_in(row.text)) if known in tables)


def missing(table: RollTable, tables: Tables) -> list[str]:
    """Return the names in a table's rows that no table has; they stay words."""
    names = (name for row in table.rows for name in named_in(row.text))
    return list(dict.fromkeys(name for name in names if known_as(name) not in tables))


# Rolling, and the odds


@dataclass(frozen=True, slots=True)
class TableResult:
    """What a table came to: the faces, their number, and the text with the results of nested tables in their places."""

    table: RollTable
    faces: tuple[int, ...]
    number: int
    text: str


def roll(table: RollTable, tables: Tables, throw: Callable[[Dice], Faces]) -> list[TableResult]:
    """Roll on a table and on those that its row names. Return their results in the order in which the dice were thrown."""
    dice = table.dice.dice
    faces = draw(dice.count, dice.die, throw(dice))
    number = table.dice.number(faces)
    inner: list[TableResult] = []

    def fill(match: re.Match[str]) -> str:
        if (there := tables.get(known_as(match[1]))) is None:
            return match[1].strip()
        results = roll(there, tables, throw)
        inner.extend(results)
        return results[0].text

    text = _NAMED.sub(fill, table.row(number).text)
    return [TableResult(table, faces, number, text), *inner]


def results(table: RollTable, tables: Tables) -> int:
    """Return how many results a table has, each way through nested tables counted by itself."""
    return _results(known_as(table.name), {**tables, known_as(table.name): table}, {})


def _results(known: str, tables: Tables, found: dict[str, int]) -> int:
    if known not in found:
        ways = (prod(_results(one, tables, found) for one in nested(row, tables)) for row in tables[known].rows)
        found[known] = sum(ways)
    return found[known]


def odds(table: RollTable, tables: Tables) -> Mapping[str, Fraction]:
    """Return the chance of each text that a table can come to, the likeliest first: of as many as `results` says."""
    chances: dict[str, Fraction] = {}
    for row in table.rows:
        for text, chance in _filled(row.text, tables):
            chances[text] = chances.get(text, Fraction()) + table.chance(row) * chance
    return dict(sorted(chances.items(), key=lambda one: -one[1]))


def _filled(text: str, tables: Tables) -> Iterator[tuple[str, Fraction]]:
    """Yield the ways to fill in the first name of a text and all after it."""
    match = _NAMED.search(text)
    if match is None:
        yield text, Fraction(1)
        return
    there, before = tables.get(known_as(match[1])), text[: match.start()]
    inner = {match[1].strip(): Fraction(1)} if there is None else odds(there, tables)
    for rest, chance in _filled(text[match.end() :], tables):
        for word, its in inner.items():
            yield f"{before}{word}{rest}", chance * its
