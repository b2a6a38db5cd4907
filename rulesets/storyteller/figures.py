"""What follows from a Storyteller sheet by the rules: how hurt somebody is, and what that costs."""

from __future__ import annotations

from campaigns.models import Campaign
from characters.figures import Figure, Figures
from characters.sheets.sheet import Values
from rolls.settings import roll_settings
from rulesets.storyteller.rules.pool import wound_penalty
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import DAMAGE, HEALTH_LEVELS, health, wounded

HEALTH = "health"
"""The name of the figure, and of the group of the sheet where it stands."""


class StorytellerFigures(Figures):
    templates = {HEALTH: "storyteller/health.html"}

    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Return what marks each health level, the worst first, and the dice that actions lose."""
        less = wound_penalty(wounded(values), roll_settings(campaign).of(Settings).wound_penalties)
        return [Figure(HEALTH, (*health(values), less))]

    def words(self, figure: Figure) -> tuple[str, str]:
        *levels, less = figure.values
        marks = [mark for mark in levels if mark]
        if not marks:
            return "Health", "unhurt"
        harm = [f"{marks.count(kind)} {kind}" for kind in reversed(DAMAGE) if kind in marks]
        if less:
            harm.append(f"\N{MINUS SIGN}{less} {'die' if less == 1 else 'dice'}")
        return "Health", f"{HEALTH_LEVELS[len(marks) - 1]}: {', '.join(harm)}"

    def brief(self, figure: Figure) -> tuple[str, int, int]:
        *levels, less = figure.values
        marked = sum(bool(mark) for mark in levels)
        state = HEALTH_LEVELS[marked - 1] if marked else "Unhurt"
        return f"{state} −{less}" if less else state, marked, len(levels)
