"""Who rolls together in a group action: player characters, who join by themselves, and cohorts of the crew, whom whoever leads
brings and who roll their quality (forged.txt, Lead a group action)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rolls.rules.acts import act
from rolls.rules.procedures import Act, ProcedureRules
from rulesets.forged import sheet
from rulesets.forged.rules.action_before import tradable_still, unrolled
from rulesets.forged.rules.action_state import Action, Participant, by_actor, own


def _joining(state: Action) -> Iterator[str]:
    if state.group and unrolled(state):
        busy = {one.character for one in state.participants} | {one.helper for one in state.participants}
        yield from (one.character for one in state.people if one.able and one.character not in busy)


def _cohorts(state: Action) -> Iterator[str]:
    """Those that are not in it yet, and can do anything."""
    if state.group and unrolled(state) and state.crew is not None:
        busy = {one.character for one in state.participants}
        yield from (one.key for one in state.crew.cohorts if one.able and one.key not in busy)


def _with(state: Action, joined: Participant) -> Action:
    return tradable_still(replace(state, participants=(*state.participants, joined)))


def _without(state: Action, character: str) -> Action:
    return replace(state, participants=tuple(one for one in state.participants if one.character != character))


def _in_it(*, cohorts: bool) -> Callable[[Action], list[str]]:
    def those(state: Action) -> list[str]:
        others = state.participants[1:] if unrolled(state) else ()
        return [one.character for one in others if one.cohort is cohorts]

    return those


class GroupAction(ProcedureRules[Action]):
    """Who joins, and who leaves."""

    @act(by=own, each=_joining)
    def join(self, state: Action, step: Act, character: str) -> Action:
        """With the rating that their sheet gives, which `reads` keeps up to date."""
        there = step.seen.sheets.get(character) if step.seen else None
        rating = sheet.action(there.values, state.action).rating if there else 0
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
