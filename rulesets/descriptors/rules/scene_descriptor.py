"""A Scene Descriptor while its scene goes on: it is on the table, anybody may use it or pay to make it stick to a
character, and otherwise it ends with the scene (descriptors.txt, "What does success do?", the second).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from campaigns.schema import Name, Uid
from characters.reasons import Reason
from characters.sheets.fields import Value
from characters.sheets.steps import Add, Put, Shift, Step
from languages.text import gettext, gettext_lazy
from rules.acts import Actor, act, anyone
from rules.dice import LARGEST_POOL
from rules.effects import StepResult, Write
from rules.errors import NotPossible, whole
from rules.procedures import Act, Parties, ProcedureRules, Values
from rulesets.descriptors.rules.will import is_out, spend

STICK, REDUCE, END = "stick", "reduce", "end"
STICKING_COST: Final = 1
"""Will that makes a Scene Descriptor stick to a character; anyone may pay it, at any moment of the scene (our decision)."""
LONGEST_NAME: Final = 80
STICKS: Final = Reason("scene_descriptor_sticks", gettext_lazy("a Scene Descriptor sticks"))


class SceneDescriptorStage(StrEnum):
    LIES = "lies"
    """On the table."""
    STUCK = "stuck"
    TAKEN_OFF = "taken_off"
    """Removed by the GM, because someone dealt with it."""
    VANISHED = "vanished"
    """Removed with the end of its scene."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneDescriptor:
    """A Descriptor of 1 to 100 dice that belongs to nobody. `made_by` is the id of the character who won the roll, if
    any; `made_by_name` their name or "". `stuck_to` is who bears it once somebody has paid.
    """

    name: Name
    dice: int
    made_by: Uid | None = None
    made_by_name: Name = ""
    stage: SceneDescriptorStage = SceneDescriptorStage.LIES
    stuck_to: Uid | None = None
    stuck_to_name: Name = ""
    paid_by_name: Name = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or len(self.name) > LONGEST_NAME:
            message = gettext("Give it a name of up to {count} characters.").format(count=LONGEST_NAME)
            raise NotPossible("name", self.name, allowed=f"1 to {LONGEST_NAME} characters", message=message)
        whole("dice", self.dice, 1, LARGEST_POOL)


def _stuck(state: SceneDescriptor, who: Actor, given: Values) -> StepResult[SceneDescriptor]:
    if not who.plays(given["payer"]):
        message = gettext("Choose one of your own characters to pay.")
        raise NotPossible("payer", given["payer"], allowed="a character of your own", message=message)
    left = spend(given["will"], STICKING_COST)
    row: dict[str, Value] = {"name": state.name, "dice": state.dice, "origin": state.made_by_name[:LONGEST_NAME]}
    stuck = replace(
        state,
        stage=SceneDescriptorStage.STUCK,
        stuck_to=given["to"],
        stuck_to_name=given["to_name"],
        paid_by_name=given["payer_name"],
    )
    writes = [Write(character=given["to"], steps=(Add("stuck", row),), why=STICKS)]
    if left is not None:
        paid: tuple[Step, ...] = (Shift("will", -STICKING_COST),)
        if is_out(left):
            paid += (Put("out_of_scene", to=True),)
        writes.insert(0, Write(character=given["payer"], steps=paid, why=STICKS))
    return StepResult(stuck, writes)


def _lies(state: SceneDescriptor) -> bool:
    return state.stage is SceneDescriptorStage.LIES


def _dice(state: SceneDescriptor) -> tuple[int]:
    return (state.dice,)


class SceneDescriptorRules(ProcedureRules[SceneDescriptor]):
    """Anyone may make it stick; the GM takes dice off, or removes it."""

    state = SceneDescriptor

    @act(by=anyone, when=_lies, terms=_dice, asks=True)
    def stick(self, state: SceneDescriptor, step: Act) -> StepResult[SceneDescriptor]:
        """Make it stick. `to` and `payer` are ids with `to_name` and `payer_name`, and `will` is the payer's, None
        without limit.

        Raises NotPossible without enough Will, and for a payer whom the actor does not play.
        """
        return _stuck(state, step.by, step.values)

    @act(when=_lies, terms=_dice)
    def reduce(self, state: SceneDescriptor, step: Act) -> SceneDescriptor:
        if state.dice > 1:
            return replace(state, dice=state.dice - 1)
        return replace(state, stage=SceneDescriptorStage.TAKEN_OFF)

    @act(when=_lies)
    def end(self, state: SceneDescriptor, step: Act) -> SceneDescriptor:
        return replace(state, stage=SceneDescriptorStage.TAKEN_OFF)

    def at_scene_end(self, state: SceneDescriptor) -> SceneDescriptor:
        """Let it vanish with the scene, unless it sticks to a character."""
        return state if self.is_over(state) else replace(state, stage=SceneDescriptorStage.VANISHED)

    def is_over(self, state: SceneDescriptor) -> bool:
        return state.stage is not SceneDescriptorStage.LIES

    def parties(self, state: SceneDescriptor) -> Parties:
        people = {state.stuck_to: "", state.made_by: state.made_by_name}
        return {person: (name, person) for person, name in people.items() if person}
