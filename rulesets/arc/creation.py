"""The budget of a character of the VI-VIII-X rules. The text has none (arc.txt): all figures are ours.

The unknown scores are not asked for: they are the GM's, who sets them on the sheet once the character is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from characters.creation.budget import Budget, Pot, Reckoning, Section, points, rows_above, too_many
from characters.sheets.sheet import Values
from rulesets.arc.sheet import HIGHEST, SHEET, STATS


@dataclass(frozen=True, kw_only=True)
class ArcBudget(Budget):
    """A point is a point of a score; `som` is where the state of mind begins, 1 to 10."""

    sheet = SHEET

    stats: int = points(22, "Points for the four known scores together")
    most_stat: int = points(8, "The most that a known score is at the start", least=1, most=HIGHEST)
    skills: int = points(20, "Points for the scores of all skills together")
    most_skill: int = points(6, "The most that a skill is at the start", least=1, most=HIGHEST)
    som: int = points(6, "State of mind at the start", least=1, most=HIGHEST)

    def sections(self) -> Sequence[Section]:
        return (
            Section("stats", "Stats", STATS, most=self.most_stat, words="From 1 to 10. The GM adds the unknown side."),
            Section("skills", "Skills", (), "skills", ("name", "es", "stat"), self.most_skill),
            Section("state", "State and body", ("size", "morality")),
        )

    def completed(self, values: Values) -> dict[str, Any]:
        return {"som": self.som, **values}

    def reckon(self, values: Values) -> Reckoning:
        stats = {name: self.number(values, name) for name in STATS}
        pots = (
            Pot("stats", "Points of stats", self.stats, sum(stats.values())),
            Pot("skills", "Points of skills", self.skills, sum(self.in_rows(values, "skills", "es"))),
        )
        faults = {pot.name: too_many(pot) for pot in pots if pot.over}
        faults |= {
            name: f"{SHEET.field(name).label}: no more than {self.most_stat} at the start."
            for name, score in stats.items()
            if score > self.most_stat
        }
        return Reckoning(pots, faults | rows_above(values, SHEET, "skills", "es", self.most_skill))
