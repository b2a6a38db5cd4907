"""Exact odds of the forged rules for everyone, at /odds/forged/, and the form that asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from languages.text import gettext_lazy
from rolls import odds as shown
from rolls.forms.base import WholeNumber
from rolls.forms.odds import OddsForm
from rolls.odds import Cell, Part, Row, Section, Table, percent
from rolls.ruleset import Expectation, OddsPage
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rules.dice import mean
from rulesets.forged.odds import group, opposed_fortune, resistance_stress, results
from rulesets.forged.rules.roll import D6, PERFORMANCES, Pool, Result
from rulesets.forged.sheet import ACTION_LABELS, ATTRIBUTE_LABELS
from rulesets.forged.table import KINDS

FEWEST_DICE, MOST_DICE = -5, 12
MOST_IN_GROUP: Final = 10
LONGEST_GROUP: Final = 60


class PoolsField(forms.CharField):
    """Several pools, such as "2, 1, 3": 1 to 10 of them."""

    def to_python(self, value: Any) -> tuple[int, ...]:  # type: ignore[override]
        words = re.split(r"[,;\s]+", str(value).strip())
        if not all(re.fullmatch(r"[-\N{MINUS SIGN}]?[0-9]{1,3}", word) for word in words):
            raise forms.ValidationError(_("Type the dice of everyone who rolls, such as 2, 1, 3."))
        pools = tuple(int(word.replace("\N{MINUS SIGN}", "-")) for word in words)
        if len(pools) > MOST_IN_GROUP or not all(FEWEST_DICE <= dice <= MOST_DICE for dice in pools):
            message = _("A group has at most {people} people, with −5 to {dice} dice each.")
            raise forms.ValidationError(message.format(people=MOST_IN_GROUP, dice=MOST_DICE))
        return pools


class ForgedOdds(OddsForm):
    dice = WholeNumber(gettext_lazy("Dice"), FEWEST_DICE, MOST_DICE, 2)
    pools = PoolsField(
        label=gettext_lazy("Group"),
        max_length=LONGEST_GROUP,
        initial="2, 1, 0",
        help_text=gettext_lazy("The dice of everyone who rolls."),
    )
    against = WholeNumber(gettext_lazy("Opposing fortune dice"), FEWEST_DICE, MOST_DICE, 2)


POOLS: Final = range(9)
LOOKS: Final = {Result.BAD: "worst", Result.PARTIAL: "fair", Result.FULL: "good", Result.CRITICAL: "good"}


def _word(result: Result) -> str:
    return pgettext("forged result", "critical") if result is Result.CRITICAL else result.value


def _parts(chances: Mapping[Result, Fraction]) -> list[Part]:
    return [Part(LOOKS[result], _word(result), chances[result]) for result in Result]


def _action(dice: int) -> Section:
    chances = results(dice)
    bar, table = shown.outcomes(_("The highest die"), _parts(chances), [(_("4 or more"), 1 - chances[Result.BAD])])
    lines = (_("You roll two dice and the lower one counts; there’s no critical."),) if Pool(dice).lowest else ()
    return Section("roll", _("Action: {dice}").format(dice=shown.dice(dice)), lines, bar, tables=(table,))


def _by_dice(settings: dict[str, Any]) -> Section:
    chosen = max(0, settings["dice"])
    rows = []
    for dice in POOLS:
        chances = results(dice)
        href = shown.address(settings, dice=dice)
        cells = [shown.shaded(chances[result], href=href) for result in Result]
        stress = mean(resistance_stress(dice))
        cells.append(Cell(shown.decimal(stress), shown.exactly(stress)))
        rows.append(Row(str(dice) if dice else _("0 or less"), tuple(cells), chosen=dice == chosen))
    head = (*(Cell(_word(result)) for result in Result), Cell(_("stress")))
    table = Table(_("Results by number of dice"), _("Dice"), head, tuple(rows), dense=True)
    line = _("In percent, with the average stress of resisting with as many dice.")
    return Section("by-dice", _("Every number of dice"), (line,), tables=(table,))


def _resistance(dice: int) -> Section:
    chances = resistance_stress(dice)
    lines = [f"{shown.average(mean(chances))}."]
    if min(chances) < 0:
        lines.append(_("−1 is a critical: it costs nothing and clears 1 stress."))
    chart = shown.chart(_("Stress of resisting"), _("Stress"), chances, look=_by_stress, name=shown.plain)
    return Section("resistance", _("Resisting: {dice}").format(dice=shown.dice(dice)), tuple(lines), charts=(chart,))


def _by_stress(stress: int) -> str:
    return "good" if stress <= 0 else "fair" if stress < 3 else "worst"


def _group(pools: Sequence[int]) -> tuple[Section, Section]:
    chances = group(list(pools))
    bar, table = shown.outcomes(_("The best single result"), _parts(chances.results))
    title = _("Group: {pools} dice").format(pools=", ".join(map(shown.plain, pools)))
    line = _("The best result counts for everyone. Sixes from different people don’t make a critical.")
    stress = shown.chart(_("Stress for the leader"), _("Stress"), chances.stress, look=_by_stress)
    cost = _("{average}: 1 for everyone who rolls 1–3, the leader included.").format(
        average=shown.average(mean(chances.stress))
    )
    return (
        Section("group", title, (line,), bar, tables=(table,)),
        Section("leader", _("Cost for the leader"), (cost,), charts=(stress,)),
    )


def _fortune(dice: int) -> Section:
    chances = results(dice)
    rows = [
        Row(
            str(PERFORMANCES[result].headline),
            (Cell(str(PERFORMANCES[result].effect)), Cell(percent(chances[result])), shown.fraction(chances[result])),
            look=LOOKS[result],
        )
        for result in Result
    ]
    head = (Cell(_("Effect")), Cell(_("Chance")), Cell(_("Exactly")))
    return Section(
        "fortune",
        _("Fortune: {dice}").format(dice=shown.dice(dice)),
        tables=(Table(_("Fortune"), _("Result"), head, tuple(rows)),),
    )


def _compared(dice: int, against: int) -> Section:
    chances = opposed_fortune(dice, against)
    parts = [
        Part("good", _("first is better"), chances.a),
        Part("bad", _("equal"), chances.equal),
        Part("worst", _("second is better"), chances.b),
    ]
    bar, table = shown.outcomes(_("Level against level"), parts)
    title = _("Fortune: {dice} against {against}").format(dice=shown.dice(dice), against=shown.plain(against))
    return Section("compared", title, (_("If levels are equal, the GM decides."),), bar, tables=(table,))


class ForgedOddsPage(OddsPage):
    name = "Forged in the Dark"
    summary = gettext_lazy(
        "Results by number of dice, zero and below included, stress of resisting, group actions and fortune."
    )
    examples = (
        (gettext_lazy("Two dice"), "?dice=2"),
        (gettext_lazy("No dice at all"), "?dice=0"),
        (gettext_lazy("A group of three"), "?pools=3, 1, 0"),
    )
    form = ForgedOdds

    def sections(self, dice: int, pools: Sequence[int], against: int) -> tuple[Section, ...]:
        """Return the page's sections for -100 to 100 dice, a group of 1 to 100 pools, and the other side of a fortune roll."""
        settings = {"dice": dice, "pools": ", ".join(map(str, pools)), "against": against}
        return (
            _action(dice),
            _by_dice(settings),
            _resistance(dice),
            *_group(pools),
            _fortune(dice),
            _compared(dice, against),
        )


# The expected results of a roll, from its terms and the campaign's current rules, for the statistics.


KEPT = 4096


@lru_cache(maxsize=KEPT)
def _chances(dice: int) -> Mapping[str, float]:
    return {result.name.lower(): float(chance) for result, chance in results(dice).items()}


LABELS = {**ACTION_LABELS, **ATTRIBUTE_LABELS}
SETTLED = (
    "Fortune",
    "Long-term project",
    "Recovery",
    "Reduce heat",
    "Acquire an asset",
    "Vice",
    "Entanglement",
    "Engagement",
)
"""The purposes of fortune rolls, under which they are counted."""


class ForgedExpectation(Expectation):
    resources = ("Stress",)

    def judges(self, kind: str) -> bool:
        return kind != "resistance"

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> Mapping[str, float]:
        return _chances(terms["dice"])

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return D6.sides

    def traits(self, terms: Terms) -> Iterable[str]:
        return [KINDS[terms["kind"]].trait_name(terms)]

    def trait_words(self, trait: str) -> str:
        if trait in SETTLED:
            return _(trait)
        return str(LABELS.get(trait.lower(), trait))

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {"Stress": stress + terms.get("stress", 0)}
