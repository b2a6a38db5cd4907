"""Tables of Storyteller rolls, drawn from the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rolls.guide.content import Table
from rulesets.storyteller.rules.pool import RATING_NAMES
from rulesets.storyteller.rules.roll import DEGREES, DIFFICULTY_NAMES, MASTERY
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import HEALTH_LEVELS


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
