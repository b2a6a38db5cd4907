"""The parts that guide.toml names: the tables of VI-VIII-X, drawn from the rules themselves, and worked rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from campaigns.text import added, signed
from rolls.guide.content import Die, Example, Table
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.body import HUMAN_BASE, Size, heaviest, load, movement
from rulesets.arc.rules.check import Row, core_row, threshold_of
from rulesets.arc.rules.turn import COMBAT_OCCASIONS, OTHER_OCCASIONS, actions_in_turn
from rulesets.arc.settings import DEFAULTS, SCORES, Burden, Level

EVERY_SCORE: Final = range(SCORES[0], SCORES[1] + 1)
CARRIED: Final = (Burden.NONE, Burden.LIGHT, Burden.MEDIUM, Burden.HEAVY, Burden.OVERLOADED)


def core() -> Table:
    rows = tuple((str(es), str(row.die), signed(row.lowest), signed(row.highest)) for es, row in _rows().items())
    return Table("The core table", ("ES", "Die", "Lowest adjustment", "Highest"), rows)


def malus() -> Table:
    rows = tuple((str(es), _fraction(Fraction(row.die.sides - es, row.die.sides))) for es, row in _rows().items())
    return Table("Chance that the die becomes a malus", ("ES", "Chance"), rows)


def thresholds() -> Table:
    rows = tuple((level.words.capitalize(), str(threshold_of(level))) for level in Level)
    return Table("Thresholds", ("Level", "To be exceeded"), rows)


def actions() -> Table:
    rows = tuple((str(es), str(actions_in_turn([es]))) for es in EVERY_SCORE)
    return Table("Actions in a turn", ("ES", "Actions"), rows)


def control() -> Table:
    rows = tuple(
        (str(score), signed(DEFAULTS.control_bonus[score - 1]), str(movement(score).metres)) for score in EVERY_SCORE
    )
    return Table(f"Movement of a human, whose base is {HUMAN_BASE} m", ("Control", "Bonus", "Metres a turn"), rows)


def sizes() -> Table:
    rows = tuple(
        (size.capitalize(), signed(size.steps), _fraction(movement(5, size=size).size_factor)) for size in Size
    )
    return Table("Sizes", ("Size", "Steps from human", "Movement and load times"), rows)


def loads() -> Table:
    rows = tuple(
        (str(build), *(_kilograms(fraction) for fraction in _limits(build)), str(load(build, 0).bearable))
        for build in EVERY_SCORE
    )
    return Table("Kilograms at human size", ("Build", "Light", "Medium", "Heavy", "Overloaded up to"), rows)


def burdens() -> Table:
    rows = tuple(
        (burden.capitalize(), _fraction(movement(5, burden=burden).burden_factor))
        for burden in (*CARRIED, Burden.IMMOBILE)
    )
    return Table("What burdens leave of the movement", ("Burden", "Times"), rows)


def occasions() -> Table:
    fight = tuple(("In a fight", words.capitalize()) for words in COMBAT_OCCASIONS)
    return Table(
        "Occasions", ("Where", "When"), (*fight, *(("Elsewhere", words.capitalize()) for words in OTHER_OCCASIONS))
    )


def _rows() -> dict[int, Row]:
    return {es: core_row(es) for es in EVERY_SCORE}


def _limits(build: int) -> tuple[Fraction | None, ...]:
    """Return what a Build may carry as light, medium, heavy; None where it may not."""
    allowed = CARRIED.index(heaviest(build))
    loadt = load(build, 0).loadt
    return tuple(loadt * step if step <= allowed else None for step in (1, 2, 3))


def _kilograms(weight: Fraction | None) -> str:
    return "not allowed" if weight is None else str(weight)


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}" if value.denominator > 1 else str(value.numerator)


TABLES: Final[Mapping[str, Callable[[], Table]]] = {
    "core": core,
    "malus": malus,
    "thresholds": thresholds,
    "actions": actions,
    "control": control,
    "sizes": sizes,
    "loads": loads,
    "burdens": burdens,
    "occasions": occasions,
}


def example(ks: int, us: int, es: int, face: int, threshold: int) -> Example:
    check = rules.resolve(rules.Ask(ks=ks, us=us, es=es), iter([face]))
    adjustment = check.adjustment
    drawn = "success" if adjustment.role is rules.Role.BONUS else "one"
    won = rules.versus_threshold(check, threshold).success
    came = (
        f"{ks} + {us} {added(adjustment.value)} = {check.total}: {'higher' if won else 'not higher'} than {threshold}, "
    )
    return Example(
        f"KS {ks}, US {us}, an ES of {es} and so a {adjustment.die}",
        (("", (Die(face, drawn, adjustment.why),)),),
        came + ("a success" if won else "a failure"),
        adjustment.die.sides,
    )
