"""Who rolls together in a group action: player characters, who join by themselves, and cohorts of the crew, whom whoever leads
brings and who roll their quality (forged.txt, Lead a group action)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from rolls.rules.acts import Actor
from rolls.rules.function_procedures import Act
from rulesets.forged import sheet
from rulesets.forged.rules.action_before import by_actor, own, tradable_still, unrolled
from rulesets.forged.rules.action_state import Action, Participant
from rulesets.forged.rules.moves import Move


def _joining(state: Action) -> Iterator[str]:
    if state.group and unrolled(state):
        busy = {one.character for one in state.participants} | {one.helper for one in state.participants}
        yield from (one.character for one in state.people if one.able and one.character not in busy)


def _cohorts(state: Action) -> Iterator[str]:
    """Those that are not in it yet, and can do anything."""
    if state.group and unrolled(state) and state.crew is not None:
        busy = {one.character for one in state.participants}
        yield from (one.key for one in state.crew.cohorts if one.able and one.key not in busy)


def _join(state: Action, who: Actor, act: Act) -> Action:
    """With the rating that their sheet gives, which `reads` keeps up to date."""
    there = act.seen.sheets.get(act.whom) if act.seen else None
    rating = sheet.action(there.values, state.action).rating if there else 0
    return _with(state, Participant(character=act.whom, rating=rating))


def _bring(state: Action, who: Actor, act: Act) -> Action:
    cohort = state.cohort(act.whom)
    return _with(state, Participant(character=act.whom, cohort=True, rating=cohort.quality if cohort else 0))


def _with(state: Action, joined: Participant) -> Action:
    return tradable_still(replace(state, participants=(*state.participants, joined)))


def _in_it(*, cohorts: bool) -> Callable[[Action], list[str]]:
    def those(state: Action) -> list[str]:
        others = state.participants[1:] if unrolled(state) else ()
        return [one.character for one in others if one.cohort is cohorts]

    return those


def _leave(state: Action, who: Actor, act: Act) -> Action:
    return replace(state, participants=tuple(one for one in state.participants if one.character != act.whom))


MOVES: Final = {
    "join": Move(there=_joining, by=own, do=_join),
    "leave": Move(there=_in_it(cohorts=False), by=own, do=_leave),
    "bring": Move(there=_cohorts, by=by_actor, do=_bring),
    "leave_out": Move(there=_in_it(cohorts=True), by=by_actor, do=_leave),
}
