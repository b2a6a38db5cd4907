"""What gives a staged action more dice or effect: pushes, help, a Devil’s Bargain, a gambit (forged.txt, Add Bonus Dice)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from rolls.rules.acts import Actor
from rolls.rules.function_procedures import Act
from rulesets.forged.rules.action import ASSIST_COST
from rulesets.forged.rules.action_before import (
    affords,
    bare,
    by_actor,
    nobody_ready,
    own,
    tradable_still,
    unrolled,
    with_participant,
)
from rulesets.forged.rules.action_state import Action, Stage
from rulesets.forged.rules.action_terms import as_bargained, as_gambled, push_as_it_is
from rulesets.forged.rules.moves import NOBODY, Move, refused

PUSHES: Final = ("die", "effect", "act")
FOR: Final = ".for."
EITHER: Final = "The second bonus die is either a push or a Devil’s Bargain."


def _pushes(state: Action) -> Iterator[str]:
    """To act in spite of harm only where it would keep somebody from it."""
    for one in state.participants if unrolled(state) else ():
        if one.cohort:
            continue
        severe = one.push_act or state.hinders(one, 3)
        yield from (f"{one.character}.{push}" for push in PUSHES if push != "act" or severe)


def _push(state: Action, who: Actor, act: Act) -> Action:
    """On and off."""
    character, push = act.whom.split(".")
    participant = state.participant(character) or state.participants[0]
    name = f"push_{push}"
    turned: dict[str, Any] = {name: not getattr(participant, name), "ready": False}
    if push == "die" and not participant.push_die and state.bargained and participant == state.participants[0]:
        raise refused("push", EITHER)
    after = replace(participant, **turned)
    if turned[name]:
        affords(state, character, after.stress)
    return tradable_still(with_participant(state, after))


def _assists(state: Action) -> Iterator[str]:
    """One helper for a roll, who is not among those who roll (forged.txt, Assist)."""
    if not unrolled(state):
        return
    busy = {one.character for one in state.participants} | {one.helper for one in state.participants}
    for person in state.people:
        if person.able and person.character not in busy:
            yield from (
                f"{person.character}{FOR}{one.character}"
                for one in state.participants
                if not one.helper and not one.cohort
            )


def _assist(state: Action, who: Actor, act: Act) -> Action:
    helper, _, character = act.whom.partition(FOR)
    affords(state, helper, ASSIST_COST)
    participant = state.participant(character) or state.participants[0]
    return with_participant(state, replace(participant, helper=helper))


def _helping(state: Action) -> Iterator[str]:
    if unrolled(state):
        yield from (one.helper for one in state.participants if one.helper)


def _unassist(state: Action, who: Actor, act: Act) -> Action:
    """Whoever counted on it looks again."""
    helped = next(one for one in state.participants if one.helper == act.whom)
    return with_participant(state, replace(helped, helper="", ready=False))


def _others(state: Action, who: Actor, whom: str) -> bool:
    """The GM, or another player (forged.txt, The Devil’s Bargain)."""
    plays = {one.character for one in state.people} & who.characters
    return who.is_gm or (bool(plays) and state.actor.character not in who.characters)


def _bargain(state: Action, who: Actor, act: Act) -> Action:
    words = str(act.values["words"]).strip()
    if not words:
        raise refused("words", "Say what the bargain costs.")
    names = [one.name for one in state.people if one.character in who.characters]
    return replace(state, bargain=words, bargain_by="" if who.is_gm else names[0], refused="")


def _taker(state: Action) -> str:
    return state.actor.character


def _open_bargain(state: Action) -> tuple[str, ...]:
    there = unrolled(state) and bool(state.bargain) and not state.bargained
    return (_taker(state),) if there else ()


def _refusable(state: Action) -> tuple[str, ...]:
    """By whoever it was offered to, and by the GM as such, who has the last word on it (forged.txt, The Devil’s Bargain)."""
    return (_taker(state), *NOBODY) if unrolled(state) and state.bargain else ()


def _may_refuse(state: Action, who: Actor, whom: str) -> bool:
    return own(state, who, whom) if whom else who.is_gm


def _accept(state: Action, who: Actor, act: Act) -> Action:
    if state.participants[0].push_die:
        raise refused("bargain", EITHER)
    return with_participant(replace(state, bargained=True), replace(state.participants[0], ready=False))


def _refuse(state: Action, who: Actor, act: Act) -> Action:
    return nobody_ready(replace(state, bargain="", bargain_by="", bargained=False, refused=state.bargain))


def _has_gambit(state: Action) -> bool:
    there = state.crew is not None and bool(state.crew.gambits)
    return unrolled(state) and state.settings.gambits and (there or state.gambit)


def _gambit(state: Action, who: Actor, act: Act) -> Action:
    return with_participant(replace(state, gambit=not state.gambit), replace(state.participants[0], ready=False))


MOVES: Final = {
    "push": Move(there=_pushes, by=own, do=_push, terms=push_as_it_is),
    "assist": Move(there=_assists, by=own, do=_assist),
    "unassist": Move(there=_helping, by=own, do=_unassist),
    "bargain": Move(
        there=lambda state: bare(state, when=state.stage is Stage.SET and not state.fallen and not state.bargain),
        by=_others,
        do=_bargain,
        asks=True,
    ),
    "accept": Move(there=_open_bargain, by=own, do=_accept, terms=as_bargained),
    "refuse": Move(there=_refusable, by=_may_refuse, do=_refuse, terms=as_bargained),
    "gambit": Move(there=lambda state: bare(state, when=_has_gambit(state)), by=by_actor, do=_gambit, terms=as_gambled),
}
