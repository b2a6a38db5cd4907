"""What follows from a Storyteller sheet: how hurt somebody is, what that costs, and what becomes of them by a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campaigns.models import Campaign
from characters.figures import Figure, Figures
from characters.sheets.sheet import Values
from characters.states import State, States
from rolls.settings import roll_settings
from rulesets.storyteller.rules.roll import wound_penalty
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import DAMAGE, HEALTH_LEVELS, SHEET, health, is_incapacitated, wounded

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


SPENT = {"willpower_now": "has no Willpower left", "blood": "has no blood left"}


def _health(before: Values, after: Values) -> Iterator[State]:
    was, now = is_incapacitated(before), is_incapacitated(after)
    if was is not now:
        yield State("incapacitated" if now else "on_their_feet", (), DAMAGE)


def _spent(before: Values, after: Values) -> Iterator[State]:
    for name in SPENT:
        if SHEET.number(before, name) and not SHEET.number(after, name):
            yield State("spent", (name,), (name,))


class StorytellerStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        return [*_health(before, after), *_spent(before, after)]

    def words(self, state: State) -> str:
        if state.code == "spent":
            return SPENT.get(str(state.values[0]), "has nothing left")
        return "is incapacitated" if state.code == "incapacitated" else "is incapacitated no longer"
