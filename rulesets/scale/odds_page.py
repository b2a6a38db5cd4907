"""The page of odds of the Scale: what one roll sets off from where it stands, and when the next Major Burn comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from django import forms

from campaigns.text import signed
from rolls.forms.odds import NumberField, OddsForm
from rolls.odds import shown
from rolls.odds.shown import Cell, Part, Row, Section, Table, shift
from rolls.registry import RULESETS
from rolls.rules.tally import Shifts, mean
from rolls.ruleset import OddsPage
from rulesets.scale.odds import Crossing, Policy, Share, crossing, next_major
from rulesets.scale.rules.scale import MAJOR_AT, BurnKind, Reached, State, step, tally

LOWEST_DIFFICULTY, STANDARD, HIGHEST_DIFFICULTY = 2, 6, 10
MOST_DICE: Final = 20


class ScaleOdds(OddsForm):
    scale = NumberField("Scale", 1 - MAJOR_AT, MAJOR_AT - 1, 0)
    banked = forms.ChoiceField(
        label="In the bank",
        choices=[("", "nothing"), *((kind.value, kind.value.capitalize()) for kind in BurnKind)],
        required=False,
        error_messages={"invalid_choice": "In the bank: choose nothing, Grace or Trouble."},
    )
    dice = NumberField("Dice", 1, MOST_DICE, 5)
    difficulty = NumberField("Difficulty", LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)


STANDS: Final = range(1 - MAJOR_AT, MAJOR_AT)
POLICIES: Final = {Policy.BANK: "Burns are banked", Policy.TAKE: "Burns are taken at once"}


def _shifts(dice: int, difficulty: int) -> Shifts:
    """Count by the first rules whose dice can be counted."""
    counted = next(ruleset.table.counted for ruleset in RULESETS.values() if ruleset.table.counted)
    return counted.shifts({"dice": dice, "difficulty": difficulty}, tally())


def _state(scale: int, banked: str) -> State:
    return State(scale, banked=BurnKind(banked) if banked else None)


def _events(chances: Crossing) -> Mapping[str, Fraction]:
    return {
        "Major Trouble": chances.majors[BurnKind.TROUBLE],
        "Trouble offered": chances.offers[BurnKind.TROUBLE],
        "no Burn": 1 - chances.any,
        "both Burns fire": chances.both,
        "Grace offered": chances.offers[BurnKind.GRACE],
        "Major Grace": chances.majors[BurnKind.GRACE],
    }


def _one_roll(odds: Shifts, state: State, roll: str, average: Fraction) -> Section:
    chances = crossing(odds, state)
    parts = [Part(_look(words), words, chance) for words, chance in _events(chances).items()]
    bar, table = shown.outcomes("What the roll sets off", parts, [("any Burn", chances.any)])
    lines = (f"The roll moves it by {shift(average)} on average.",)
    return Section("roll", f"From {signed(state.scale)}, {roll}", lines, bar, tables=(table,))


def _look(words: str) -> str:
    # Two Burns that fire together may be of either kind.
    return "fair" if "fire" in words else "good" if "Grace" in words else "worst" if "Trouble" in words else "bad"


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
    line = "±8 stands for a Major Burn, after which the Scale is at 0. Where two Burns fire it goes to 0, too."
    chart = shown.chart("The Scale after the roll", "Scale", chances, look=_by_sign, name=signed)
    return Section("after", "Where it stands afterwards", (line,), charts=(chart,))


def _by_sign(number: int) -> str:
    return "good" if number > 0 else "worst" if number else "bad"


def _next_major(state: State, share: Share) -> Section:
    rows = []
    for policy, words in POLICIES.items():
        chances = next_major(state, [share], policy)
        grace = "never" if chances.grace is None else f"{shown.decimal(100 * chances.grace)} %"
        rolls = "never" if chances.rolls is None else shown.decimal(chances.rolls)
        rows.append(Row(words, (Cell(grace), Cell(rolls))))
    head = (Cell("Grace"), Cell("Mean rolls"))
    line = "How often it is Grace, and how many rolls it takes, if the table goes on making just this one."
    table = Table("By what is done with Burns", "If", head, tuple(rows))
    return Section("major", "The next Major Burn", (line,), tables=(table,))


def _from_everywhere(odds: Shifts, settings: dict[str, Any]) -> Section:
    chances = {stand: _events(crossing(odds, _state(stand, settings["banked"]))) for stand in STANDS}
    events = [event for event in chances[0] if event != "no Burn" and any(row[event] for row in chances.values())]
    table = shown.grid(
        "What this roll sets off, in percents",
        "Scale",
        events,
        STANDS,
        lambda event, stand: chances[stand][event],
        chosen=(None, settings["scale"]),
        link=lambda event, stand: shown.address(settings, scale=stand),
        names=(str, signed),
    )
    return Section("everywhere", "The same roll from everywhere", tables=(table,))


class ScaleOddsPage(OddsPage):
    name = "The Scale"
    summary = (
        "What a roll sets off from where the Scale stands and where it leads, how long until the next Major Burn, "
        "and whether it is Grace."
    )
    examples = (
        ("Five dice from 0", "?scale=0&dice=5&difficulty=6"),
        ("Near the edge, with Trouble in the bank", "?scale=-6&banked=trouble&dice=6&difficulty=7"),
    )
    form = ScaleOdds

    def sections(self, scale: int, banked: str, dice: int, difficulty: int) -> tuple[Section, ...]:
        """Return all that the page answers for a Scale of -7 to 7, "grace", "trouble" or "" in the bank, and 1 to 100 dice."""
        odds = _shifts(dice, difficulty)
        state = _state(scale, banked)
        settings = {"scale": scale, "banked": banked, "dice": dice, "difficulty": difficulty}
        return (
            _one_roll(odds, state, f"{shown.dice(dice)} at difficulty {difficulty}", mean(odds)),
            _afterwards(odds, state),
            _next_major(state, Share.of(1, odds)),
            _from_everywhere(odds, settings),
        )
