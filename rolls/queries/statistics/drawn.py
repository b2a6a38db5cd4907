"""Tallies as a page draws them: rates of success against what was to be expected, charts of faces, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rolls.odds.shown import BOTTOM, MOST_NAMED, TOP, Cell, Chart, Column, Row, Section, Table, plain
from rolls.queries.statistics import luck
from rolls.queries.statistics.tallies import Run, Sums, Tally
from rolls.registry import RULESETS

Named = Sequence[tuple[str, str, Tally]]
"""(what it is called, the address that shows it alone, its tally)."""

UNKNOWN: Final = "not shown"
"""What stands in place of an expectation that the viewer may not know."""


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
        """Say which succeeded most and least often; "" where there are no two to compare."""
        judged = sorted((row for row in self.rows if row.judged), key=lambda row: row.share)
        if not judged or judged[0].share == judged[-1].share:
            return ""
        return f"{judged[-1].name} succeeded most often, {_of(judged[-1])}; {judged[0].name} least often, {_of(judged[0])}."


def _of(row: Rate) -> str:
    return f"in {row.share:.0f} % of {row.judged} roll{'' if row.judged == 1 else 's'}"


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
        within=f"{tally.chance:.1f} ± {2 * tally.spread:.1f}" if is_known else UNKNOWN if tally.judged else "",
    )


def summary(tally: Tally) -> tuple[str, ...]:
    """Return all rolls in a few sentences."""
    if not tally.judged:
        return (f"{tally.rolls:,} rolls, none of them a matter of success.",)
    lines = [f"{tally.succeeded:,} of {tally.judged:,} rolls succeeded, {100 * tally.share:.0f} %."]
    if tally.known:
        those = (
            ""
            if tally.known == tally.judged
            else f"You know the odds of {tally.known:,}, and {tally.hits:,} of those succeeded. "
        )
        lines.append(f"{those}Expected: {tally.chance:.1f}.")
        lines.append(luck.of_successes(tally.known, tally.hits, tally.chance, tally.spread))
    return tuple(lines)


def faces(what: str, title: str, fallen: Mapping[int, Sequence[int]]) -> Section | None:
    """Return how often each face fell, for every kind of die; None where none has fallen."""
    if not fallen:
        return None
    lines = [f"d{sides}, {sum(counts):,} dice: {luck.of_faces(counts)}" for sides, counts in fallen.items()]
    charts = tuple(_faces_chart(sides, counts) for sides, counts in fallen.items())
    return Section(what, title, tuple(lines), charts=charts)


def _faces_chart(sides: int, counts: Sequence[int]) -> Chart:
    dice, most = sum(counts), max(counts)
    step = -(-sides // MOST_NAMED)
    unit = (BOTTOM - TOP) / most
    columns = [
        Column(
            name=str(face) if face % step == 0 or step == 1 else "",
            figure=f"{100 * count / dice:.1f}" if step == 1 else "",
            title=f"{face}: {count:,} of {dice:,}",
            look="fair",
            x=f"{100 * (face - 1) / sides:.2f}",
            width=f"{100 / sides:.2f}",
            y=f"{BOTTOM - unit * count:.2f}",
            height=f"{unit * count:.2f}",
        )
        for face, count in enumerate(counts, start=1)
    ]
    rows = tuple(
        Row(str(face), (Cell(f"{count:,}"), Cell(f"{100 * count / dice:.1f} %"), Cell(f"{dice / sides:.1f}")))
        for face, count in enumerate(counts, start=1)
    )
    caption = f"Faces of {dice:,} d{sides}; the line is where they would be even"
    table = Table(
        f"{dice:,} d{sides}, face by face", "Face", (Cell("Fell"), Cell("Share"), Cell("Even would be")), rows
    )
    return Chart(caption, tuple(columns), table, mark=f"{BOTTOM - unit * dice / sides:.2f}")


def results(sums: Sums) -> Section | None:
    """Return how often each result came, for every ruleset that tells more apart than success and failure."""
    tables = [
        _results_table(system, fell, sums.foreseen.get(system, 0))
        for system, fell in sums.results.items()
        if system in RULESETS and RULESETS[system].tells_results
    ]
    return Section("results", "Results", tables=tuple(tables)) if tables else None


def _results_table(system: str, fell: Mapping[str, Sequence[float]], foreseen: int) -> Table:
    ruleset, rolls = RULESETS[system], int(sum(times for times, _ in fell.values()))
    rows = []
    for name, words in ruleset.result_words().items():
        times, expected = fell.get(name, (0, 0))
        usual = f"{expected:.1f}" if foreseen == rolls else UNKNOWN if foreseen else ""
        rows.append(Row(words, (Cell(f"{int(times):,}"), Cell(f"{100 * times / rolls:.0f} %"), Cell(usual))))
    head = (Cell("Rolls"), Cell("Share"), Cell("Expected"))
    return Table(f"{ruleset.short}, {rolls:,} rolls", "Result", head, tuple(rows))


def streaks(runs: Sequence[tuple[str, Tally, Run]]) -> Section | None:
    """Return the longest runs; beside them how long the longest is likely to be."""
    rows = [
        Row(name, (*_run(run.best, tally.judged, tally.share), *_run(run.worst, tally.judged, 1 - tally.share)))
        for name, tally, run in runs
        if tally.judged
    ]
    heads = ("Successes", "usual", "Failures", "usual")
    return table_of("runs", "Longest runs", "Dice by hand left out", heads, rows)


def _run(longest: int, rolls: int, share: float) -> tuple[Cell, Cell]:
    usual = luck.usual_run(rolls, share)
    return Cell(str(longest)), Cell(f"about {usual}" if usual else "")


def spent(spendings: Sequence[tuple[str, Mapping[str, int]]]) -> Section | None:
    """Return what was paid for rolls, in the resources of all rulesets that have some."""
    resources = list(dict.fromkeys(name for ruleset in RULESETS.values() for name in ruleset.expectation.resources))
    rows = [
        Row(name, tuple(Cell(plain(points.get(resource, 0))) for resource in resources))
        for name, points in spendings
        if any(points.values())
    ]
    return table_of("spent", "Spent on rolls", "Points, by player", resources, rows)


def table_of(what: str, title: str, caption: str, heads: Sequence[str], rows: Sequence[Row]) -> Section | None:
    """Return a section with one table; None without rows."""
    table = Table(caption, "Who", tuple(map(Cell, heads)), tuple(rows))
    return Section(what, title, tables=(table,)) if rows else None
