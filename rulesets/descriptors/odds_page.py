"""The page of odds of Descriptors: pool against pool, for the pair one asks for and for all usual ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from typing import Final

from django.utils.translation import gettext as _

from languages.text import gettext_lazy
from rolls import odds as shown
from rolls.forms.base import WholeNumber
from rolls.forms.odds import OddsForm
from rolls.odds import Cell, Part, Row, Section, Table, percent
from rolls.ruleset import Expectation, OddsPage
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.descriptors.odds import Opposed, opposed
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import WILL
from rulesets.descriptors.table.ask import ContestTerms

MOST_DICE: Final = 20


class DescriptorsOdds(OddsForm):
    a = WholeNumber(gettext_lazy("Your dice"), 0, MOST_DICE, 3)
    b = WholeNumber(gettext_lazy("Their dice"), 0, MOST_DICE, 2)


POOLS: Final = range(1, 11)
EQUAL_POOLS: Final = range(1, 7)
"""Pools beyond this reach a stalemate less than once in a thousand rolls."""


def _pair(a: int, b: int, odds: Opposed) -> Section:
    parts = [
        Part("good", _("you win"), odds.win),
        Part("bad", _("stalemate"), odds.stalemate),
        Part("worst", _("they win"), odds.lose),
    ]
    bar, table = shown.outcomes(_("Who wins"), parts)
    lines = () if a == b else (_("Pools of unequal size never end in a stalemate."),)
    return Section("roll", _("{dice} against {other}").format(dice=shown.dice(a), other=b), lines, bar, tables=(table,))


def _successes(odds: Opposed) -> Section:
    sides = (
        (_("Your successes"), odds.successes_a, "good"),
        (_("Their successes"), odds.successes_b, "worst"),
    )
    charts, lines = [], []
    for (caption, chances, look), average in zip(sides, odds.averages, strict=True):
        if chances:
            charts.append(shown.chart(caption, _("Successes"), chances, look=partial(_same, look)))
            words = _("{caption}: {average} on average when won.")
            lines.append(words.format(caption=caption, average=shown.decimal(average)))
    return Section("successes", _("How many successes"), tuple(lines), charts=tuple(charts))


def _same(look: str, number: int) -> str:
    return look


def _every_pair(a: int, b: int) -> Section:
    table = shown.grid(
        _("Chance that you win"),
        _("You"),
        POOLS,
        POOLS,
        lambda theirs, yours: opposed(yours, theirs).win,
        chosen=(b, a),
        link=lambda theirs, yours: shown.address({"a": yours, "b": theirs}),
    )
    line = _(
        "Percentages: your dice go down, theirs across. With unequal pools they win whenever you don’t; stalemates of equal "
        "pools are below."
    )
    return Section("every-pair", _("Every pool against every other"), (line,), tables=(table,))


def _equal_pools(a: int, b: int) -> Section:
    rows = [_equal(count, opposed(count, count), chosen=a == b == count) for count in EQUAL_POOLS]
    head = (Cell(_("Either side wins")), Cell(_("Stalemate")), Cell(_("Exact")))
    table = Table(_("By size"), _("Dice each"), head, tuple(rows))
    return Section("equal", _("Equal pools"), tables=(table,))


def _equal(count: int, odds: Opposed, *, chosen: bool) -> Row:
    win, stalemate = odds.win, odds.stalemate
    cells = (_percent(win), _percent(stalemate), shown.fraction(stalemate))
    return Row(str(count), cells, chosen=chosen)


def _percent(chance: Fraction) -> Cell:
    return Cell(percent(chance), shown.exactly(chance))


class DescriptorsOddsPage(OddsPage):
    name = "Descriptors"
    summary = gettext_lazy("Pool against pool: who wins, how often it’s a stalemate, and with how many successes.")
    examples = (
        (gettext_lazy("Three dice against two"), "?a=3&b=2"),
        (gettext_lazy("Two against two"), "?a=2&b=2"),
    )
    form = DescriptorsOdds

    def sections(self, a: int, b: int) -> tuple[Section, ...]:
        """Return the page's sections for `a` dice of one's own against `b` dice, 0 to 100 each."""
        return _pair(a, b, opposed(a, b)), _successes(opposed(a, b)), _every_pair(a, b), _equal_pools(a, b)


# The expected results of a roll, from its terms and the campaign's current rules, for the statistics.


KEPT = 4096


@lru_cache(maxsize=KEPT)
def _chances(mine: int, theirs: int, settings: Settings) -> Mapping[str, float]:
    odds = opposed(mine, theirs, settings)
    win, stalemate = float(odds.win), float(odds.stalemate)
    return {"win": win, "loss": float(1 - odds.win - odds.stalemate), "stalemate": stalemate}


class DescriptorsExpectation(Expectation):
    resources = (WILL,)

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> Mapping[str, float]:
        return _chances(terms["a"]["dice"], terms["b"]["dice"], settings.of(Settings))

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return settings.of(Settings).sides

    def traits(self, terms: Terms) -> Iterable[str]:
        """Return the names in the roller's pool, "" for unnamed dice."""
        pool = ContestTerms.of(terms).a
        named = [entry.called for entry in pool.entries]
        return [*named, ""] if pool.unnamed or not named else named

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        pool = ContestTerms.of(terms).a
        return {WILL: pool.spent if pool.pays else 0}
