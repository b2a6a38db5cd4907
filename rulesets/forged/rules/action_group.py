"""A group action: who rolls together (forged.txt, Lead a group action)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rules.acts import act
from rules.procedures import Act, ProcedureRules
from rulesets.forged import sheet
from rulesets.forged.rules.action_before import tradable_still, unrolled
from rulesets.forged.rules.action_state import Action, Participant, by_actor, own


def _joining(state: Action) -> Iterator[str]:
    if state.group and unrolled(state):
        busy = {participant.character for participant in state.participants} | {
            participant.helper for participant in state.participants
        }
        yield from (person.character for person in state.people if person.able and person.character not in busy)


def _cohorts(state: Action) -> Iterator[str]:
    """Yield the cohorts that are not in it yet, and can do anything."""
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
    """The acts by which people join a group, and leave it."""

    @act(by=own, each=_joining)
    def join(self, state: Action, step: Act, character: str) -> Action:
        """Join with the rating of the sheet, which `reads` keeps up to date."""
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
