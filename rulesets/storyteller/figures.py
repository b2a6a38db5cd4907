"""What follows from a Storyteller sheet by the rules: how hurt somebody is."""

from __future__ import annotations

from campaigns.models import Campaign
from characters.figures import Figure, Figures
from characters.sheets.sheet import Values
from rulesets.storyteller.sheet import DAMAGE, HEALTH_LEVELS, health

HEALTH = "health"
"""The name of the figure, and of the group of the sheet where it stands."""


def _derive(values: Values, campaign: Campaign) -> list[Figure]:
    """What marks each health level, the worst first."""
    return [Figure(HEALTH, tuple(health(values)))]


def _words(figure: Figure) -> tuple[str, str]:
    marks = [mark for mark in figure.values if mark]
    if not marks:
        return "Health", "unhurt"
    told = [f"{marks.count(kind)} {kind}" for kind in reversed(DAMAGE) if kind in marks]
    return "Health", f"{HEALTH_LEVELS[len(marks) - 1]}: {', '.join(told)}"


FIGURES = Figures(derive=_derive, words=_words, templates={HEALTH: "storyteller/health.html"})
