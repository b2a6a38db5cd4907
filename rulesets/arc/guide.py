"""What everyone may read of VI-VIII-X: the parts that guide.toml names, drawn from the rules themselves, and worked rolls; the
exact odds of checks; and what the statistics expect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.text import added, signed
from languages.text import gettext_lazy
from rolls import odds as shown
from rolls.forms.base import WholeNumber
from rolls.forms.odds import OddsForm
from rolls.guide import Die, Example, Table
from rolls.odds import Cell, Part, Row, Section, percent
from rolls.ruleset import Expectation, OddsPage
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rules.dice import D10, mean
from rulesets.arc.odds import FURTHEST, adjustments, opposed, reaction, threshold
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.body import HUMAN_BASE, Size, heaviest, load, movement
from rulesets.arc.rules.check import (
    COMBAT_OCCASIONS,
    OTHER_OCCASIONS,
    actions_in_turn,
    core_row,
    die_words,
    threshold_of,
)
from rulesets.arc.settings import BURDEN_WORDS, DEFAULTS, EVERY_SCORE, LEVEL_LABELS, SCORES, Burden, Settings
from rulesets.arc.sheet import SIZE_WORDS
from rulesets.arc.table import KINDS
from rulesets.arc.terms import Kind, ask_of

CARRIED: Final = (Burden.NONE, Burden.LIGHT, Burden.MEDIUM, Burden.HEAVY, Burden.OVERLOADED)


def core() -> Table:
    rows = tuple((str(es), die_words(row.die), signed(row.lowest), signed(row.highest)) for es, row in _rows().items())
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


def _rows() -> dict[int, rules.Row]:
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
            ks=ks, us=us, es=es, die=die_words(adjustment.die)
        ),
        (("", (Die(face, drawn, rules.why(es, face)),)),),
        came.format(sum=f"{ks} + {us} {added(adjustment.value)}", total=check.total, threshold=threshold),
        adjustment.die.sides,
    )


# The page of odds

FURTHEST_ASKED: Final = 30
"""Totals on the page of odds are no further apart."""


class ArcOdds(OddsForm):
    es = WholeNumber(gettext_lazy("Skill score"), *SCORES, 5)
    needed = WholeNumber(
        gettext_lazy("Needed"),
        -FURTHEST_ASKED,
        FURTHEST_ASKED,
        0,
        help_text=gettext_lazy("Threshold − Known Stat − Unknown Stat − other adjustments."),
    )
    against = WholeNumber(gettext_lazy("Opponent’s skill score"), *SCORES, 5)
    lead = WholeNumber(
        gettext_lazy("Lead"),
        -FURTHEST_ASKED,
        FURTHEST_ASKED,
        0,
        help_text=gettext_lazy("How far you’re ahead before the dice."),
    )
    som = WholeNumber(gettext_lazy("State of mind"), *SCORES, 5)


NEEDED: Final = range(-3, 11)
"""Below, every check succeeds; from 10 on none does."""

LEADS: Final = range(-8, 9)


def _success(caption: str, chance: Fraction) -> tuple[Any, shown.Table]:
    return shown.outcomes(caption, [Part("good", _("success"), chance), Part("bad", _("failure"), 1 - chance)])


def _check(es: int, needed: int) -> Section:
    bar, table = _success(_("The check"), threshold(es, needed))
    line = _(
        "The die has to show more than what’s needed: threshold − Known Stat − Unknown Stat − other adjustments. A tie fails."
    )
    title = _("Skill score {score}, more than {needed} needed").format(score=es, needed=shown.plain(needed))
    return Section("roll", title, (line,), bar, tables=(table,))


def _adjustment(es: int) -> Section:
    chances = adjustments(es)
    line = _("One d{sides}: {average}.").format(sides=core_row(es).die.sides, average=shown.average(mean(chances)))
    chart = shown.chart(
        _("Adjustment by the die"),
        _("Adjustment"),
        chances,
        look=lambda number: "good" if number > 0 else "worst",
        name=signed,
    )
    return Section("adjustment", _("The die of skill score {score}").format(score=es), (line,), charts=(chart,))


def _every_check(settings: dict[str, Any]) -> Section:
    table = shown.grid(
        _("Chance of success by skill score"),
        _("Needed"),
        EVERY_SCORE,
        NEEDED,
        threshold,
        chosen=(settings["es"], settings["needed"]),
        link=lambda es, needed: shown.address(settings, es=es, needed=needed),
        names=(str, shown.plain),
    )
    line = _("Percentages: what’s needed down, skill scores across.")
    return Section("every-check", _("All skill scores and needs"), (line,), tables=(table,))


def _core_table(es: int) -> Section:
    rows = []
    for score in EVERY_SCORE:
        row, average = core_row(score), mean(adjustments(score))
        malus = 1 - threshold(score, 0)
        figures = (
            Cell(die_words(row.die)),
            Cell(_("{lowest} to {highest}").format(lowest=signed(row.lowest), highest=signed(row.highest))),
            Cell(shown.decimal(average), shown.exactly(average)),
            Cell(percent(malus), shown.exactly(malus)),
        )
        rows.append(Row(str(score), figures, chosen=score == es))
    head = (Cell(_("Die")), Cell(_("Adjustment")), Cell(_("Mean")), Cell(_("Below zero")))
    line = _("Skill scores 5, 7 and 9 are slightly worse on average than 4, 6 and 8: their die is larger.")
    return Section(
        "core",
        _("The die of every skill score"),
        (line,),
        tables=(shown.Table(_("The core table"), _("Skill score"), head, tuple(rows)),),
    )


def _opposed(settings: dict[str, Any]) -> Section:
    bar, table = _success(_("The opposed check"), opposed(settings["es"], settings["against"], settings["lead"]))
    line = _(
        "The lead is how far Known Stat + Unknown Stat + other adjustments are ahead before the roll. A tie fails."
    )
    title = _("Skill score {score} against {other}, lead {lead}").format(
        score=settings["es"], other=settings["against"], lead=signed(settings["lead"])
    )
    return Section("opposed", title, (line,), bar, tables=(table,))


def _every_lead(settings: dict[str, Any]) -> Section:
    table = shown.grid(
        _("Chance of success by the opponent’s skill score"),
        _("Lead"),
        EVERY_SCORE,
        LEADS,
        lambda against, lead: opposed(settings["es"], against, lead),
        chosen=(settings["against"], settings["lead"]),
        link=lambda against, lead: shown.address(settings, against=against, lead=lead),
        names=(str, signed),
    )
    line = _("Percentages: the lead down, the opponent’s skill scores across.")
    return Section(
        "every-lead", _("Skill score {score} against all others").format(score=settings["es"]), (line,), tables=(table,)
    )


def _reaction(settings: dict[str, Any]) -> Section:
    rows = [
        Row(str(som), (Cell(percent(reaction(som)), shown.exactly(reaction(som))),), chosen=som == settings["som"])
        for som in EVERY_SCORE
    ]
    line = _("State of mind {score} passes with {chance}. Failing costs the turn.").format(
        score=settings["som"], chance=percent(reaction(settings["som"]))
    )
    table = shown.Table(
        pgettext("a check of VI-VIII-X", "Reaction"), _("State of mind"), (Cell(_("Passes")),), tuple(rows)
    )
    return Section("reaction", _("Reaction by state of mind"), (line,), tables=(table,))


class ArcOddsPage(OddsPage):
    name = "VI-VIII-X"
    summary = gettext_lazy(
        "Checks against a threshold or an opponent, the die of every skill score, and Reaction checks."
    )
    examples = (
        (gettext_lazy("Skill score 5, more than 0 needed"), "?es=5&needed=0"),
        (gettext_lazy("Skill score 3 against 7, two ahead"), "?es=3&against=7&lead=2"),
    )
    form = ArcOdds

    def sections(self, es: int, needed: int, against: int, lead: int, som: int) -> tuple[Section, ...]:
        """Return the page's sections: `needed` and `lead` are -220 to 220, the scores 1 to 10."""
        settings = {"es": es, "needed": needed, "against": against, "lead": lead, "som": som}
        return (
            _check(es, needed),
            _adjustment(es),
            _every_check(settings),
            _core_table(es),
            _opposed(settings),
            _every_lead(settings),
            _reaction(settings),
        )


# The expected results of a roll, from its terms and the campaign's current rules, for the statistics.


@lru_cache(maxsize=4096)
def _chance(es: int, needed: int, settings: Settings) -> float:
    return float(threshold(es, needed, settings))


class ArcExpectation(Expectation):
    def chance(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> float | None:
        """Return the chance of success. That of a check would betray its US, and that of an NPC's reaction its SOM, so
        only GMs get them. Older rolls do not say whose SOM it was.
        """
        if kind == Kind.REACTION:
            return float(reaction(terms["som"])) if for_gm or not terms.get("secret", True) else None
        # Of two, the die of the first has fallen by then.
        needed = ask_of(terms).needed if for_gm else None
        if needed is None:
            return None
        within = max(-FURTHEST, min(needed, FURTHEST))
        return _chance(terms["es"], within, settings.of(Settings))

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return D10.sides if kind == Kind.REACTION else core_row(terms["es"], settings.of(Settings)).die.sides

    def traits(self, terms: Terms) -> Iterable[str]:
        return KINDS[terms["kind"]].trait_names(terms)
