"""Tallies as a page draws them: rates of success against the expected ones, charts of faces, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.template.defaultfilters import floatformat
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.text import signed
from rolls.odds import BOTTOM, MOST_NAMED, TOP, Cell, Chart, Column, Row, Section, Table, plain
from rolls.queries.statistics import luck
from rolls.queries.statistics.tallies import Results, Run, Tally
from rolls.registry import RULESETS

Named = Sequence[tuple[str, str, Tally]]
"""(name, address of its own page, tally)."""

UNKNOWN: Final = gettext_lazy("not shown")
"""Shown in place of an expectation that the viewer may not know."""


@dataclass(frozen=True)
class Rate:
    """A row: `share` and `expected` in percents (None where the viewer may not know it), `within` in rolls, as words."""

    name: str
    href: str
    rolls: int
    succeeded: int
    judged: int
    share: float
    expected: float | None
    within: str


@dataclass(frozen=True)
class Rates:
    """Rates side by side, by one thing."""

    id: str
    title: str
    corner: str
    rows: Sequence[Rate]

    @property
    def sentence(self) -> str:
        """Return the sentence on who succeeded most and least often; "" if there are no two to compare."""
        judged = sorted((row for row in self.rows if row.judged), key=lambda row: row.share)
        if not judged or judged[0].share == judged[-1].share:
            return ""
        words = _("{most} succeeded most often ({most_rate}); {least} least often ({least_rate}).")
        most, least = judged[-1], judged[0]
        return words.format(most=most.name, most_rate=_of(most), least=least.name, least_rate=_of(least))


def _of(row: Rate) -> str:
    words = ngettext("{share} % of {count} roll", "{share} % of {count} rolls", row.judged)
    return words.format(share=number(row.share), count=number(row.judged))


def number(value: float, places: int = 0) -> str:
    """Return a number as the reader's language writes it, rounded: 1,234.5."""
    return floatformat(value, f"{places}g")


def rates(what: str, title: str, corner: str, tallies: Named) -> Rates:
    return Rates(f"by-{what}", title, corner, [_rate(*named) for named in tallies])


def _rate(name: str, href: str, tally: Tally) -> Rate:
    is_known = tally.known == tally.judged > 0
    return Rate(
        name=name,
        href=href,
        rolls=tally.rolls,
        succeeded=tally.succeeded,
        judged=tally.judged,
        share=100 * tally.share,
        expected=100 * tally.expected_share if is_known else None,
        within=f"{number(tally.chance, 1)} ± {number(2 * tally.spread, 1)}"
        if is_known
        else str(UNKNOWN)
        if tally.judged
        else "",
    )


def summary(tally: Tally) -> tuple[str, ...]:
    """Return all rolls in a few sentences."""
    if not tally.judged:
        words = ngettext(
            "{count} roll that can’t succeed or fail.", "{count} rolls, none of which can succeed or fail.", tally.rolls
        )
        return (words.format(count=number(tally.rolls)),)
    words = ngettext(
        "{succeeded} of {count} roll succeeded: {share} %.",
        "{succeeded} of {count} rolls succeeded: {share} %.",
        tally.judged,
    )
    lines = [
        words.format(succeeded=number(tally.succeeded), count=number(tally.judged), share=number(100 * tally.share))
    ]
    if tally.known:
        words = (
            _("Expected: {expected}.")
            if tally.known == tally.judged
            else _("You know the odds of {known}; {succeeded} of those succeeded. Expected: {expected}.")
        )
        lines.append(
            words.format(known=number(tally.known), succeeded=number(tally.hits), expected=number(tally.chance, 1))
        )
        lines.append(luck.of_successes(tally.known, tally.hits, tally.chance, tally.spread))
    return tuple(lines)


def faces(what: str, title: str, fallen: Mapping[int, Sequence[int]]) -> Section | None:
    """Return how often each face fell, for every kind of die; None for kinds that were not rolled."""
    if not fallen:
        return None
    lines = [
        ngettext("d{sides}, {count} die: {luck}", "d{sides}, {count} dice: {luck}", sum(counts)).format(
            sides=sides, count=number(sum(counts)), luck=luck.of_faces(counts)
        )
        for sides, counts in fallen.items()
    ]
    charts = tuple(_faces_chart(sides, counts) for sides, counts in fallen.items())
    return Section(what, title, tuple(lines), charts=charts)


def _faces_chart(sides: int, counts: Sequence[int]) -> Chart:
    dice, most = sum(counts), max(counts)
    step = -(-sides // MOST_NAMED)
    unit = (BOTTOM - TOP) / most
    columns = [
        Column(
            name=str(face) if face % step == 0 or step == 1 else "",
            figure=number(100 * count / dice, 1) if step == 1 else "",
            title=_("{face}: {count} of {total}").format(face=face, count=number(count), total=number(dice)),
            look="fair",
            x=f"{100 * (face - 1) / sides:.2f}",
            width=f"{100 / sides:.2f}",
            y=f"{BOTTOM - unit * count:.2f}",
            height=f"{unit * count:.2f}",
        )
        for face, count in enumerate(counts, start=1)
    ]
    rows = tuple(
        Row(
            str(face),
            (
                Cell(number(count)),
                Cell(_("{number} %").format(number=number(100 * count / dice, 1))),
                Cell(number(dice / sides, 1)),
            ),
        )
        for face, count in enumerate(counts, start=1)
    )
    caption = _("Faces of {count} d{sides}; the line shows an even spread").format(count=number(dice), sides=sides)
    title = _("{count} d{sides}, by face").format(count=number(dice), sides=sides)
    heads = (Cell(_("Rolled")), Cell(_("Share")), Cell(_("Even spread")))
    table = Table(title, _("Face"), heads, rows)
    return Chart(caption, tuple(columns), table, mark=f"{BOTTOM - unit * dice / sides:.2f}")


def results(found: Mapping[str, Results]) -> Section | None:
    """Return how often each result occurred, for every ruleset with more results than success and failure."""
    tables = [_results_table(system, of) for system, of in found.items() if RULESETS[system].tells_results]
    return Section("results", _("Results"), tables=tuple(tables)) if tables else None


def _results_table(system: str, of: Results) -> Table:
    ruleset, rolls = RULESETS[system], sum(of.occurred.values())
    rows = []
    for name, words in ruleset.result_words().items():
        times, expected = of.occurred.get(name, 0), of.expected.get(name, 0)
        usual = number(expected, 1) if of.foreseen == rolls else str(UNKNOWN) if of.foreseen else ""
        share = _("{number} %").format(number=number(100 * times / rolls))
        rows.append(Row(words, (Cell(number(times)), Cell(share), Cell(usual))))
    head = (Cell(_("Rolls")), Cell(_("Share")), Cell(_("Expected")))
    caption = ngettext("{game}, {count} roll", "{game}, {count} rolls", rolls)
    return Table(caption.format(game=ruleset.short, count=number(rolls)), _("Result"), head, tuple(rows))


def streaks(runs: Sequence[tuple[str, Tally, Run]]) -> Section | None:
    """Return the longest runs, with the likely length of the longest."""
    rows = [
        Row(name, (*_run(run.best, tally.judged, tally.share), *_run(run.worst, tally.judged, 1 - tally.share)))
        for name, tally, run in runs
        if tally.judged
    ]
    heads = (_("Successes"), _("usual"), _("Failures"), _("usual"))
    return table_of("runs", _("Longest runs"), _("Without dice rolled by hand"), heads, rows)


def _run(longest: int, rolls: int, share: float) -> tuple[Cell, Cell]:
    usual = luck.usual_run(rolls, share)
    return Cell(str(longest)), Cell(_("about {count}").format(count=usual) if usual else "")


def spent(spendings: Sequence[tuple[str, Mapping[str, int]]]) -> Section | None:
    """Return a table of points spent on rolls, by player and by the resources of all rulesets; None if nothing was spent."""
    resources = list(dict.fromkeys(name for ruleset in RULESETS.values() for name in ruleset.expectation.resources))
    rows = [
        Row(name, tuple(Cell(plain(points.get(resource, 0))) for resource in resources))
        for name, points in spendings
        if any(points.values())
    ]
    return table_of("spent", _("Spent on rolls"), _("Points by player"), [_(name) for name in resources], rows)


def table_of(what: str, title: str, caption: str, heads: Sequence[str], rows: Sequence[Row]) -> Section | None:
    """Return a section with one table; None without rows."""
    table = Table(caption, _("Player"), tuple(map(Cell, heads)), tuple(rows))
    return Section(what, title, tables=(table,)) if rows else None


OF_SCALE: Final = (
    gettext_lazy("Rolls"),
    gettext_lazy("Up"),
    gettext_lazy("Down"),
    gettext_lazy("Total"),
    gettext_lazy("Expected"),
)


def given_to_the_scale(summed: Sequence[tuple[str, Sequence[float]]]) -> Section | None:
    """Return the table of what was given to the Scale, those who gave most first: (a character's name, the sums of Given)."""
    rows = []
    for name, (rolls, up, down, drift) in sorted(summed, key=lambda named: -(named[1][1] + named[1][2])):
        average = f"{drift:+.1f}".replace("-", "\N{MINUS SIGN}").replace(".", get_format("DECIMAL_SEPARATOR"))
        words = (str(int(rolls)), signed(int(up)), signed(int(down)), signed(int(up + down)), average)
        rows.append(Row(name, tuple(map(Cell, words))))
    heads = [*map(str, OF_SCALE)]
    return table_of("scale", _("Given to the Scale"), _("And what these rolls would give on average"), heads, rows)
