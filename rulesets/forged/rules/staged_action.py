"""A staged action as a whole: who may do what when, and who is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rolls.rules.acts import Target
from rolls.rules.effects import StepResult
from rolls.rules.procedures import Answer, RollPart, Snapshot, Values
from rulesets.forged.rules import action_after, action_before, action_follows, action_reads
from rulesets.forged.rules.action_after import AfterTheDice
from rulesets.forged.rules.action_before import BeforeTheDice, full_words
from rulesets.forged.rules.action_bonus import BonusDice
from rulesets.forged.rules.action_follows import Consequences
from rulesets.forged.rules.action_group import GroupAction
from rulesets.forged.rules.action_state import PLAYER, Action, Participant, Stage, refused


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


class StagedActionRules(BeforeTheDice, BonusDice, GroupAction, AfterTheDice, Consequences):
    state = Action

    def start(self, given: Values) -> Action:
        """`given` are the fields of an Action. Raises a RuleError for an actor who is not there."""
        state = Action(**given)
        if not state.actor.able:
            raise refused("character", full_words(state.actor.name))
        return state

    def on_roll(self, state: Action, answer: Answer) -> StepResult[Action]:
        resists = answer.part.name == action_follows.RESIST
        return (action_follows.resistance_fell if resists else action_after.fell)(state, answer)

    def on_void(self, state: Action, part: RollPart) -> Action:
        if part.name == action_follows.RESIST:
            return replace(state, resisting="")
        return action_after.voided(state, part)

    def reads(self, state: Action, seen: Snapshot) -> Action:
        return action_reads.reads(state, seen)

    def is_over(self, state: Action) -> bool:
        return state.stage in (Stage.DONE, Stage.WITHDRAWN)

    def waiting(self, state: Action) -> Sequence[tuple[str, str]]:
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

    def played(self, state: Action) -> list[str]:
        return [*(one.character for one in state.people), *([state.crew.character] if state.crew else [])]

    def party(self, state: Action, target: Target) -> tuple[str, str | None]:
        """Whom a step is for: a person, whoever a consequence hits, or who steps in; nobody for a level or a direction."""
        first, *more = target
        one = state.inflicted_as(first)
        steps_in = more[0] if more and state.called(more[0]) else ""
        character = str((steps_in or one.whom) if one else first)
        name = state.called(character)
        return (name, character) if name else ("", None)
