"""Exact odds of the forged rules for everybody, at /odds/forged/, and the form that asks for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from django import forms

from rolls.forms.odds import NumberField, OddsForm
from rolls.odds import shown
from rolls.odds.shown import Cell, Part, Row, Section, Table, percent
from rolls.rules.dice import mean
from rolls.ruleset import OddsPage
from rulesets.forged.odds import fortune, group, opposed_fortune, resistance_stress, results
from rulesets.forged.rules.fortune import PERFORMANCES
from rulesets.forged.rules.roll import Pool, Result

FEWEST_DICE, MOST_DICE = -5, 12
MOST_IN_GROUP: Final = 10
LONGEST_GROUP: Final = 60


class PoolsField(forms.CharField):
    """Several pools, such as "2, 1, 3": 1 to 10 of them."""

    def to_python(self, value: Any) -> tuple[int, ...]:  # type: ignore[override]
        words = re.split(r"[,;\s]+", str(value).strip())
        if not all(re.fullmatch(r"[-\N{MINUS SIGN}]?[0-9]{1,3}", word) for word in words):
            raise forms.ValidationError("Type the dice of each who rolls, such as 2, 1, 3.")
        pools = tuple(int(word.replace("\N{MINUS SIGN}", "-")) for word in words)
        if len(pools) > MOST_IN_GROUP or not all(FEWEST_DICE <= dice <= MOST_DICE for dice in pools):
            raise forms.ValidationError(
                f"A group has at most {MOST_IN_GROUP} who roll, with \N{MINUS SIGN}5 to {MOST_DICE} dice each."
            )
        return pools


class ForgedOdds(OddsForm):
    dice = NumberField("Dice", FEWEST_DICE, MOST_DICE, 2)
    pools = PoolsField(
        label="Group", max_length=LONGEST_GROUP, initial="2, 1, 0", help_text="The dice of each who rolls."
    )
    against = NumberField("Against in fortune", FEWEST_DICE, MOST_DICE, 2)


POOLS: Final = range(9)
LOOKS: Final = {Result.BAD: "worst", Result.PARTIAL: "fair", Result.FULL: "good", Result.CRITICAL: "good"}
WORDS: Final = {Result.CRITICAL: "critical"}


def _word(result: Result) -> str:
    return WORDS.get(result, result.value)


def _parts(chances: Mapping[Result, Fraction]) -> list[Part]:
    return [Part(LOOKS[result], _word(result), chances[result]) for result in Result]


def _action(dice: int) -> Section:
    chances = results(dice)
    bar, table = shown.outcomes("The highest die", _parts(chances), [("4 or more", 1 - chances[Result.BAD])])
    lines = ("Two dice fall and the lower one counts; there is no critical.",) if Pool(dice).lowest else ()
    return Section("roll", f"An action with {shown.dice(dice)}", lines, bar, tables=(table,))


def _by_dice(settings: dict[str, Any]) -> Section:
    chosen = max(0, settings["dice"])
    rows = []
    for dice in POOLS:
        chances = results(dice)
        href = shown.address(settings, dice=dice)
        cells = [shown.shaded(chances[result], href=href) for result in Result]
        stress = mean(resistance_stress(dice))
        cells.append(Cell(shown.decimal(stress), shown.exactly(stress)))
        rows.append(Row(str(dice) if dice else "0 or less", tuple(cells), chosen=dice == chosen))
    head = (*(Cell(_word(result)) for result in Result), Cell("stress"))
    table = Table("Results by number of dice", "Dice", head, tuple(rows), dense=True)
    line = "Percents; and the mean stress of resisting with as many."
    return Section("by-dice", "Every number of dice", (line,), tables=(table,))


def _resistance(dice: int) -> Section:
    chances = resistance_stress(dice)
    lines = [f"{shown.average(mean(chances))}."]
    if min(chances) < 0:
        lines.append("−1 is a critical: it costs nothing and clears one.")
    chart = shown.chart("Stress of resisting", "Stress", chances, look=_by_stress, name=shown.plain)
    return Section("resistance", f"Resisting with {shown.dice(dice)}", tuple(lines), charts=(chart,))


def _by_stress(stress: int) -> str:
    return "good" if stress <= 0 else "fair" if stress < 3 else "worst"


def _group(pools: Sequence[int]) -> tuple[Section, Section]:
    chances = group(list(pools))
    bar, table = shown.outcomes("The best single result", _parts(chances.results))
    title = f"A group with {', '.join(map(shown.plain, pools))} dice"
    line = "The best result counts for all. Sixes of different people make no critical."
    stress = shown.chart("Stress for the leader", "Stress", chances.stress, look=_by_stress)
    cost = f"{shown.average(mean(chances.stress))}: one for each who rolls 1-3, the leader included."
    return (
        Section("group", title, (line,), bar, tables=(table,)),
        Section("leader", "What it costs the leader", (cost,), charts=(stress,)),
    )


def _fortune(dice: int) -> Section:
    chances = fortune(dice)
    rows = [
        Row(
            PERFORMANCES[result].quality.capitalize(),
            (Cell(PERFORMANCES[result].effect), Cell(percent(chances[result])), shown.fraction(chances[result])),
            look=LOOKS[result],
        )
        for result in Result
    ]
    head = (Cell("Effect"), Cell("Chance"), Cell("Exactly"))
    return Section(
        "fortune", f"Fortune with {shown.dice(dice)}", tables=(Table("Fortune", "Outcome", head, tuple(rows)),)
    )


def _compared(dice: int, against: int) -> Section:
    chances = opposed_fortune(dice, against)
    parts = [
        Part("good", "first better", chances.a),
        Part("bad", "equal", chances.equal),
        Part("worst", "second better", chances.b),
    ]
    bar, table = shown.outcomes("Level against level", parts)
    title = f"Fortune: {shown.dice(dice)} against {shown.plain(against)}"
    return Section("compared", title, ("Equal levels are the GM’s to judge.",), bar, tables=(table,))


class ForgedOddsPage(OddsPage):
    name = "Forged in the Dark"
    summary = "Results by number of dice, zero and below included, stress of resisting, group actions and fortune."
    examples = (
        ("Two dice", "?dice=2"),
        ("No dice at all", "?dice=0"),
        ("A group of three", "?pools=3, 1, 0"),
    )
    form = ForgedOdds

    def sections(self, dice: int, pools: Sequence[int], against: int) -> tuple[Section, ...]:
        """Return all that the page answers for -100 to 100 dice, a group of 1 to 100 pools, and the other side of a fortune
        roll."""
        settings = {"dice": dice, "pools": ", ".join(map(str, pools)), "against": against}
        return (
            _action(dice),
            _by_dice(settings),
            _resistance(dice),
            *_group(pools),
            _fortune(dice),
            _compared(dice, against),
        )
