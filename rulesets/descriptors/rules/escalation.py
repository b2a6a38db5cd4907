"""The GM's right to make the situation worse, which every Refreshment Scene gives once (descriptors.txt, Refreshment)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from rolls.rules.effects import Say, StepResult
from rolls.rules.errors import NotPossible
from rolls.rules.procedures import Act, Actor, AvailableAct, Values

USE, WAIVE = "use", "waive"
LONGEST: Final = 500


class Stage(StrEnum):
    HELD = "held"
    USED = "used"
    WAIVED = "waived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Escalation:
    """For the Refreshment Scene of these two, by their names. It is the GM's, and keeps until it is used."""

    caller: str
    partner: str
    stage: Stage = Stage.HELD


def start(given: Values) -> Escalation:
    """`given`: `caller` and `partner`."""
    return Escalation(**given)


def may(state: Escalation, who: Actor) -> Sequence[AvailableAct]:
    return [AvailableAct(USE), AvailableAct(WAIVE)] if who.is_gm and not is_over(state) else []


def act(state: Escalation, who: Actor, act: Act) -> Escalation | StepResult[Escalation]:
    """It is used with a sentence (`words`) on what becomes worse, which is told. Raises NotPossible without one."""
    if is_over(state):
        raise NotPossible("act", act.name, allowed="nothing", message="That was done already.")
    if act.name == WAIVE:
        return replace(state, stage=Stage.WAIVED)
    if act.name != USE:
        raise NotPossible("act", act.name, allowed=f"{USE}, {WAIVE}", message="That is nothing to be done with it.")
    words = str(act.values.get("words", "")).strip()
    if not 1 <= len(words) <= LONGEST:
        message = f"Say what becomes worse, in up to {LONGEST} characters."
        raise NotPossible("words", words, allowed=f"1 to {LONGEST} characters", message=message)
    return StepResult(replace(state, stage=Stage.USED), [Say(words=words)])


def is_over(state: Escalation) -> bool:
    return state.stage is not Stage.HELD
