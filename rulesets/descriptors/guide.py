"""Tables and worked rolls of the guide to Descriptors, made by the rules, so that none can tell a wrong result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from campaigns.text import counted
from rolls.guide.content import Die, Example, Table
from rulesets.descriptors.rules.contest import Role, RolledDie, Side, oppose
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
    names = {Side.A: "One side", Side.B: "The other"}
    pools = tuple(
        (names[side], tuple(Die(die.face, DRAWN_AS[die.role], die.why) for die in _by_rank(outcome.dice(side))))
        for side in Side
    )
    if outcome.winner is None:
        came = "a stalemate"
    else:
        over = f" over a target number of {outcome.target_number}" if outcome.target_number else " for having more dice"
        came = f"{names[outcome.winner].lower()} wins with {counted(outcome.successes, 'success')}{over}"
    return Example(f"{len(a)} against {len(b)} dice", pools, came, 6)


def _by_rank(dice: tuple[RolledDie, ...]) -> list[RolledDie]:
    return sorted(dice, key=lambda die: die.rank)


LEVELS: Final = {
    Level.INVOLVED: "the theme is part of a scene",
    Level.CHALLENGED: "it brings serious challenges",
    Level.PROGRESSES: "the motif moves on",
    Level.EXPRESSED: "the character shows it",
    Level.AT_A_PRICE: "the character follows it at a risk or a cost",
    Level.BUYOFF: "it is given up, and the Key with it",
}
CHANGES: Final = {
    Change.NEW: "a new Descriptor of 1 die",
    Change.PROMOTE: "an entry of the Background becomes a Descriptor of 1 die",
    Change.RETIRE: "a Descriptor of 1 die goes to the Background",
    Change.NEW_KEY: "a new Key",
}
HIGHEST_SHOWN: Final = 5


def keys() -> Table:
    rows = tuple((kind.capitalize(), LEVELS[level], str(xp)) for kind in KeyKind for level, xp in XP[kind].items())
    return Table("XP from Keys", ("Key", "What happened", "XP"), rows)


def changes() -> Table:
    flat = tuple((words, str(cost(change))) for change, words in CHANGES.items())
    steps = tuple(
        (f"{dice} to {dice + 1} dice, or {dice} to {dice - 1}", str(cost(Change.RAISE, dice)))
        for dice in range(2, HIGHEST_SHOWN)
    )
    return Table(
        "What changes cost", ("Change", "Advances"), (*flat, ("1 to 2 dice", str(cost(Change.RAISE, 1))), *steps)
    )


def from_scratch() -> Table:
    rows = tuple((str(dice), str(cost_from_scratch(dice))) for dice in range(1, HIGHEST_SHOWN + 1))
    return Table("A Descriptor out of nothing", ("Dice", "Advances in all"), rows)


TABLES: Final[Mapping[str, Callable[[], Table]]] = {
    "keys": keys,
    "changes": changes,
    "from_scratch": from_scratch,
}
