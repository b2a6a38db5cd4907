"""Tables and worked rolls of the guide to Storyteller, made by the rules, so that none can tell a wrong result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from campaigns.text import counted
from rolls.guide.content import Die, Example, Table
from rulesets.storyteller.rules.roll import (
    DEGREES,
    DIFFICULTY_NAMES,
    MASTERY,
    RATING_NAMES,
    Ask,
    Outcome,
    Result,
    resolve,
    typed_pool,
)
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import HEALTH_LEVELS


def example(faces: Sequence[int], difficulty: int, ability: int = 0) -> Example:
    outcome = rolled(faces, difficulty, ability)
    dice = tuple(Die(die.face, die.role, die.why) for die in outcome.dice)
    return Example(asked(outcome), (("", dice),), came(outcome), 10)


def rolled(faces: Sequence[int], difficulty: int, ability: int = 0) -> Outcome:
    ask = Ask(pool=typed_pool(len(faces), ability=ability), difficulty=difficulty)
    return resolve(ask, iter(faces))


def asked(outcome: Outcome) -> str:
    return f"{counted(len(outcome.dice), 'die')} at difficulty {outcome.difficulty}"


def came(outcome: Outcome) -> str:
    if outcome.result is Result.SUCCESS:
        return f"{counted(outcome.total, 'success')}, {outcome.degree}"
    return f"a {outcome.severity_name} botch" if outcome.severity else "a failure"


def ratings() -> Table:
    return Table("Ratings", ("Dots", "Name"), tuple((str(dots), name) for dots, name in RATING_NAMES.items()))


def difficulties() -> Table:
    rows = tuple((str(number), name) for number, name in DIFFICULTY_NAMES.items())
    return Table("Difficulties", ("Difficulty", "Name"), rows)


def degrees() -> Table:
    rows = tuple(
        (f"{successes} or more" if successes == len(DEGREES) else str(successes), name)
        for successes, name in enumerate(DEGREES, start=1)
    )
    return Table("Degrees of success", ("Successes", "Degree"), rows)


def abilities_that_spare() -> Table:
    rows = tuple((str(ability), str(taken)) for ability, taken in MASTERY.items())
    return Table("1s that mastery takes away", ("Ability", "1s taken out of a botch"), rows)


def wounds() -> Table:
    rows = tuple(zip(HEALTH_LEVELS, map(str, Settings().wound_penalties), strict=True))
    return Table("What wounds take", ("Last level marked", "Dice, or points of initiative"), rows)


TABLES: Final[Mapping[str, Callable[[], Table]]] = {
    "ratings": ratings,
    "difficulties": difficulties,
    "degrees": degrees,
    "mastery": abilities_that_spare,
    "wounds": wounds,
}
