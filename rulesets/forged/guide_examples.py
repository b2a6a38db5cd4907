"""Worked rolls of the guide: made by the rules from the faces that the texts name, so that none can tell a wrong result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from campaigns.text import counted
from rolls.guide.content import Die, Example
from rulesets.forged.rules.roll import Pool, Result, Role, resolve

CAME: Final = {
    Result.BAD: "it goes badly",
    Result.PARTIAL: "done, at a cost",
    Result.FULL: "a full success",
    Result.CRITICAL: "a critical",
}


def example(dice: int, faces: Sequence[int]) -> Example:
    outcome = resolve(Pool(dice), iter(faces))
    marks = {Role.KEPT: "counts", Role.CRITICAL: "makes it a critical"}
    drawn = tuple(
        Die(die.face, "success" if die.role in marks else "blank", marks.get(die.role, "does not count"))
        for die in outcome.dice
    )
    rolled = f", so {counted(outcome.pool.rolled, 'die')} and the lowest" if outcome.pool.lowest else ""
    return Example(f"{counted(dice, 'die')}{rolled}", (("", drawn),), CAME[outcome.result], 6)
