"""What gives a staged action more dice or effect: pushes, help, a Devil’s Bargain, a gambit (forged.txt, Add Bonus Dice).

Who rolls together in a group action: player characters, who join by themselves, and cohorts of the crew, whom whoever leads
brings and who roll their quality (forged.txt, Lead a group action).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from rolls.rules.acts import Actor, act
from rolls.rules.procedures import Act, ProcedureRules
from rulesets.forged import sheet
from rulesets.forged.rules.action import ASSIST_COST
from rulesets.forged.rules.action_before import (
    affords,
    nobody_ready,
    tradable_still,
    unrolled,
    with_participant,
)
from rulesets.forged.rules.action_state import Action, ActionStage, Participant, by_actor, own, refused

PUSHES: Final = ("die", "effect", "act")
EITHER: Final = "The second bonus die is either a push or a Devil’s Bargain."


def _pushes(state: Action) -> Iterator[tuple[str, str]]:
    """To act in spite of harm only where it would keep somebody from it."""
    for participant in state.participants if unrolled(state) else ():
        if participant.cohort:
            continue
        severe = participant.push_act or state.hinders(participant, 3)
        yield from ((participant.character, push) for push in PUSHES if push != "act" or severe)


def _assists(state: Action) -> Iterator[tuple[str, str]]:
    """One helper for a roll, who is not among those who roll (forged.txt, Assist)."""
    if not unrolled(state):
        return
    busy = {participant.character for participant in state.participants} | {
        participant.helper for participant in state.participants
    }
    for person in state.people:
        if person.able and person.character not in busy:
            yield from (
                (person.character, participant.character)
                for participant in state.participants
                if not participant.helper and not participant.cohort
            )


def _helping(state: Action) -> Iterator[str]:
    if unrolled(state):
        yield from (participant.helper for participant in state.participants if participant.helper)


def _others(state: Action, who: Actor) -> bool:
    """The GM, or another player (forged.txt, The Devil’s Bargain)."""
    plays = {person.character for person in state.people} & who.characters
    return who.is_gm or (bool(plays) and state.actor.character not in who.characters)


def _open_bargain(state: Action) -> tuple[str, ...]:
    available = unrolled(state) and bool(state.bargain) and not state.bargained
    return (state.actor.character,) if available else ()


def _refusable(state: Action) -> list[tuple[str, ...]]:
    """By whoever it was offered to, and by the GM as such, who has the last word on it (forged.txt, The Devil’s Bargain)."""
    return [(state.actor.character,), ()] if unrolled(state) and state.bargain else []


def _may_refuse(state: Action, who: Actor, *taker: str) -> bool:
    return own(state, who, *taker) if taker else who.is_gm


def _has_gambit(state: Action) -> bool:
    has_gambits = state.crew is not None and bool(state.crew.gambits)
    return unrolled(state) and state.settings.gambits and (has_gambits or state.gambit)


def as_bargained(state: Action, *target: Any) -> tuple[Any, ...]:
    return (state.bargain, state.bargain_by)


def _push_as_it_is(state: Action, character: str, push: str) -> tuple[Any, ...]:
    """It is turned on, or off again."""
    return tuple(
        getattr(participant, f"push_{push}") for participant in state.participants if participant.character == character
    )


class BonusDice(ProcedureRules[Action]):
    """Pushes, help, a Devil’s Bargain, a gambit."""

    @act(by=own, each=_pushes, terms=_push_as_it_is)
    def push(self, state: Action, step: Act, character: str, push: str) -> Action:
        """On and off."""
        participant = state.participant(character) or state.participants[0]
        name = f"push_{push}"
        turned: dict[str, Any] = {name: not getattr(participant, name), "ready": False}
        if push == "die" and not participant.push_die and state.bargained and participant == state.participants[0]:
            raise refused("push", EITHER)
        after = replace(participant, **turned)
        if turned[name]:
            affords(state, character, after.stress)
        return tradable_still(with_participant(state, after))

    @act(by=own, each=_assists)
    def assist(self, state: Action, step: Act, helper: str, character: str) -> Action:
        affords(state, helper, ASSIST_COST)
        participant = state.participant(character) or state.participants[0]
        return with_participant(state, replace(participant, helper=helper))

    @act(by=own, each=_helping)
    def unassist(self, state: Action, step: Act, helper: str) -> Action:
        """Whoever counted on it looks again."""
        helped = next(participant for participant in state.participants if participant.helper == helper)
        return with_participant(state, replace(helped, helper="", ready=False))

    @act(
        by=_others,
        when=lambda state: state.stage is ActionStage.SET and not state.fallen and not state.bargain,
        asks=True,
    )
    def bargain(self, state: Action, step: Act) -> Action:
        words = str(step.values["words"]).strip()
        if not words:
            raise refused("words", "Say what the bargain costs.")
        names = [person.name for person in state.people if person.character in step.by.characters]
        return replace(state, bargain=words, bargain_by="" if step.by.is_gm else names[0], refused="")

    @act(by=own, each=_open_bargain, terms=as_bargained)
    def accept(self, state: Action, step: Act, taker: str) -> Action:
        if state.participants[0].push_die:
            raise refused("bargain", EITHER)
        return with_participant(replace(state, bargained=True), replace(state.participants[0], ready=False))

    @act(by=_may_refuse, each=_refusable, terms=as_bargained)
    def refuse(self, state: Action, step: Act, *taker: str) -> Action:
        return nobody_ready(replace(state, bargain="", bargain_by="", bargained=False, refused=state.bargain))

    @act(by=by_actor, when=_has_gambit, terms=lambda state: (state.gambit,))
    def gambit(self, state: Action, step: Act) -> Action:
        return with_participant(replace(state, gambit=not state.gambit), replace(state.participants[0], ready=False))


def _joining(state: Action) -> Iterator[str]:
    if state.group and unrolled(state):
        busy = {participant.character for participant in state.participants} | {
            participant.helper for participant in state.participants
        }
        yield from (person.character for person in state.people if person.able and person.character not in busy)


def _cohorts(state: Action) -> Iterator[str]:
    """Those that are not in it yet, and can do anything."""
    if state.group and unrolled(state) and state.crew is not None:
        busy = {participant.character for participant in state.participants}
        yield from (cohort.key for cohort in state.crew.cohorts if cohort.able and cohort.key not in busy)


def _with(state: Action, joined: Participant) -> Action:
    return tradable_still(replace(state, participants=(*state.participants, joined)))


def _without(state: Action, character: str) -> Action:
    return replace(
        state,
        participants=tuple(participant for participant in state.participants if participant.character != character),
    )


def _in_it(*, cohorts: bool) -> Callable[[Action], list[str]]:
    def taking_part(state: Action) -> list[str]:
        others = state.participants[1:] if unrolled(state) else ()
        return [other.character for other in others if other.cohort is cohorts]

    return taking_part


class GroupAction(ProcedureRules[Action]):
    """Who joins, and who leaves."""

    @act(by=own, each=_joining)
    def join(self, state: Action, step: Act, character: str) -> Action:
        """With the rating that their sheet gives, which `reads` keeps up to date."""
        snapshot = step.seen.sheets.get(character) if step.seen else None
        rating = sheet.action(snapshot.values, state.action).rating if snapshot else 0
        return _with(state, Participant(character=character, rating=rating))

    @act(by=own, each=_in_it(cohorts=False))
    def leave(self, state: Action, step: Act, character: str) -> Action:
        return _without(state, character)

    @act(by=by_actor, each=_cohorts)
    def bring(self, state: Action, step: Act, key: str) -> Action:
        cohort = state.cohort(key)
        return _with(state, Participant(character=key, cohort=True, rating=cohort.quality if cohort else 0))

    @act(by=by_actor, each=_in_it(cohorts=True))
    def leave_out(self, state: Action, step: Act, key: str) -> Action:
        return _without(state, key)
