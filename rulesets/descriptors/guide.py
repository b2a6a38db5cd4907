"""Tables and worked rolls of the guide to Descriptors, its page of odds, and what rolls are expected to give: all made by the
rules, so that none can be wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from languages.text import gettext_lazy, pgettext_lazy
from rolls import odds as shown
from rolls.forms.base import WholeNumber
from rolls.forms.odds import OddsForm
from rolls.guide import Die, Example, Table
from rolls.odds import Cell, Part, Row, Section, percent
from rolls.ruleset import Expectation, OddsPage
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.descriptors.odds import Opposed, opposed
from rulesets.descriptors.rules.contest import Outcome, Role, Side, oppose, why
from rulesets.descriptors.rules.keys import XP, Change, KeyKind, Level, cost, cost_from_scratch
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import WILL
from rulesets.descriptors.terms import ContestTerms

DRAWN_AS: Final = {
    Role.IGNORED: "cancelled",
    Role.TARGET: "one",
    Role.SUCCESS: "success",
    Role.BELOW: "blank",
    Role.OVER: "blank",
}
"""The dice of a page have six looks (css/dice.css); this is how those of the descriptors use them."""


def example(a: Sequence[int], b: Sequence[int]) -> Example:
    outcome = oppose(list(a), list(b))
    names = {Side.A: _("One side"), Side.B: _("The other side")}
    pools = tuple((names[side], tuple(_dice(outcome, side))) for side in Side)
    if outcome.winner is None:
        came = _("a stalemate")
    else:
        if outcome.target_number:
            words = ngettext(
                "{side} wins with {count} success over a target number of {target}",
                "{side} wins with {count} successes over a target number of {target}",
                outcome.successes,
            )
        else:
            words = ngettext(
                "{side} wins with {count} success for having more dice",
                "{side} wins with {count} successes for having more dice",
                outcome.successes,
            )
        side = {Side.A: _("one side"), Side.B: _("the other side")}[outcome.winner]
        came = words.format(side=side, count=outcome.successes, target=outcome.target_number)
    return Example(_("{dice} against {other} dice").format(dice=len(a), other=len(b)), pools, came, 6)


def _dice(outcome: Outcome, side: Side) -> Iterator[Die]:
    for die in sorted(outcome.dice(side), key=lambda die: die.rank):
        because = why(die.role, die.face, outcome.target_number, wins=side is outcome.winner)
        yield Die(die.face, DRAWN_AS[die.role], str(because))


LEVELS: Final = {
    Level.INVOLVED: gettext_lazy("the theme is part of a scene"),
    Level.CHALLENGED: gettext_lazy("it brings serious challenges"),
    Level.PROGRESSES: gettext_lazy("the motif moves on"),
    Level.EXPRESSED: gettext_lazy("the character shows it"),
    Level.AT_A_PRICE: gettext_lazy("the character follows it at a risk or a cost"),
    Level.BUYOFF: gettext_lazy("it’s given up, and the Key with it"),
}
CHANGES: Final = {
    Change.NEW: gettext_lazy("a new Descriptor with 1 die"),
    Change.PROMOTE: gettext_lazy("a Background entry becomes a Descriptor with 1 die"),
    Change.RETIRE: gettext_lazy("a Descriptor with 1 die goes to the Background"),
    Change.NEW_KEY: gettext_lazy("a new Key"),
}
FRAMEWORKS: Final = {
    KeyKind.DRAMATIC: pgettext_lazy("Key", "Dramatic"),
    KeyKind.MOTIVATION: pgettext_lazy("Key", "Motivation"),
}
HIGHEST_SHOWN: Final = 5


def keys() -> Table:
    rows = tuple(
        (str(FRAMEWORKS[kind]), str(LEVELS[level]), str(xp)) for kind in KeyKind for level, xp in XP[kind].items()
    )
    return Table(_("XP from Keys"), (pgettext("descriptors", "Key"), _("What happened"), _("XP")), rows)


def changes() -> Table:
    flat = tuple((str(words), str(cost(change))) for change, words in CHANGES.items())
    steps = tuple(
        (
            _("{dice} to {more} dice, or {dice} to {fewer}").format(dice=dice, more=dice + 1, fewer=dice - 1),
            str(cost(Change.RAISE, dice)),
        )
        for dice in range(2, HIGHEST_SHOWN)
    )
    return Table(
        _("What changes cost"),
        (pgettext("noun", "Change"), _("Advances")),
        (*flat, (_("1 to 2 dice"), str(cost(Change.RAISE, 1))), *steps),
    )


def from_scratch() -> Table:
    rows = tuple((str(dice), str(cost_from_scratch(dice))) for dice in range(1, HIGHEST_SHOWN + 1))
    return Table(_("A Descriptor out of nothing"), (_("Dice"), _("Total Advances")), rows)


TABLES: Final[Mapping[str, Callable[[], Table]]] = {
    "keys": keys,
    "changes": changes,
    "from_scratch": from_scratch,
}


# The page of odds: pool against pool, for the pair one asks for and for all usual ones


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
    rows = [
        Row(
            str(count),
            (_percent(odds.win), _percent(odds.stalemate), shown.fraction(odds.stalemate)),
            chosen=a == b == count,
        )
        for count in EQUAL_POOLS
        for odds in (opposed(count, count),)
    ]
    head = (Cell(_("Either side wins")), Cell(_("Stalemate")), Cell(_("Exact")))
    table = shown.Table(_("By size"), _("Dice each"), head, tuple(rows))
    return Section("equal", _("Equal pools"), tables=(table,))


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
        """Return the page's sections for `a` dice against `b` dice, 0 to 100 each."""
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
