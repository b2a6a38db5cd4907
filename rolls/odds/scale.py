"""The page of odds of the Scale: what one roll sets off from its present value, and when the next Major Burn comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.text import signed
from languages.text import gettext_lazy
from rolls.forms.odds import OddsForm, WholeNumber
from rolls.odds import shown
from rolls.odds.shown import Cell, Part, Row, Section, Table, shift
from rolls.ruleset import OddsPage
from rules.tally import Shifts, mean
from scale.counting import RULESETS
from scale.odds import Crossing, Policy, Share, crossing, next_major
from scale.rules.scale import MAJOR_AT, BurnKind, Reached, State, step, tally

LOWEST_DIFFICULTY, STANDARD, HIGHEST_DIFFICULTY = 2, 6, 10
MOST_DICE: Final = 20


KINDS: Final = {BurnKind.GRACE: gettext_lazy("Grace"), BurnKind.TROUBLE: gettext_lazy("Trouble")}


class ScaleOdds(OddsForm):
    scale = WholeNumber(gettext_lazy("Scale"), 1 - MAJOR_AT, MAJOR_AT - 1, 0)
    banked = forms.ChoiceField(
        label=gettext_lazy("In the bank"),
        choices=[("", gettext_lazy("nothing")), *((kind.value, label) for kind, label in KINDS.items())],
        required=False,
        error_messages={"invalid_choice": gettext_lazy("In the bank: choose nothing, Grace or Trouble.")},
    )
    dice = WholeNumber(gettext_lazy("Dice"), 1, MOST_DICE, 5)
    difficulty = WholeNumber(gettext_lazy("Difficulty"), LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)


STANDS: Final = range(1 - MAJOR_AT, MAJOR_AT)
POLICIES: Final = {Policy.BANK: gettext_lazy("Burns are banked"), Policy.TAKE: gettext_lazy("Burns are taken at once")}


def _shifts(dice: int, difficulty: int) -> Shifts:
    """Count by the first rules whose dice can be counted."""
    counted = next(ruleset.counted for ruleset in RULESETS.values() if ruleset.counted)
    return counted.shifts({"dice": dice, "difficulty": difficulty}, tally())


def _state(scale: int, banked: str) -> State:
    return State(scale, banked=BurnKind(banked) if banked else None)


EVENTS: Final = {
    "major_trouble": ("worst", gettext_lazy("Major Trouble")),
    "trouble": ("worst", gettext_lazy("Trouble offered")),
    "none": ("bad", gettext_lazy("no Burn")),
    # Two Burns that fire together may be of either kind.
    "both": ("fair", gettext_lazy("both Burns fire")),
    "grace": ("good", gettext_lazy("Grace offered")),
    "major_grace": ("good", gettext_lazy("Major Grace")),
}
"""The events that a roll may cause: their look and words."""


def _events(chances: Crossing) -> Mapping[str, Fraction]:
    return {
        "major_trouble": chances.majors[BurnKind.TROUBLE],
        "trouble": chances.offers[BurnKind.TROUBLE],
        "none": 1 - chances.any,
        "both": chances.both,
        "grace": chances.offers[BurnKind.GRACE],
        "major_grace": chances.majors[BurnKind.GRACE],
    }


def _one_roll(odds: Shifts, state: State, roll: str, average: Fraction) -> Section:
    chances = crossing(odds, state)
    parts = [
        Part(look, str(words), chance)
        for (look, words), chance in zip(EVENTS.values(), _events(chances).values(), strict=True)
    ]
    bar, table = shown.outcomes(_("What the roll sets off"), parts, [(_("any Burn"), chances.any)])
    lines = (_("The roll moves it by {shift} on average.").format(shift=shift(average)),)
    title = _("From {value}, {roll}").format(value=signed(state.scale), roll=roll)
    return Section("roll", title, lines, bar, tables=(table,))


def _afterwards(odds: Shifts, state: State) -> Section:
    ways: Counter[int] = Counter()
    total = sum(odds.values())
    for delta, count in odds.items():
        moved = step(state, delta)
        end = moved.after.scale
        if moved.event is Reached.MAJOR:
            end = MAJOR_AT if moved.fires[0].kind is BurnKind.GRACE else -MAJOR_AT
        ways[end] += count
    chances = {end: Fraction(count, total) for end, count in ways.items()}
    line = _("±8 means a Major Burn, after which the Scale returns to 0. It also returns to 0 when two Burns fire.")
    chart = shown.chart(_("The Scale after the roll"), _("Scale"), chances, look=_by_sign, name=signed)
    return Section("after", _("Where it ends up"), (line,), charts=(chart,))


def _by_sign(number: int) -> str:
    return "good" if number > 0 else "worst" if number else "bad"


def _next_major(state: State, share: Share) -> Section:
    rows = []
    for policy, words in POLICIES.items():
        chances = next_major(state, [share], policy)
        grace = _("never") if chances.grace is None else f"{shown.decimal(100 * chances.grace)} %"
        rolls = _("never") if chances.rolls is None else shown.decimal(chances.rolls)
        rows.append(Row(str(words), (Cell(grace), Cell(rolls))))
    head = (Cell(_("Grace")), Cell(_("Average rolls")))
    line = _("How often it’s Grace, and how many rolls it takes, if the table keeps making this roll.")
    table = Table(_("By what you do with Burns"), _("If"), head, tuple(rows))
    return Section("major", _("The next Major Burn"), (line,), tables=(table,))


def _from_everywhere(odds: Shifts, settings: dict[str, Any]) -> Section:
    chances = {stand: _events(crossing(odds, _state(stand, settings["banked"]))) for stand in STANDS}
    events = [event for event in chances[0] if event != "none" and any(row[event] for row in chances.values())]
    table = shown.grid(
        _("What this roll sets off, in percent"),
        _("Scale"),
        events,
        STANDS,
        lambda event, stand: chances[stand][event],
        chosen=(None, settings["scale"]),
        link=lambda event, stand: shown.address(settings, scale=stand),
        names=(lambda event: str(EVENTS[event][1]), signed),
    )
    return Section("everywhere", _("The same roll from every position"), tables=(table,))


class ScaleOddsPage(OddsPage):
    name = gettext_lazy("The Scale")
    summary = gettext_lazy(
        "What a roll can set off, where the Scale ends up, how long until the next Major Burn, and whether it’s Grace."
    )
    examples = (
        (gettext_lazy("Five dice from 0"), "?scale=0&dice=5&difficulty=6"),
        (gettext_lazy("Near the edge, with Trouble banked"), "?scale=-6&banked=trouble&dice=6&difficulty=7"),
    )
    form = ScaleOdds

    def sections(self, scale: int, banked: str, dice: int, difficulty: int) -> tuple[Section, ...]:
        """Return the page's sections for a Scale of -7 to 7, "grace", "trouble" or "" in the bank, and 1 to 100 dice."""
        odds = _shifts(dice, difficulty)
        state = _state(scale, banked)
        settings = {"scale": scale, "banked": banked, "dice": dice, "difficulty": difficulty}
        return (
            _one_roll(
                odds,
                state,
                _("{dice} at difficulty {difficulty}").format(dice=shown.dice(dice), difficulty=difficulty),
                mean(odds),
            ),
            _afterwards(odds, state),
            _next_major(state, Share.of(1, odds)),
            _from_everywhere(odds, settings),
        )
