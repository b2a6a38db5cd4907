"""The order of an event in turns: made anew from the same keys, with the d10 that tell equals apart (arc.txt, V.6)."""

from __future__ import annotations

from dataclasses import replace

from rolls.rules.dice import D10, Faces, draw
from rolls.rules.procedures import Dice
from rulesets.arc.rules.tracker import Event, Fell, Status, Tie
from rulesets.arc.rules.turn import Declarant, declaration_order
from rulesets.arc.settings import Settings


def ordered(state: Event) -> Event:
    """Everybody in the order of declaration, and newcomers where they belong. Ties may have to be rolled off yet (`ready`)."""
    participants = {participant.key: participant for participant in state.participants}
    order = declaration_order(_declarants(state), _settings(state))
    keys = [_key(declarant) for declarant in (*order.declare, *order.waiting)]
    for move in state.moves:
        keys.remove(move.key)
        keys.insert(keys.index(move.before) if move.before else len(keys), move.key)
    state = replace(state, participants=tuple(participants[key] for key in keys))
    return state if order.roll_again else _with_places(state)


def ready(state: Event) -> Dice | None:
    """A d10 for each who is equal to somebody."""
    groups = _equals(state)
    return Dice(count=sum(map(len, groups))) if groups else None


def settle(state: Event, faces: Faces) -> Event:
    """The order once a d10 has fallen for each who is equal to somebody, lowest first; equal dice may roll again."""
    ties = []
    for group in _equals(state):
        fell = dict(zip(group, draw(len(group), D10, faces), strict=True))
        for key, face in fell.items():
            state = state.put(key, rolls=(*state.found(key).rolls, face))
        ties.append(Tie(fell=tuple(Fell(name=state.found(key).name, face=face) for key, face in fell.items())))
    return ordered(replace(state, ties=(*state.ties, *ties)))


def _equals(state: Event) -> list[list[str]]:
    order = declaration_order(_declarants(state), _settings(state))
    return [[_key(declarant) for declarant in group] for group in order.roll_again]


def _settings(state: Event) -> Settings:
    return Settings(equal_dice_roll_again=state.roll_again)


def _declarants(state: Event) -> list[Declarant]:
    """Each by its name and key, since two may be called the same on their sheets."""
    return [
        Declarant(
            f"{participant.name} {participant.key}",
            som=participant.som or 0,
            empathy=participant.empathy or 0,
            perception=participant.perception or 0,
            rolls=participant.rolls,
            aware=state.takes_part(participant),
        )
        for participant in state.participants
    ]


def _key(declarant: Declarant) -> str:
    return declarant.name.rpartition(" ")[2]


def _with_places(state: Event) -> Event:
    """Whoever has arrived is part of this turn, unless somebody who stands behind them has declared or does so now."""
    placed = [participant for participant in state.participants if participant.status is not Status.ARRIVING]
    now = replace(state, participants=tuple(placed)).current
    waits = (Status.TO_ACT, Status.NEXT_TURN)
    called = {
        participant.key
        for participant in placed
        if state.takes_part(participant) and (participant is now or participant.status not in waits)
    }
    behind = max((at for at, participant in enumerate(state.participants) if participant.key in called), default=-1)
    for at, participant in enumerate(state.participants):
        if participant.status is Status.ARRIVING:
            state = state.put(participant.key, status=Status.NEXT_TURN if at < behind else Status.TO_ACT)
    return state
