"""The parts that guide.toml names: the tables of VI-VIII-X, drawn from the rules themselves, and worked rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.text import added, signed
from rolls.guide import Die, Example, Table
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.body import HUMAN_BASE, Size, heaviest, load, movement
from rulesets.arc.rules.check import COMBAT_OCCASIONS, OTHER_OCCASIONS, Row, actions_in_turn, core_row, threshold_of
from rulesets.arc.settings import BURDEN_WORDS, DEFAULTS, LEVEL_LABELS, SCORES, Burden
from rulesets.arc.sheet import SIZE_WORDS

EVERY_SCORE: Final = range(SCORES[0], SCORES[1] + 1)
CARRIED: Final = (Burden.NONE, Burden.LIGHT, Burden.MEDIUM, Burden.HEAVY, Burden.OVERLOADED)


def core() -> Table:
    rows = tuple(
        (str(es), rules.die_words(row.die), signed(row.lowest), signed(row.highest)) for es, row in _rows().items()
    )
    return Table(
        _("The core table"), (_("Skill score"), _("Die"), _("Lowest adjustment"), _("Highest adjustment")), rows
    )


def malus() -> Table:
    rows = tuple((str(es), _fraction(Fraction(row.die.sides - es, row.die.sides))) for es, row in _rows().items())
    return Table(_("Chance that the die becomes a malus"), (_("Skill score"), _("Chance")), rows)


def thresholds() -> Table:
    rows = tuple((str(label), str(threshold_of(level))) for level, label in LEVEL_LABELS.items())
    return Table(_("Thresholds"), (_("Level"), _("Roll more than")), rows)


def actions() -> Table:
    rows = tuple((str(es), str(actions_in_turn([es]))) for es in EVERY_SCORE)
    return Table(_("Actions per turn"), (_("Skill score"), pgettext("in a turn", "Actions")), rows)


def control() -> Table:
    rows = tuple(
        (str(score), signed(DEFAULTS.control_bonus[score - 1]), str(movement(score).metres)) for score in EVERY_SCORE
    )
    caption = _("Human movement (base {base} m)").format(base=HUMAN_BASE)
    return Table(caption, (_("Control"), _("Bonus"), _("Metres per turn")), rows)


def sizes() -> Table:
    rows = tuple(
        (str(SIZE_WORDS[size.value]), signed(size.steps), _fraction(movement(5, size=size).size_factor))
        for size in Size
    )
    return Table(_("Sizes"), (_("Size"), _("Steps from human"), _("Movement and load multiplied by")), rows)


def loads() -> Table:
    rows = tuple(
        (str(build), *(_kilograms(fraction) for fraction in _limits(build)), str(load(build, 0).bearable))
        for build in EVERY_SCORE
    )
    return Table(
        _("Kilograms at human size"),
        (_("Build"), _("Light burden"), _("Medium burden"), _("Heavy burden"), _("Overloaded up to")),
        rows,
    )


def burdens() -> Table:
    rows = tuple(
        (str(BURDEN_WORDS[burden]), _fraction(movement(5, burden=burden).burden_factor))
        for burden in (*CARRIED, Burden.IMMOBILE)
    )
    return Table(_("Movement under a burden"), (_("Burden"), _("Multiplied by")), rows)


def occasions() -> Table:
    fight = ((_("In a fight"), capfirst(str(words))) for words in COMBAT_OCCASIONS)
    elsewhere = ((_("Elsewhere"), capfirst(str(words))) for words in OTHER_OCCASIONS)
    return Table(_("Occasions"), (_("Where"), _("When")), (*fight, *elsewhere))


def _rows() -> dict[int, Row]:
    return {es: core_row(es) for es in EVERY_SCORE}


def _limits(build: int) -> tuple[Fraction | None, ...]:
    """Return the kilograms that a Build may carry as light, medium and heavy; None for a burden it may not carry."""
    allowed = CARRIED.index(heaviest(build))
    loadt = load(build, 0).loadt
    return tuple(loadt * step if step <= allowed else None for step in (1, 2, 3))


def _kilograms(weight: Fraction | None) -> str:
    return _("not allowed") if weight is None else str(weight)


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
    check = rules.resolve(rules.Ask(ks=ks, us=us, es=es, threshold=threshold), iter([face]))
    adjustment = check.adjustment
    drawn = "success" if adjustment.role is rules.Role.BONUS else "one"
    came = (
        _("{sum} = {total}: higher than {threshold}, a success")
        if check.success
        else _("{sum} = {total}: not higher than {threshold}, a failure")
    )
    return Example(
        _("Known Stat {ks}, Unknown Stat {us}, skill score {es}: a {die}").format(
            ks=ks, us=us, es=es, die=rules.die_words(adjustment.die)
        ),
        (("", (Die(face, drawn, rules.why(es, face)),)),),
        came.format(sum=f"{ks} + {us} {added(adjustment.value)}", total=check.total, threshold=threshold),
        adjustment.die.sides,
    )
