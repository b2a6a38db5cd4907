"""Worked rolls of the guide: made by the rules from the faces that the texts name, so that none can tell a wrong result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from campaigns.text import counted
from rolls.guide.content import Die, Example
from rulesets.descriptors.rules.contest import Role, RolledDie, Side, oppose

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
