"""A fortune roll: how something turns out that nobody here decides (forged.txt, Fortune Roll)."""

from __future__ import annotations

from typing import Any

from rolls.rules.dice import Faces
from rolls.table_rules import Terms
from rulesets.forged.rules.action import Level
from rulesets.forged.rules.roll import Pool, Result, fortune_pool, resolve
from rulesets.forged.table.ask import RollInput, refused_at
from rulesets.forged.table.words import drawn

STEPS = {Result.BAD: 0, Result.PARTIAL: 1, Result.FULL: 2, Result.CRITICAL: 3}
"""How much effect each result is, as steps of an action's effect: little, limited, standard, great."""


def terms(ask: RollInput) -> Terms:
    """Return what a fortune roll keeps. Raises Invalid for what the rules do not allow."""
    with refused_at(pool="trait"):
        pool = fortune_pool(trait=ask.trait, advantages=ask.advantages, disadvantages=ask.disadvantages)
    return {
        "trait": ask.trait,
        "advantages": ask.advantages,
        "disadvantages": ask.disadvantages,
        "dice": pool.dice,
        **({"settles": ask.settles, "keeps": dict(ask.keeps)} if ask.settles else {}),
    }


def read(kept: Terms, faces: Faces) -> tuple[tuple[int, ...], dict[str, Any]]:
    """The faces taken, and the outcome as the Roll keeps it."""
    with refused_at():
        outcome = resolve(Pool(kept["dice"]), faces)
    return tuple(die.face for die in outcome.dice), {
        "result": outcome.result.name.lower(),
        "dice": drawn(outcome.dice),
        "ticks": Level(STEPS[outcome.result]).ticks,
    }
