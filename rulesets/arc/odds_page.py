"""Exact odds of VI-VIII-X for everyone, at /odds/arc/, and their form."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.text import signed
from languages.text import gettext_lazy
from rolls import odds as shown
from rolls.forms.base import WholeNumber
from rolls.forms.odds import OddsForm
from rolls.odds import Cell, Part, Row, Section, Table, percent
from rolls.ruleset import Expectation, OddsPage
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rules.dice import D10, mean
from rulesets.arc import odds
from rulesets.arc.odds import adjustments, opposed, reaction, threshold
from rulesets.arc.rules.check import core_row, die_words
from rulesets.arc.settings import SCORES, Settings
from rulesets.arc.table import KINDS, Kind, ask_of

FURTHEST: Final = 30


class ArcOdds(OddsForm):
    es = WholeNumber(gettext_lazy("Skill score"), *SCORES, 5)
    needed = WholeNumber(
        gettext_lazy("Needed"),
        -FURTHEST,
        FURTHEST,
        0,
        help_text=gettext_lazy("Threshold − Known Stat − Unknown Stat − other adjustments."),
    )
    against = WholeNumber(gettext_lazy("Opponent’s skill score"), *SCORES, 5)
    lead = WholeNumber(
        gettext_lazy("Lead"), -FURTHEST, FURTHEST, 0, help_text=gettext_lazy("How far you’re ahead before the dice.")
    )
    som = WholeNumber(gettext_lazy("State of mind"), *SCORES, 5)


ALL_SCORES: Final = range(SCORES[0], SCORES[1] + 1)
NEEDED: Final = range(-3, 11)
"""Below, every check succeeds; from 10 on none does."""

LEADS: Final = range(-8, 9)


def _success(caption: str, chance: Fraction) -> tuple[Any, Table]:
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
    chart = shown.chart(_("Adjustment by the die"), _("Adjustment"), chances, look=_by_sign, name=signed)
    return Section("adjustment", _("The die of skill score {score}").format(score=es), (line,), charts=(chart,))


def _by_sign(number: int) -> str:
    return "good" if number > 0 else "worst"


def _every_check(settings: dict[str, Any]) -> Section:
    table = shown.grid(
        _("Chance of success by skill score"),
        _("Needed"),
        ALL_SCORES,
        NEEDED,
        lambda es, needed: threshold(es, needed),
        chosen=(settings["es"], settings["needed"]),
        link=lambda es, needed: shown.address(settings, es=es, needed=needed),
        names=(str, shown.plain),
    )
    line = _("Percentages: what’s needed down, skill scores across.")
    return Section("every-check", _("All skill scores and needs"), (line,), tables=(table,))


def _core_table(es: int) -> Section:
    rows = []
    for score in ALL_SCORES:
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
        tables=(Table(_("The core table"), _("Skill score"), head, tuple(rows)),),
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
        ALL_SCORES,
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
        for som in ALL_SCORES
    ]
    line = _("State of mind {score} passes with {chance}. Failing costs the turn.").format(
        score=settings["som"], chance=percent(reaction(settings["som"]))
    )
    table = Table(pgettext("a check of VI-VIII-X", "Reaction"), _("State of mind"), (Cell(_("Passes")),), tuple(rows))
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
        within = max(-odds.FURTHEST, min(needed, odds.FURTHEST))
        return _chance(terms["es"], within, settings.of(Settings))

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return D10.sides if kind == Kind.REACTION else core_row(terms["es"], settings.of(Settings)).die.sides

    def traits(self, terms: Terms) -> Iterable[str]:
        return KINDS[terms["kind"]].trait_names(terms)
