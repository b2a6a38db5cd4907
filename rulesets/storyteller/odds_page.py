"""The page of odds of Storyteller rolls: one roll, what it gives the Scale, and every pool at every difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final

from django import forms

from campaigns.text import signed
from rolls.forms.odds import NumberField, OddsForm
from rolls.odds import shown
from rolls.odds.shown import Part, Section, Table, shift
from rolls.rules.dice import mean
from rolls.ruleset import OddsPage
from rulesets.storyteller.forms import STANDARD
from rulesets.storyteller.odds import Joint, drift, joint, outcomes
from rulesets.storyteller.rules.roll import DEGREES, DIFFICULTY_NAMES, Result, mastery
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY

MOST_DICE: Final = 20


class StorytellerOdds(OddsForm):
    dice = NumberField("Dice", 1, MOST_DICE, 5)
    difficulty = NumberField("Difficulty", LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)
    ability = NumberField("Ability", 0, 10, 0, "From 5 on it saves from botches.")
    willpower = forms.BooleanField(label="A Willpower point", required=False)


DIFFICULTIES: Final = range(LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY + 1)
POOLS: Final = range(1, 16)
LOOKS: Final = {Result.BOTCH: "worst", Result.FAILURE: "bad", "marginal": "fair"}

_Odds = Mapping[str, Fraction]


def _one_roll(odds: Joint, settings: dict[str, Any]) -> Section:
    chances = outcomes(odds, willpower=settings["willpower"])
    parts = [Part(LOOKS.get(name, "good"), str(name), chance) for name, chance in chances.items()]
    two_or_more = Part("good", "two or more", sum((part.chance for part in parts[3:]), Fraction()))
    bar, table = shown.outcomes(
        "How the roll comes out", parts, [("any success", _success(chances))], drawn=[*parts[:3], two_or_more]
    )
    called = DIFFICULTY_NAMES.get(settings["difficulty"])
    title = f"{shown.dice(odds.dice)} at difficulty {settings['difficulty']}"
    lines = _remarks(settings["dice"], settings["ability"], settings["willpower"])
    return Section("roll", f"{title} ({called})" if called else title, lines, bar, tables=(table,))


def _remarks(dice: int, ability: int, willpower: bool) -> tuple[str, ...]:
    lines = []
    if spared := mastery(ability):
        ones = "one 1" if spared == 1 else f"{spared} 1s"
        lines.append(f"An Ability of {ability} takes {ones} out of a roll that would otherwise be a botch.")
    if willpower:
        lines.append("The Willpower point adds a success that no 1 cancels, so the roll can be no botch.")
    if dice > 10:
        lines.append("More than ten dice: beyond what is human.")
    return tuple(lines)


def _successes(odds: Joint, willpower: bool) -> Section:
    chances = {net + willpower: Fraction(ways, odds.total) for net, ways in odds.nets().items()}
    line = f"{shown.average(mean(chances))}, after 1s have cancelled theirs."
    chart = shown.chart("Net successes", "Successes", chances, look=_by_degree)
    return Section("successes", "How many successes", (line,), charts=(chart,))


def _by_degree(net: int) -> str:
    return ("bad", "fair")[net] if net < 2 else "good"


def _scale(odds: Joint, difficulty: int) -> Section:
    chances = {delta: Fraction(ways, odds.total) for delta, ways in odds.deltas().items()}
    line = (
        f"{shown.average(drift(odds.dice, difficulty).expected, shift)}, if it is an action roll. "
        "The faces alone are even; what is left comes from 1s that cancel a success and are skipped."
    )
    chart = shown.chart("Shift of the Scale", "Shift", chances, look=_by_sign, name=signed)
    return Section("scale", "What it gives the Scale", (line,), charts=(chart,))


def _by_sign(number: int) -> str:
    return "good" if number > 0 else "worst" if number else "bad"


def _every_pool(settings: dict[str, Any]) -> Section:
    link = partial(_link, settings)
    chosen = (settings["difficulty"], settings["dice"])
    chances = _everything(settings["ability"], settings["willpower"])

    def table(caption: str, measure: Any) -> Table:
        return shown.grid(
            caption,
            "Dice",
            DIFFICULTIES,
            POOLS,
            lambda difficulty, dice: measure(chances[dice, difficulty]),
            chosen=chosen,
            link=link,
        )

    line = "Percents: dice downwards, difficulties across. A figure leads to all there is to say about it."
    tables = (table("Chance of success", _success), table("Chance of a botch", lambda odds: odds[Result.BOTCH]))
    if settings["willpower"]:
        line = f"With a Willpower point every roll succeeds. {line}"
        tables = (table("Two successes or more", partial(_at_least, 2)), table("Three or more", partial(_at_least, 3)))
    return Section("every-pool", "Every pool at every difficulty", (line,), tables=tables)


def _link(settings: dict[str, Any], difficulty: int, dice: int) -> str:
    return shown.address(settings, dice=dice, difficulty=difficulty)


def _at_least(successes: int, odds: _Odds) -> Fraction:
    return sum((odds[degree] for degree in DEGREES[successes - 1 :]), Fraction())


def _success(odds: _Odds) -> Fraction:
    return _at_least(1, odds)


@lru_cache(maxsize=32)
def _everything(ability: int, willpower: bool) -> Mapping[tuple[int, int], _Odds]:
    return {
        (dice, difficulty): outcomes(joint(dice, difficulty, ability=ability), willpower=willpower)
        for dice in POOLS
        for difficulty in DIFFICULTIES
    }


class StorytellerOddsPage(OddsPage):
    name = "Storyteller rolls"
    summary = (
        "Botch, failure and each degree of success for a pool against a difficulty, what the roll gives the Scale, "
        "and every pool at every difficulty."
    )
    examples = (
        ("Five dice at difficulty 6", "?dice=5&difficulty=6"),
        ("The same with a Willpower point", "?dice=5&difficulty=6&willpower=on"),
        ("Two dice do worse than one", "?dice=2&difficulty=2"),
    )
    form = StorytellerOdds

    def sections(self, dice: int, difficulty: int, ability: int, willpower: bool) -> tuple[Section, ...]:
        """Return all that the page answers for 1 to 100 dice at a difficulty of 2 to 10."""
        odds = joint(dice, difficulty, ability=ability)
        settings = {"dice": dice, "difficulty": difficulty, "ability": ability, "willpower": willpower}
        return (
            _one_roll(odds, settings),
            _successes(odds, willpower),
            _scale(odds, difficulty),
            _every_pool(settings),
        )
