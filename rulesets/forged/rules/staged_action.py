"""A staged action as a whole: who may do what when, and who is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rolls.rules.acts import Actor
from rolls.rules.effects import StepResult
from rolls.rules.function_procedures import Act, Answer, AvailableAct
from rulesets.forged.rules import (
    action_after,
    action_before,
    action_bonus,
    action_clocks,
    action_follows,
    action_group,
    moves,
)
from rulesets.forged.rules.action_state import PLAYER, Action, Participant, Stage
from rulesets.forged.rules.moves import offers, take

MOVES: Final = {
    **action_before.MOVES,
    **action_bonus.MOVES,
    **action_group.MOVES,
    **action_after.MOVES,
    **action_follows.MOVES,
    **action_clocks.MOVES,
}


def may(state: Action, who: Actor) -> Sequence[AvailableAct]:
    return offers(MOVES, state, who)


def why_not(state: Action, who: Actor, wanted: AvailableAct) -> str:
    return moves.why_not(MOVES, state, who, wanted)


def act(state: Action, who: Actor, act: Act) -> Action | StepResult[Action]:
    return take(MOVES, state, who, act)


def fell(state: Action, answer: Answer) -> StepResult[Action]:
    if answer.part.startswith("resist-"):
        return action_follows.resistance_fell(state, answer)
    return action_after.fell(state, answer)


def voided(state: Action, part: str) -> Action:
    return replace(state, resisting="") if part.startswith("resist-") else action_after.voided(state, part)


def is_over(state: Action) -> bool:
    return state.stage in (Stage.DONE, Stage.WITHDRAWN)


def waiting(state: Action) -> Sequence[tuple[str, str]]:
    """Whom ("" the GM), and for what."""
    actor = state.actor.character
    if state.stage is Stage.ASKED:
        return [("", "to set position and effect")]
    if state.stage is Stage.SET:
        return _before_the_dice(state)
    if state.stage is Stage.CHOICE:
        return [(actor, "to go through with it or to withdraw")]
    if state.stage is Stage.SET_UP:
        return [(actor, "to say what the set-up gives, and to whom")]
    if state.stage is Stage.FOLLOWS:
        return _after_the_dice(state)
    return []


def _before_the_dice(state: Action) -> list[tuple[str, str]]:
    if state.actor.out:
        return [("", f"to take it back: {state.actor.name} is not in play any more")]
    if not state.fallen and action_before.spent(state):
        return [("", "to set it anew: a set-up was used by another action")]
    actor, waits = state.actor.character, list[tuple[str, str]]()
    if not state.fallen and action_before.alone(state):
        return [(actor, "to let somebody join, or take it back")]
    if state.trade and not state.traded:
        waits.append(("" if state.trade_by == PLAYER else actor, "to answer the trade"))
    if state.bargain and not state.bargained:
        waits.append((actor, "to answer the bargain"))
    return [*waits, *((one.character, _to_roll(state, one)) for one in state.participants if one.waits)]


def _to_roll(state: Action, participant: Participant) -> str:
    if state.person(participant.character).full:
        return "to choose a trauma first"
    severe = state.hinders(participant, 3) and not participant.push_act and not participant.helper
    return "to push, or to find help, for severe harm" if severe else "to roll"


def _after_the_dice(state: Action) -> list[tuple[str, str]]:
    gone = [one.clock_name for one in state.open if one.clock_gone]
    if action_after.held(state) and state.clock:
        gone.append(state.clock_name)
    return [
        *([] if state.finished else [("", "to say what follows")]),
        *(("", f"to say where the ticks on {name} go") for name in dict.fromkeys(gone)),
        *dict.fromkeys((one.whom, "to take or resist a consequence") for one in state.open),
    ]
