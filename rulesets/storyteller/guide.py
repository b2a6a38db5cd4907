"""Tables and worked rolls of the guide to Storyteller, made by the rules, so that none can be wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rolls.guide import Die, Example, Table
from rolls.stage import dice_words
from rulesets.storyteller.rules import roll
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import HEALTH_LEVELS


def example(faces: Sequence[int], difficulty: int, ability: int = 0) -> Example:
    ask = roll.Ask(pool=roll.typed_pool(len(faces), ability=ability), difficulty=difficulty)
    outcome = roll.resolve(ask, iter(faces))
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
    rows = tuple((str(number), str(name)) for number, name in roll.DIFFICULTY_NAMES.items())
    return Table(_("Difficulties"), (_("Difficulty"), _("Name")), rows)


def degrees() -> Table:
    rows = tuple(
        (
            _("{count} or more").format(count=successes) if successes == len(roll.DEGREES) else str(successes),
            str(roll.RESULT_WORDS[name]),
        )
        for successes, name in enumerate(roll.DEGREES, start=1)
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
