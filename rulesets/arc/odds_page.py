"""Exact odds of VI-VIII-X for everybody, at /odds/arc/, and the form that asks for them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from campaigns.text import signed
from rolls.forms.odds import NumberField, OddsForm
from rolls.odds import shown
from rolls.odds.shown import Cell, Part, Row, Section, Table, percent
from rolls.rules.dice import mean
from rolls.ruleset import OddsPage
from rulesets.arc.odds import adjustments, opposed, reaction, threshold
from rulesets.arc.rules.check import core_row
from rulesets.arc.settings import SCORES

FURTHEST: Final = 30


class ArcOdds(OddsForm):
    es = NumberField("ES", *SCORES, 5)
    needed = NumberField("Needed", -FURTHEST, FURTHEST, 0, "Threshold − KS − US − other adjustments.")
    against = NumberField("Other side’s ES", *SCORES, 5)
    lead = NumberField("Lead", -FURTHEST, FURTHEST, 0, "How far you are ahead before the dice.")
    som = NumberField("SOM", *SCORES, 5)


ALL_SCORES: Final = range(SCORES[0], SCORES[1] + 1)
NEEDED: Final = range(-3, 11)
"""Below, every check succeeds; from 10 on none does."""

LEADS: Final = range(-8, 9)


def _success(caption: str, chance: Fraction) -> tuple[Any, Table]:
    return shown.outcomes(caption, [Part("good", "success", chance), Part("bad", "failure", 1 - chance)])


def _check(es: int, needed: int) -> Section:
    bar, table = _success("The check", threshold(es, needed))
    line = "The die has to bring more than the threshold lacks: threshold − KS − US − other adjustments. A tie fails."
    return Section("roll", f"ES {es}, more than {shown.plain(needed)} needed", (line,), bar, tables=(table,))


def _adjustment(es: int) -> Section:
    chances = adjustments(es)
    line = f"One d{core_row(es).die.sides}: {shown.average(mean(chances))}."
    chart = shown.chart("Adjustment by the die", "Adjustment", chances, look=_by_sign, name=signed)
    return Section("adjustment", f"What the die of ES {es} brings", (line,), charts=(chart,))


def _by_sign(number: int) -> str:
    return "good" if number > 0 else "worst"


def _every_check(settings: dict[str, Any]) -> Section:
    table = shown.grid(
        "Chance of success, by ES",
        "Need",
        ALL_SCORES,
        NEEDED,
        lambda es, needed: threshold(es, needed),
        chosen=(settings["es"], settings["needed"]),
        link=lambda es, needed: shown.address(settings, es=es, needed=needed),
        names=(str, shown.plain),
    )
    line = "Percents: what is needed downwards, ES across."
    return Section("every-check", "Every ES against every need", (line,), tables=(table,))


def _core_table(es: int) -> Section:
    rows = []
    for score in ALL_SCORES:
        row, average = core_row(score), mean(adjustments(score))
        malus = 1 - threshold(score, 0)
        figures = (
            Cell(f"d{row.die.sides}"),
            Cell(f"{signed(row.lowest)} to {signed(row.highest)}"),
            Cell(shown.decimal(average), shown.exactly(average)),
            Cell(percent(malus), shown.exactly(malus)),
        )
        rows.append(Row(str(score), figures, chosen=score == es))
    head = (Cell("Die"), Cell("Brings"), Cell("Mean"), Cell("Below zero"))
    line = "ES 5, 7 and 9 are a shade worse on average than 4, 6 and 8: their die is larger."
    return Section("core", "The die of every ES", (line,), tables=(Table("The core table", "ES", head, tuple(rows)),))


def _opposed(settings: dict[str, Any]) -> Section:
    bar, table = _success("The opposed check", opposed(settings["es"], settings["against"], settings["lead"]))
    line = "The lead is how far KS + US + other adjustments are ahead before the dice fall. A tie fails for who acts."
    title = f"ES {settings['es']} against ES {settings['against']}, lead {signed(settings['lead'])}"
    return Section("opposed", title, (line,), bar, tables=(table,))


def _every_lead(settings: dict[str, Any]) -> Section:
    table = shown.grid(
        "Chance of success, by the other’s ES",
        "Lead",
        ALL_SCORES,
        LEADS,
        lambda against, lead: opposed(settings["es"], against, lead),
        chosen=(settings["against"], settings["lead"]),
        link=lambda against, lead: shown.address(settings, against=against, lead=lead),
        names=(str, signed),
    )
    line = "Percents: the lead downwards, the other side’s ES across."
    return Section("every-lead", f"ES {settings['es']} against every other", (line,), tables=(table,))


def _reaction(settings: dict[str, Any]) -> Section:
    rows = [
        Row(str(som), (Cell(percent(reaction(som)), shown.exactly(reaction(som))),), chosen=som == settings["som"])
        for som in ALL_SCORES
    ]
    line = f"SOM {settings['som']} passes with {percent(reaction(settings['som']))}; who fails loses the turn."
    table = Table("Reaction", "SOM", (Cell("Passes"),), tuple(rows))
    return Section("reaction", "Reaction by SOM", (line,), tables=(table,))


class ArcOddsPage(OddsPage):
    name = "VI-VIII-X"
    summary = "A check against a threshold or another’s check, what the die of every ES brings, and reaction."
    examples = (
        ("ES 5, more than 0 needed", "?es=5&needed=0"),
        ("ES 3 against 7, two ahead", "?es=3&against=7&lead=2"),
    )
    form = ArcOdds

    def sections(self, es: int, needed: int, against: int, lead: int, som: int) -> tuple[Section, ...]:
        """Return all that the page answers: `needed` and `lead` are -220 to 220, the scores 1 to 10."""
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
