"""The dice of Storyteller rolls, for what counts them beside the roll's own result: which struck out a success, and how likely
each sum is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from characters.sheets.sheet import Values
from characters.sheets.steps import Step
from rolls.countable import Countable, Gift
from rolls.rules.tally import FallenDie, Shifts, Tally
from rolls.settings import RollSettings
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


class StorytellerCountable(Countable):
    usual = {"dice": 5, "difficulty": 6}

    def no_action(self, kind: str) -> str:
        return NO_ACTION.get(Kind(kind), "")

    def fallen(self, payload: Mapping[str, Any]) -> Sequence[FallenDie]:
        return of_faces([die["face"] for die in payload["dice"]], payload["difficulty"])

    def shifts(self, terms: Terms, tally: Tally) -> Shifts:
        return deltas(terms["dice"], terms["difficulty"], tally)

    def gives(self, gift: Gift, values: Values, settings: RollSettings) -> Sequence[Step] | None:
        return gives(gift, values, settings)
