"""Tables and worked rolls of the guide to Storyteller, made by the rules, so that none can be wrong; and the page of odds: one
roll, what it gives the Scale, and every pool at every difficulty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.text import signed
from languages.text import gettext_lazy, gettext_noop
from rolls import odds as shown
from rolls.forms.base import WholeNumber
from rolls.forms.odds import OddsForm
from rolls.guide import Die, Example, Table
from rolls.odds import Section, shift
from rolls.ruleset import Expectation, OddsPage
from rolls.settings import RollSettings
from rolls.stage import dice_words
from rolls.table_rules import Terms
from rules.dice import mean
from rulesets.storyteller.odds import Joint, joint, outcomes
from rulesets.storyteller.rules import roll
from rulesets.storyteller.rules.roll import DEGREES, DIFFICULTY_NAMES, Ask, Kind, Result, mastery, typed_pool
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Settings
from rulesets.storyteller.sheet import HEALTH_LEVELS, label_in_language
from rulesets.storyteller.table import beyond_human, parts_of, two_or_more
from rulesets.storyteller.terms import STANDARD, trait_words


def _asked(dice: int, difficulty: int, ability: int = 0, willpower: bool = False, kind: Kind = Kind.ACTION) -> Ask:
    return Ask(pool=typed_pool(dice, ability=ability), difficulty=difficulty, willpower=willpower, kind=kind)


def example(faces: Sequence[int], difficulty: int, ability: int = 0) -> Example:
    outcome = roll.resolve(_asked(len(faces), difficulty, ability), iter(faces))
    dice = tuple(Die(die.face, die.role, roll.why(die.role, difficulty)) for die in outcome.dice)
    asked = _("{dice} at difficulty {difficulty}").format(dice=dice_words(len(dice)), difficulty=difficulty)
    return Example(asked, (("", dice),), came(outcome), 10)


def came(outcome: roll.Outcome) -> str:
    if outcome.result is roll.Result.SUCCESS:
        words = ngettext("{count} success, {degree}", "{count} successes, {degree}", outcome.total)
        return words.format(count=outcome.total, degree=roll.RESULT_WORDS[outcome.degree])
    if outcome.severity:
        return _("a {severity} botch").format(severity=roll.severity_words(outcome.severity_name))
    return _("a failure")


def ratings() -> Table:
    return Table(
        _("Ratings"), (_("Dots"), _("Name")), tuple((str(dots), str(name)) for dots, name in roll.RATING_NAMES.items())
    )


def difficulties() -> Table:
    rows = tuple((str(number), str(name)) for number, name in DIFFICULTY_NAMES.items())
    return Table(_("Difficulties"), (_("Difficulty"), _("Name")), rows)


def degrees() -> Table:
    rows = tuple(
        (
            _("{count} or more").format(count=successes) if successes == len(DEGREES) else str(successes),
            str(roll.RESULT_WORDS[name]),
        )
        for successes, name in enumerate(DEGREES, start=1)
    )
    return Table(_("Degrees of success"), (_("Successes"), _("Degree")), rows)


def abilities_that_spare() -> Table:
    rows = tuple((str(ability), str(taken)) for ability, taken in roll.MASTERY.items())
    return Table(_("1s that the Ability cancels"), (_("Ability"), _("1s removed from a botch")), rows)


def wounds() -> Table:
    rows = tuple(zip(map(str, HEALTH_LEVELS), map(str, Settings().wound_penalties), strict=True))
    return Table(_("Wound penalties"), (_("Last level marked"), _("Penalty in dice, or to initiative")), rows)


TABLES: Final[Mapping[str, Callable[[], Table]]] = {
    "ratings": ratings,
    "difficulties": difficulties,
    "degrees": degrees,
    "mastery": abilities_that_spare,
    "wounds": wounds,
}


# The page of odds


MOST_DICE: Final = 20


class StorytellerOdds(OddsForm):
    dice = WholeNumber(gettext_lazy("Dice"), 1, MOST_DICE, 5)
    difficulty = WholeNumber(gettext_lazy("Difficulty"), LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)
    ability = WholeNumber(
        gettext_lazy("Ability"), 0, 10, 0, help_text=gettext_lazy("5 or more protects against botches.")
    )
    willpower = forms.BooleanField(label=gettext_lazy("Spend Willpower"), required=False)


DIFFICULTIES: Final = range(LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY + 1)
POOLS: Final = range(1, 16)

_Odds = Mapping[str, Fraction]


def _one_roll(asked: Ask) -> Section:
    chances = outcomes(asked)
    parts = parts_of(chances)
    bar, table = shown.outcomes(
        _("Results"), parts, [(_("any success"), _at_least(1, chances))], drawn=two_or_more(parts)
    )
    called = DIFFICULTY_NAMES.get(asked.difficulty)
    title = _("{dice} at difficulty {difficulty}").format(dice=shown.dice(asked.pool.dice), difficulty=asked.difficulty)
    return Section(
        "roll",
        _("{title} ({difficulty})").format(title=title, difficulty=called) if called else title,
        tuple(_remarks(asked)),
        bar,
        tables=(table,),
    )


def _remarks(asked: Ask) -> Iterator[str]:
    if spared := mastery(asked.pool.ability):
        words = ngettext(
            "An Ability of {ability} removes {count} 1 from a roll that would otherwise be a botch.",
            "An Ability of {ability} removes {count} 1s from a roll that would otherwise be a botch.",
            spared,
        )
        yield words.format(ability=asked.pool.ability, count=spared)
    if asked.willpower:
        yield _("The Willpower point adds a success that no 1 can cancel, so the roll can’t botch.")
    if asked.pool.is_beyond_human:
        yield beyond_human()


def _successes(odds: Joint, willpower: bool) -> Section:
    chances = {net + willpower: Fraction(ways, odds.total) for net, ways in odds.nets().items()}
    line = _("{average}, after 1s have cancelled successes.").format(average=shown.average(mean(chances)))
    chart = shown.chart(
        _("Net successes"), _("Successes"), chances, look=lambda net: ("bad", "fair", "good")[min(net, 2)]
    )
    return Section("successes", _("Number of successes"), (line,), charts=(chart,))


def _scale(odds: Joint) -> Section:
    chances = {delta: Fraction(ways, odds.total) for delta, ways in odds.deltas().items()}
    line = _(
        "{average}, for an action roll. The faces balance out; the rest comes from 1s that cancel a success and are skipped."
    ).format(average=shown.average(mean(chances), shift))
    chart = shown.chart(_("Scale shift"), _("Scale shift"), chances, look=shown.by_sign, name=signed)
    return Section("scale", _("Effect on the Scale"), (line,), charts=(chart,))


def _every_pool(settings: dict[str, Any]) -> Section:
    chances = _everything(settings["ability"], settings["willpower"])

    def table(caption: str, measure: Callable[[_Odds], Fraction]) -> shown.Table:
        return shown.grid(
            caption,
            _("Dice"),
            DIFFICULTIES,
            POOLS,
            lambda difficulty, dice: measure(chances[dice, difficulty]),
            chosen=(settings["difficulty"], settings["dice"]),
            link=lambda difficulty, dice: shown.address(settings, dice=dice, difficulty=difficulty),
        )

    line = _("In per cent: dice down, difficulties across. Choose a figure for its full odds.")
    if settings["willpower"]:
        line = " ".join((_("With a Willpower point every roll succeeds."), line))
        tables = (
            table(_("Two successes or more"), partial(_at_least, 2)),
            table(_("Three or more"), partial(_at_least, 3)),
        )
    else:
        tables = (
            table(_("Chance of success"), partial(_at_least, 1)),
            table(_("Chance of a botch"), lambda odds: odds[Result.BOTCH]),
        )
    return Section("every-pool", _("Every pool at every difficulty"), (line,), tables=tables)


def _at_least(successes: int, odds: _Odds) -> Fraction:
    return sum((odds[degree] for degree in DEGREES[successes - 1 :]), Fraction())


@lru_cache(maxsize=32)
def _everything(ability: int, willpower: bool) -> Mapping[tuple[int, int], _Odds]:
    return {
        (dice, difficulty): outcomes(_asked(dice, difficulty, ability, willpower))
        for dice in POOLS
        for difficulty in DIFFICULTIES
    }


class StorytellerOddsPage(OddsPage):
    name = gettext_lazy("Storyteller rolls")
    summary = gettext_lazy(
        "Botch, failure and each degree of success for a pool against a difficulty, its effect on the Scale, "
        "and every pool at every difficulty."
    )
    examples = (
        (gettext_lazy("Five dice at difficulty 6"), "?dice=5&difficulty=6"),
        (gettext_lazy("The same with a Willpower point"), "?dice=5&difficulty=6&willpower=on"),
        (gettext_lazy("Two dice do worse than one"), "?dice=2&difficulty=2"),
    )
    form = StorytellerOdds

    def sections(self, **asked: Any) -> tuple[Section, ...]:
        """Return the page's sections for 1 to 100 dice at a difficulty of 2 to 10."""
        odds = joint(asked["dice"], asked["difficulty"], ability=asked["ability"])
        return _one_roll(_asked(**asked)), _successes(odds, asked["willpower"]), _scale(odds), _every_pool(asked)


# The expected results of a roll, from its terms and the campaign's current rules, for the statistics.


KEPT = 4096
WILLPOWER = gettext_noop("Willpower")


@lru_cache(maxsize=KEPT)
def _chances(settings: Settings, *asked: Any) -> Mapping[str, float]:
    chances = outcomes(_asked(*asked), settings)
    names = (Result.BOTCH, Result.FAILURE)
    return {name.value: float(chances[name]) for name in names} | {"success": float(_at_least(1, chances))}


class StorytellerExpectation(Expectation):
    resources = (WILLPOWER,)

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> Mapping[str, float]:
        asked = (terms["dice"], terms["difficulty"], terms.get("ability") or 0, terms["willpower"], Kind(kind))
        return _chances(settings.of(Settings), *asked)

    def traits(self, terms: Terms) -> Iterable[str]:
        return trait_words(terms["traits"]) or [""]

    def trait_words(self, trait: str) -> str:
        return label_in_language(trait)

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {WILLPOWER: int(terms["willpower"])}
