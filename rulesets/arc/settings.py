"""The settings that a campaign may decide about the arc rules where arc.txt is silent or has lost its table."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Final, Self, TypeAlias, cast

from pydantic import SkipValidation, model_validator

from languages.text import LazyText, gettext_lazy
from languages.text import gettext as _
from rules.checked import Checked, Whole, YesNo
from rules.dice import LARGEST_DIE
from rules.errors import OutOfRange, RuleError, whole

SCORES: Final = (1, 10)
"""Every score runs from 1 to 10. An ES of 0, untrained, cannot be checked at all: our decision."""

AVERAGE: Final = 5
"""The score assumed when none is given."""

THRESHOLDS: Final = (0, 100)
"""The range of thresholds that a GM may set. No total comes near the upper end."""

MOST_ACTIONS: Final = 10
LARGEST_FACTOR: Final = 10
MOST_LOADS: Final = 10
MOST_CONTROL_BONUS: Final = 100


class Level(StrEnum):
    """The level of difficulty of an action. The text names average, its other names are lost: our decision (arc.txt, V.8)."""

    VERY_EASY = "very_easy"
    EASY = "easy"
    AVERAGE = "average"
    DIFFICULT = "difficult"
    VERY_DIFFICULT = "very_difficult"
    EXTREME = "extreme"

    @property
    def words(self) -> str:
        return str(LEVEL_WORDS[self])


LEVEL_WORDS: Final = {
    Level.VERY_EASY: gettext_lazy("very easy"),
    Level.EASY: gettext_lazy("easy"),
    Level.AVERAGE: gettext_lazy("average"),
    Level.DIFFICULT: gettext_lazy("difficult"),
    Level.VERY_DIFFICULT: gettext_lazy("very difficult"),
    Level.EXTREME: gettext_lazy("extreme"),
}
LEVEL_LABELS: Final = {
    Level.VERY_EASY: gettext_lazy("Very easy"),
    Level.EASY: gettext_lazy("Easy"),
    Level.AVERAGE: gettext_lazy("Average"),
    Level.DIFFICULT: gettext_lazy("Difficult"),
    Level.VERY_DIFFICULT: gettext_lazy("Very difficult"),
    Level.EXTREME: gettext_lazy("Extreme"),
}


class Burden(StrEnum):
    """The weight that a character of a Build carries, from nothing to more than they can bear (arc.txt, V.4)."""

    NONE = "none"
    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"
    OVERLOADED = "overloaded"
    IMMOBILE = "immobile"


BURDEN_WORDS: Final = {
    Burden.NONE: gettext_lazy("No burden"),
    Burden.LIGHT: gettext_lazy("Light burden"),
    Burden.MEDIUM: gettext_lazy("Medium burden"),
    Burden.HEAVY: gettext_lazy("Heavy burden"),
    Burden.OVERLOADED: gettext_lazy("Overloaded"),
    Burden.IMMOBILE: gettext_lazy("Immobile"),
}


Build: TypeAlias = Annotated[int, Whole(1, SCORES[1] + 1)]


class Settings(Checked):
    """The tables that the text has lost, with our defaults. RuleError if they make no table.

    `dice`: sides of the die for ES 1, 2, … 10 (core table, V.7). ES 5 is a d8 in the text, 1 to 4 follow from worked examples,
    9 and 10 from the pattern of two scores a die.
    `thresholds`: what has to be exceeded, for each Level from very easy on (V.8). Average is 9, the rest goes in steps of 3.
    `actions_from`: the ES from which there is a first, a second, a third action in a turn (V.7), ascending.
    `smallest_allowance_counts`: with different ES in one turn the lowest number of actions holds; off, the highest does.
    `sizes_count`: in a fight each step of difference in size gives the smaller side 1 and takes 1 from the larger one (V.9).
    `equal_dice_roll_again`: equal d10 in the order of declaration roll again (V.6); off, equals go by their names.
    `control_bonus`: metres a turn that Control 1, 2, … 10 adds to the base (V.3), ascending; 5 and 6 are the base of the text.
    `size_factor`: what one step of size multiplies movement and load by, and a step down divides by (V.3, V.4).
    `light_from`, `medium_from`, `heavy_from`: the Build that allows the burden (V.4); below light, clothing and nothing else.
    `overload`: how many LOADT above the allowed maximum can be borne before nothing moves any more (V.4).
    `burden_speed`: what is left of the movement with no burden, light, medium, heavy and overloaded (V.4).
    """

    dice: tuple[SkipValidation[int], ...] = (4, 4, 6, 6, 8, 8, 10, 10, 12, 12)
    thresholds: tuple[SkipValidation[int], ...] = (3, 6, 9, 12, 15, 18)
    actions_from: tuple[SkipValidation[int], ...] = (1, 5, 9)
    smallest_allowance_counts: YesNo = True
    sizes_count: YesNo = True
    equal_dice_roll_again: YesNo = True
    control_bonus: tuple[SkipValidation[int], ...] = (-4, -4, -2, -2, 0, 0, 2, 2, 4, 4)
    size_factor: Annotated[int, Whole(1, LARGEST_FACTOR)] = 2
    light_from: Build = 2
    medium_from: Build = 4
    heavy_from: Build = 6
    overload: Annotated[int, Whole(0, MOST_LOADS)] = 1
    burden_speed: tuple[Fraction, ...] = (Fraction(1), Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4))

    @model_validator(mode="after")
    def _make_tables(self) -> Self:
        _table("dice", self.dice, SCORES[1], SCORES[1])
        for es, sides in enumerate(self.dice, start=1):
            if type(sides) is not int or not max(2, es) <= sides <= LARGEST_DIE:
                raise SidesOutOfRange(es, sides)
        _table("thresholds", self.thresholds, len(Level), len(Level))
        _ascending("thresholds", self.thresholds, THRESHOLDS)
        _table("actions_from", self.actions_from, 1, MOST_ACTIONS)
        _ascending("actions_from", self.actions_from, SCORES)
        _table("control_bonus", self.control_bonus, SCORES[1], SCORES[1])
        _bonuses(self.control_bonus)
        whole("medium_from", self.medium_from, 1, self.heavy_from)
        whole("light_from", self.light_from, 1, self.medium_from)
        _speeds(self.burden_speed)
        return self


def _table(field: str, values: Sized, fewest: int, most: int) -> None:
    if not fewest <= len(values) <= most:
        entries = f"{most} entries" if fewest == most else f"{fewest} to {most} entries"
        count = str(most) if fewest == most else _("{fewest} to {most}").format(fewest=fewest, most=most)
        message = _("{setting}: {count} entries are needed.").format(setting=WORDS[field], count=count)
        raise RuleError(field, values, allowed=entries, message=message)


class SidesOutOfRange(OutOfRange):
    """The die of a skill score that could never show the highest adjustment, which is the score; or one that is too large."""

    def __init__(self, es: int, sides: object) -> None:
        self.es = es
        super().__init__("dice", sides, max(2, es), LARGEST_DIE)

    def said_of(self, label: str) -> str:
        words = _(
            "The die of skill score {score} needs {fewest} to {most} sides: its highest face is at least the score."
        )
        return words.format(score=self.es, fewest=self.low, most=self.high)


def _bonuses(bonuses: tuple[int, ...]) -> None:
    slowest = -MOST_CONTROL_BONUS
    for score, bonus in enumerate(bonuses, start=1):
        if type(bonus) is not int or not slowest <= bonus <= MOST_CONTROL_BONUS:
            allowed = f"{slowest} to {MOST_CONTROL_BONUS}"
            message = _("Control {score} adds {lowest} to {highest} metres: a higher score is never slower.").format(
                score=score, lowest=slowest, highest=MOST_CONTROL_BONUS
            )
            raise RuleError("control_bonus", bonus, allowed=allowed, message=message)
        slowest = bonus


def _ascending(field: str, values: tuple[int, ...], limits: tuple[int, int]) -> None:
    lowest = limits[0]
    for value in values:
        lowest = whole(field, value, lowest, limits[1]) + 1


def _speeds(speeds: tuple[Fraction, ...]) -> None:
    _table("burden_speed", speeds, len(Burden) - 1, len(Burden) - 1)
    fastest = Fraction(1)
    for speed in speeds:
        if not 0 <= speed <= fastest:
            message = _("A heavier burden can’t be faster than a lighter one.")
            raise RuleError("burden_speed", speed, allowed=f"fractions from 0 to {fastest}", message=message)
        fastest = speed


DEFAULTS: Final = Settings()

WORDS: Final[Mapping[str, str]] = {
    "dice": gettext_lazy("Sides of the die for skill scores 1 to 10"),
    "thresholds": gettext_lazy("Thresholds from very easy to extreme"),
    "actions_from": gettext_lazy("Skill score needed for the first, second and third action in a turn"),
    "smallest_allowance_counts": gettext_lazy(
        "When skills with different scores are used in a turn, the fewest actions count"
    ),
    "sizes_count": gettext_lazy("In a fight, each step of difference in size counts 1"),
    "equal_dice_roll_again": gettext_lazy("Equal dice in the order of declaration are rolled again"),
    "control_bonus": gettext_lazy("Metres per turn added by Control 1 to 10"),
    "size_factor": gettext_lazy("Factor for movement and load per step of size"),
    "light_from": gettext_lazy("Build needed for a light burden"),
    "medium_from": gettext_lazy("Build needed for a medium burden"),
    "heavy_from": gettext_lazy("Build needed for a heavy burden"),
    "overload": gettext_lazy("Load thresholds above the maximum before a character can’t move"),
    "burden_speed": gettext_lazy("Share of movement left with no, light, medium and heavy burden, and overloaded"),
}
"""The labels of the settings."""

EVERY_SCORE: Final = tuple(range(SCORES[0], SCORES[1] + 1))


def _of_skill_score(score: str) -> str:
    return _("Skill score {score}").format(score=score)


def _of_control(score: str) -> str:
    return _("Control {score}").format(score=score)


ENTRIES: Final[Mapping[str, tuple[str, ...]]] = {
    "dice": tuple(cast(str, LazyText(_of_skill_score, str(score))) for score in EVERY_SCORE),
    "thresholds": tuple(LEVEL_LABELS.values()),
    "control_bonus": tuple(cast(str, LazyText(_of_control, str(score))) for score in EVERY_SCORE),
    "burden_speed": tuple(BURDEN_WORDS[burden] for burden in Burden if burden is not Burden.IMMOBILE),
}
"""The labels of the entries in lists. The number of actions in a turn can vary, so that is no such list."""
