"""The GM's right to make the situation worse, which every Refreshment Scene gives once (descriptors.txt, Refreshment)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from campaigns.schema import Name
from rolls.rules.acts import act
from rolls.rules.effects import Say, StepResult
from rolls.rules.errors import NotPossible
from rolls.rules.procedures import Act, ProcedureRules, Values

USE, WAIVE = "use", "waive"
LONGEST: Final = 500


class EscalationStage(StrEnum):
    HELD = "held"
    USED = "used"
    WAIVED = "waived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Escalation:
    """For the Refreshment Scene of these two, by their names. It is the GM's, and keeps until it is used."""

    caller: Name
    partner: Name
    stage: EscalationStage = EscalationStage.HELD


def _is_held(state: Escalation) -> bool:
    return state.stage is EscalationStage.HELD


class EscalationRules(ProcedureRules[Escalation]):
    """The GM's, who uses it or lets it be."""

    state = Escalation

    def start(self, given: Values) -> Escalation:
        """`given`: `caller` and `partner`."""
        return Escalation(**given)

    @act(when=_is_held, asks=True)
    def use(self, state: Escalation, step: Act) -> StepResult[Escalation]:
        """It is used with a sentence (`words`) on what becomes worse, which is told. Raises NotPossible without one."""
        words = str(step.values.get("words", "")).strip()
        if not 1 <= len(words) <= LONGEST:
            message = f"Say what becomes worse, in up to {LONGEST} characters."
            raise NotPossible("words", words, allowed=f"1 to {LONGEST} characters", message=message)
        return StepResult(replace(state, stage=EscalationStage.USED), [Say(words=words)])

    @act(when=_is_held)
    def waive(self, state: Escalation, step: Act) -> Escalation:
        return replace(state, stage=EscalationStage.WAIVED)

    def is_over(self, state: Escalation) -> bool:
        return state.stage is not EscalationStage.HELD
