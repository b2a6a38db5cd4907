"""The parts of a page of odds: sections with a bar, a chart or tables, all of them from exact chances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import dropwhile
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from languages.text import colon, gettext, ngettext
from rules.chances import decimal as decimal
from rules.chances import percent as percent
from rules.chances import percent_said
from rules.chances import shift as shift
from rules.messages import Words, joined, read, stored


class Part(NamedTuple):
    """One part of the bar: `look` is worst, bad, fair or good; `words`, which may be lazy, what happens; a chance of 1 in all."""

    look: str
    words: Words
    chance: Fraction


def bar(
    parts: Iterable[Part], *, dice: int, pool: Words = "", hurt: bool = False, lines: Iterable[Words] = ()
) -> dict[str, Any]:
    """Return odds as rolls/_odds.html draws them: positions and widths in whole percents, which end at 100. `lines` are
    shown below.

    `pool` says what the dice are made of. `hurt`: wounds on the sheet take some of them, unless they are left out.
    """
    drawn: dict[str, Any] = read(stored(bar_said(parts, dice=dice, pool=pool, hurt=hurt, lines=lines)))
    return drawn


def bar_said(
    parts: Iterable[Part], *, dice: int, pool: Words = "", hurt: bool = False, lines: Iterable[Words] = ()
) -> dict[str, Any]:
    """Return the same with its words as they are stored, to be read in any language."""
    parts = list(parts)
    drawn, sum_so_far = [], Fraction()
    for part in parts:
        x = round(100 * sum_so_far)
        sum_so_far += part.chance
        width = round(100 * sum_so_far) - x
        drawn.append({"look": part.look, "x": x, "w": width, "percent": percent_said(part.chance), "words": part.words})
    each = (joined(" ", (part.words, percent_said(part.chance))) for part in parts)
    return {
        "dice": dice,
        "pool": pool,
        "hurt": hurt,
        "parts": drawn,
        "sentence": joined("", (joined(", ", each), ".")),
        "lines": [line for line in lines if line],
    }


RARE: Final = Fraction(1, 1000)
"""Chances below this at either end of a chart are left out, as they would be invisible; the table has them."""

MOST_NAMED: Final = 12
"""Columns that a phone has room to name, every one with its figure."""

SHADES: Final = 9
LONGEST_READ: Final = 20
"""Longer fractions are not put into a sentence, and may be broken."""
TOP, BOTTOM = 12, 86
"""The top and bottom of a chart's columns, in percent of its height: names go below, figures above."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: its text, its title, how strongly it is shaded (0 to 9), and its link.

    `look` is "exact" for a fraction, "exact is-long" for one that has to be wrapped.
    """

    text: str
    title: str = ""
    shade: int = 0
    chosen: bool = False
    href: str = ""
    look: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    head: str
    cells: tuple[Cell, ...]
    chosen: bool = False
    look: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """`corner` heads the column of row heads. A `dense` one is a grid of bare figures, one for each pair of settings."""

    caption: str
    corner: str
    head: tuple[Cell, ...]
    rows: tuple[Row, ...]
    dense: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a chart; positions and sizes in percents of the chart. `name` and `figure` are empty if there is no room."""

    name: str
    figure: str
    title: str
    look: str
    x: str
    width: str
    y: str
    height: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A distribution: its columns, and all of it as a table. `mark` is the position of a line across, in percents, or ""."""

    caption: str
    columns: tuple[Column, ...]
    table: Table
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One answer. `id` is its anchor; `lines` are read before the figures."""

    id: str
    title: str
    lines: tuple[str, ...] = ()
    bar: Mapping[str, Any] | None = None
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = field(default=())


def outcomes(
    caption: str, parts: Sequence[Part], more: Iterable[tuple[str, Fraction]] = (), drawn: Sequence[Part] = ()
) -> tuple[Any, Table]:
    """Return a bar of parts that make up 1, and the table that names them.

    `more` are sums of them that are worth a line; `drawn` is the bar where it has no room for them all.
    """
    rows = [Row(_capital(str(part.words)), _chance(part.chance), look=part.look) for part in parts]
    rows += [Row(_capital(words), _chance(chance)) for words, chance in more]
    return bar(drawn or parts, dice=0), Table(
        caption, gettext("Result"), _heads(gettext("Chance"), gettext("Exact")), tuple(rows)
    )


def by_sign(number: int) -> str:
    """Return how a column looks: by whether what it stands for rises, falls or stays."""
    return "good" if number > 0 else "worst" if number else "bad"


def chart(
    caption: str, corner: str, chances: Mapping[int, Fraction], *, look: Callable[[int], str], name: Any = str
) -> Chart:
    """Return a chart of the chances of whole numbers, in ascending order, with gaps for missing ones. `name` writes a number."""
    numbers = range(min(chances), max(chances) + 1)
    seen = _without_rare_ends(numbers, chances)
    step = -(-len(seen) // MOST_NAMED)
    unit = (BOTTOM - TOP) / max(chances.values())
    columns = []
    for place, number in enumerate(seen):
        chance = chances.get(number, Fraction())
        height = float(unit * chance)
        columns.append(
            Column(
                name=name(number) if number % step == 0 else "",
                figure=short(chance) if step == 1 and chance else "",
                title=f"{name(number)}{colon()}{percent(chance)}",
                look=look(number),
                x=f"{100 * place / len(seen):.2f}",
                width=f"{100 / len(seen):.2f}",
                y=f"{BOTTOM - height:.2f}",
                height=f"{height:.2f}",
            )
        )
    rows = tuple(Row(name(number), _chance(chances.get(number, Fraction()))) for number in numbers)
    return Chart(caption, tuple(columns), Table(caption, corner, _heads(gettext("Chance"), gettext("Exact")), rows))


def grid(
    caption: str,
    corner: str,
    across: Sequence[Any],
    down: Sequence[Any],
    chance_of: Callable[[Any, Any], Fraction],
    *,
    chosen: tuple[Any, Any] = (None, None),
    link: Callable[[Any, Any], str] | None = None,
    names: tuple[Any, Any] = (str, str),
) -> Table:
    """Return a chance for each pair of settings, in per cent. `chance_of`, `link` and `names` are asked for (across, down)."""
    heads = tuple(Cell(names[0](column), chosen=column == chosen[0]) for column in across)
    rows = []
    for other in down:
        cells = []
        for column in across:
            chance = chance_of(column, other)
            href = link(column, other) if link else ""
            cells.append(shaded(chance, chosen=(column, other) == chosen, href=href))
        rows.append(Row(names[1](other), tuple(cells), chosen=other == chosen[1]))
    return Table(caption, corner, heads, tuple(rows), dense=True)


def shaded(chance: Fraction, *, chosen: bool = False, href: str = "") -> Cell:
    """Return a bare number of percents on a ground that is the stronger the likelier it is."""
    return Cell(short(chance), exactly(chance), round(SHADES * chance), chosen, href)


def fraction(number: Fraction) -> Cell:
    text = exactly(number)
    return Cell(text, look="exact" if len(text) <= LONGEST_READ else "exact is-long")


def short(chance: Fraction) -> str:
    """Return a short percentage: "84", "<1", ">99"."""
    if 0 < chance < Fraction(1, 100):
        return "<1"
    return ">99" if Fraction(99, 100) < chance < 1 else str(round(100 * chance))


def exactly(number: Fraction) -> str:
    """Return the fraction itself, "211/250", with a real minus."""
    return str(number).replace("-", "\N{MINUS SIGN}")


def average(number: Fraction, write: Callable[[Fraction], str] = decimal) -> str:
    """Return "2.07 on average (517/250)"; fractions longer than LONGEST_READ are left out."""
    exact = exactly(number)
    if len(exact) > LONGEST_READ:
        return gettext("{number} on average").format(number=write(number))
    return gettext("{number} on average ({exact})").format(number=write(number), exact=exact)


def plain(number: int) -> str:
    """Return a number with a real minus sign: -4 as "−4", 2 as "2"."""
    return str(number).replace("-", "\N{MINUS SIGN}")


def dice(count: int) -> str:
    """Return "1 die" or "5 dice"."""
    return ngettext("{count} die", "{count} dice", count).format(count=plain(count))


def address(settings: Mapping[str, Any], **changes: Any) -> str:
    """Return the link to a page of odds with these settings: "?dice=5&difficulty=6"."""
    said = {**settings, **changes}
    return "?" + urlencode(
        {name: "on" if value is True else value for name, value in said.items() if value is not False}
    )


def _capital(words: str) -> str:
    words = str(words)
    return words[0].upper() + words[1:]


def _heads(*words: str) -> tuple[Cell, ...]:
    return tuple(Cell(word) for word in words)


def _chance(chance: Fraction) -> tuple[Cell, ...]:
    return Cell(percent(chance)), fraction(chance)


def _without_rare_ends(numbers: Iterable[int], chances: Mapping[int, Fraction]) -> list[int]:
    def rare(number: int) -> bool:
        return chances.get(number, Fraction()) < RARE

    falling = list(dropwhile(rare, reversed(list(dropwhile(rare, numbers)))))
    return falling[::-1]
