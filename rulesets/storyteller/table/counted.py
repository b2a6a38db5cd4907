"""The dice of Storyteller rolls, for what counts them beside the roll's own result: which struck out a success, and how likely
each sum is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rolls.countable import Countable
from rolls.rules.tally import FallenDie, Shifts, Tally
from rolls.table_rules import Terms
from rulesets.storyteller.odds import deltas
from rulesets.storyteller.rules.pool import typed_pool
from rulesets.storyteller.rules.roll import Ask, Kind, Outcome, Role, resolve
from rulesets.storyteller.table.gifts import gives

NO_ACTION = {
    Kind.SOAK: "a soak roll",
    Kind.WILLPOWER: "a Willpower roll",
    Kind.HUMANITY: "a Humanity roll",
    Kind.VIRTUE: "a roll of virtues",
    Kind.INITIATIVE: "an initiative roll",
    Kind.DAMAGE: "a damage roll",
    Kind.OTHER: "no action roll",
}
"""What rolls are that are no action rolls (scale.txt, Scale Procedure; virtues, damage and all else: our decision)."""


def fallen(outcome: Outcome) -> list[FallenDie]:
    """The dice in the order in which they fell. 1s that a mastered Ability took out of a botch cancel nothing."""
    return [FallenDie(die.face, die.role is Role.CANCELS) for die in outcome.dice]


def of_faces(faces: Sequence[int], difficulty: int) -> list[FallenDie]:
    """1 to 100 bare faces at a difficulty of 2 to 10."""
    return fallen(resolve(Ask(pool=typed_pool(len(faces)), difficulty=difficulty), iter(faces)))


def _of_card(payload: Mapping[str, Any]) -> list[FallenDie]:
    return of_faces([die["face"] for die in payload["dice"]], payload["difficulty"])


def _shifts(terms: Terms, tally: Tally) -> Shifts:
    return deltas(terms["dice"], terms["difficulty"], tally)


COUNTED = Countable(
    no_action=lambda kind: NO_ACTION.get(Kind(kind), ""),
    fallen=_of_card,
    shifts=_shifts,
    usual={"dice": 5, "difficulty": 6},
    gives=gives,
)
