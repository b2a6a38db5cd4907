"""The budget of a character of the VI-VIII-X rules. The text has none (arc.txt): all figures are ours.

The unknown scores are not asked for: they are the GM's, who sets them on the sheet once the character is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from characters.creation import Budget, Pot, Reckoning, Section, points, rows_above, too_many
from characters.sheets.sheet import Values
from languages.text import gettext as _
from languages.text import gettext_lazy
from rulesets.arc.settings import SCORES
from rulesets.arc.sheet import SHEET, STATS


@dataclass(frozen=True, kw_only=True)
class ArcBudget(Budget):
    """A point is a point of a score; `som` is where the state of mind begins, 1 to 10."""

    sheet = SHEET

    stats: int = points(22, gettext_lazy("Points for the four Known Stats together"))
    most_stat: int = points(8, gettext_lazy("Highest Known Stat at creation"), least=1, most=SCORES[1])
    skills: int = points(20, gettext_lazy("Points for all skill scores together"))
    most_skill: int = points(6, gettext_lazy("Highest skill score at creation"), least=1, most=SCORES[1])
    som: int = points(6, gettext_lazy("State of mind at creation"), least=1, most=SCORES[1])

    def sections(self) -> Sequence[Section]:
        return (
            Section(
                "stats", _("Stats"), STATS, most=self.most_stat, words=_("From 1 to 10. The GM sets the Unknown Stats.")
            ),
            Section("skills", _("Skills"), (), "skills", ("name", "es", "stat"), self.most_skill),
            Section("state", _("State and body"), ("size", "morality")),
        )

    def completed(self, values: Values) -> dict[str, Any]:
        return {"som": self.som, **values}

    def reckon(self, values: Values) -> Reckoning:
        stats = {name: self.number(values, name) for name in STATS}
        pots = (
            Pot("stats", _("Points for stats"), self.stats, sum(stats.values())),
            Pot("skills", _("Points for skills"), self.skills, sum(self.in_rows(values, "skills", "es"))),
        )
        faults = {pot.name: too_many(pot) for pot in pots if pot.over}
        faults |= {
            name: _("{name}: no more than {most} at creation.").format(
                name=SHEET.field(name).label, most=self.most_stat
            )
            for name, score in stats.items()
            if score > self.most_stat
        }
        return Reckoning(pots, faults | rows_above(values, SHEET, "skills", "es", self.most_skill))
