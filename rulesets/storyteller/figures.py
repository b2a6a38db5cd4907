"""Figures of a Storyteller sheet: health, its penalty, and the meaning of its changes."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Campaign
from characters.figures import Figure, Figures, State, States
from characters.sheets.sheet import STATE, Values
from languages.text import colon, gettext_lazy
from rolls.settings import roll_settings
from rulesets.storyteller.rules.damage import HARM_WORDS, Harm
from rulesets.storyteller.rules.roll import wound_penalty
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import DAMAGE, HEALTH_LEVELS, SHEET, health, is_incapacitated, state_words, wounded

HEALTH = "health"
"""The name of the figure, and of its group on the sheet."""


class StorytellerFigures(Figures):
    templates = {HEALTH: "storyteller/health.html"}

    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Return the health level, the damage on each, the worst first, and the dice that actions lose."""
        less = wound_penalty(wounded(values), roll_settings(campaign).of(Settings).wound_penalties)
        levels = health(values)
        return [Figure(STATE, (sum(bool(mark) for mark in levels), less)), Figure(HEALTH, (*levels, less))]

    def words(self, figure: Figure) -> tuple[str, str]:
        if figure.name == STATE:
            return "", str(state_words(*map(int, figure.values)))
        *levels, less = figure.values
        marks = [mark for mark in levels if mark]
        if not marks:
            return _("Health"), _("unhurt")
        harm = [
            _("{count} {harm}").format(count=marks.count(kind), harm=HARM_WORDS[Harm(kind)])
            for kind in reversed(DAMAGE)
            if kind in marks
        ]
        if less:
            harm.append(ngettext("−{count} die", "−{count} dice", int(less)).format(count=less))
        return _("Health"), f"{HEALTH_LEVELS[len(marks) - 1]}{colon()}{', '.join(harm)}"

    def bar(self, figure: Figure) -> tuple[str, int, int]:
        if figure.name != HEALTH:
            return "", 0, 0
        *levels, _less = figure.values
        return "", sum(bool(mark) for mark in levels), len(levels)


SPENT = {"willpower_now": gettext_lazy("has no Willpower left"), "blood": gettext_lazy("has no blood left")}


class StorytellerStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        was, now = is_incapacitated(before), is_incapacitated(after)
        ran_out = [name for name in SPENT if SHEET.number(before, name) and not SHEET.number(after, name)]
        changed = [State("incapacitated" if now else "on_their_feet", (), DAMAGE)] if was is not now else []
        return [*changed, *(State("spent", (name,), (name,)) for name in ran_out)]

    def words(self, state: State) -> str:
        if state.code == "spent":
            return str(SPENT.get(str(state.values[0]), _("has nothing left")))
        return _("is incapacitated") if state.code == "incapacitated" else _("is no longer incapacitated")
