"""The engagement roll at the table: what speaks for a plan and against it, a roll, and the position that the score opens in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rolls.rules.acts import Actor
from rolls.rules.effects import Begin, StepResult
from rolls.rules.errors import NotPossible
from rolls.rules.function_procedures import Act, Answer, AvailableAct
from rolls.rules.procedures import Values
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.roll import Pool, Result
from rulesets.forged.rules.score import engagement, engagement_pool

TURN, ROLL, USE = "turn", "roll", "use"
LEFT: Final = "engagement"
"""The kind of what lies on the table then."""
PART: Final = "engagement"

FACTORS: Final[Mapping[str, int]] = {
    "bold": 1,
    "weak_spot": 1,
    "friends": 1,
    "smaller": 1,
    "for_it": 1,
    "complex": -1,
    "strong_spot": -1,
    "rivals": -1,
    "larger": -1,
    "against_it": -1,
}
"""What is a major advantage, or disadvantage (public rules, Engagement Roll); the last of each is anything else."""
OPPOSITES: Final[Mapping[str, str]] = {
    "bold": "complex",
    "weak_spot": "strong_spot",
    "smaller": "larger",
    "complex": "bold",
    "strong_spot": "weak_spot",
    "larger": "smaller",
}
"""What cannot both be so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engage:
    """The `factors` that count, `ready` once its dice are to fall, and their `result`."""

    factors: tuple[str, ...] = ()
    ready: bool = False
    result: Result | None = None

    @property
    def advantages(self) -> int:
        return sum(FACTORS[one] > 0 for one in self.factors)

    @property
    def disadvantages(self) -> int:
        return sum(FACTORS[one] < 0 for one in self.factors)

    @property
    def pool(self) -> Pool:
        return engagement_pool(advantages=self.advantages, disadvantages=self.disadvantages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What lies on the table until the first action: its `position`; `past` the first obstacle already, on a critical."""

    position: Position
    past: bool = False
    used: bool = False


def start(given: Values) -> Engage:
    return Engage()


def may(state: Engage, who: Actor) -> Sequence[AvailableAct]:
    if not who.is_gm or state.result:
        return []
    return [
        *(AvailableAct(TURN, one, (one in state.factors,)) for one in FACTORS),
        AvailableAct(ROLL, terms=state.factors),
    ]


def act(state: Engage, by: Actor, act: Act) -> Engage:
    if state.result:
        raise _not_now("The dice have fallen already.")
    if act.name == ROLL:
        return replace(state, ready=True)
    if act.name != TURN or act.whom not in FACTORS:
        raise _not_now("That is no part of an engagement.")
    if act.whom in state.factors:
        return replace(state, factors=tuple(one for one in state.factors if one != act.whom))
    left = (one for one in state.factors if one != OPPOSITES.get(act.whom))
    return replace(state, factors=(*left, act.whom))


def _not_now(message: str) -> NotPossible:
    return NotPossible("act", "", allowed="what is shown", message=message)


def fell(state: Engage, answer: Answer) -> StepResult[Engage]:
    """The position lies on the table. A critical opens past the first obstacle, in control."""
    result = Result[answer.outcome["result"].upper()]
    position = engagement(result)
    given = {"position": position or Position.CONTROLLED, "past": position is None}
    return StepResult(replace(state, ready=False, result=result), [Begin(kind=LEFT, given=given)])


def voided(state: Engage, part: str) -> Engage:
    return replace(state, ready=False, result=None)


def waiting(state: Engage) -> Sequence[tuple[str, str]]:
    return [] if state.result else [("", "to say what counts, and roll")]


def is_over(state: Engage) -> bool:
    return state.result is not None


# What it leaves on the table


def opened(given: Values) -> Opening:
    return Opening(position=Position(given["position"]), past=given["past"])


def may_use(state: Opening, who: Actor) -> Sequence[AvailableAct]:
    """An action uses it up; a GM may do so without one."""
    return [AvailableAct(USE)] if who.is_gm and not state.used else []


def use(state: Opening, by: Actor, act: Act) -> Opening:
    if state.used:
        raise _not_now("It is used up already.")
    return replace(state, used=True)


def gone(state: Opening) -> Opening:
    """It is of the scene that it opened."""
    return replace(state, used=True)
