"""Tables and worked rolls of the guide to Descriptors, made by the rules, so that none can be wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from languages.text import gettext_lazy, pgettext_lazy
from rolls.guide import Die, Example, Table
from rulesets.descriptors.rules.contest import Outcome, Role, Side, oppose, why
from rulesets.descriptors.rules.keys import XP, Change, KeyKind, Level, cost, cost_from_scratch

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
