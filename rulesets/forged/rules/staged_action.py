"""A staged action as a whole: who may do what when, and who is waited for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from languages.text import gettext as _
from rules.acts import Target
from rules.effects import StepResult
from rules.procedures import Answer, RollPart, SheetSnapshot, Snapshot, Values
from rulesets.forged import crew, sheet
from rulesets.forged.rules import action_before, action_follows
from rulesets.forged.rules.action_before import BeforeTheDice, BonusDice, GroupAction, full_words
from rulesets.forged.rules.action_follows import SETUP, AfterTheDice, Carried, Consequences
from rulesets.forged.rules.action_state import (
    OPENED,
    PLAYER,
    Action,
    ActionStage,
    Cohort,
    Crew,
    Participant,
    Person,
    Token,
    refused,
)
from rulesets.forged.rules.consequence import Inflicted
from rulesets.forged.rules.full_tracks import TRAUMA
from rulesets.forged.settings import Settings


def _before_the_dice(state: Action) -> list[tuple[str, str]]:
    if state.actor.out:
        return [("", _("to cancel it: {name} is no longer in play").format(name=state.actor.name))]
    if not state.fallen and action_before.spent(state):
        return [("", _("to set it again: a set-up is gone"))]
    actor, waits = state.actor.character, list[tuple[str, str]]()
    if not state.fallen and action_before.alone(state):
        return [(actor, _("to wait for someone to join, or to cancel"))]
    if state.trade and not state.traded:
        waits.append(("" if state.trade_by == PLAYER else actor, _("to answer the trade")))
    if state.bargain and not state.bargained:
        waits.append((actor, _("to answer the bargain")))
    return [
        *waits,
        *(
            (participant.character, _to_roll(state, participant))
            for participant in state.participants
            if participant.waits
        ),
    ]


def _to_roll(state: Action, participant: Participant) -> str:
    if state.person(participant.character).full:
        return _("to choose a trauma first")
    severe = state.hinders(participant, 3) and not participant.push_act and not participant.helper
    return _("to push or find help, because of severe harm") if severe else _("to roll")


def _after_the_dice(state: Action) -> list[tuple[str, str]]:
    gone = [consequence.clock_name for consequence in state.open if consequence.clock_gone]
    if action_follows.held(state) and state.clock:
        gone.append(state.clock_name)
    return [
        *([] if state.finished else [("", _("to name the consequences"))]),
        *(("", _("to move the ticks of {clock}").format(clock=name)) for name in dict.fromkeys(gone)),
        *dict.fromkeys(
            ("" if state.person(consequence.whom).out else consequence.whom, _("to take or resist a consequence"))
            for consequence in state.open
        ),
    ]


def person_of(character: str, name: str, values: Mapping[str, Any], settings: Settings) -> Person:
    """Return someone at the table by their sheet."""
    stress = sheet.SHEET.number(values, "stress")
    harm = sheet.harm(values)
    return Person(
        character=character,
        name=name,
        full=stress >= settings.boxes,
        stress=stress,
        harm=tuple(len(harm[level]) for level in sorted(harm)),
        hurts=tuple(", ".join(harm[level]) for level in sorted(harm)),
        armor=sheet.free_armor(values),
        items=tuple(row["id"] for row in sheet.SHEET.rows(values, "items")),
        ratings=tuple(sheet.attribute(values, attribute) for attribute in sheet.ACTIONS),
    )


def crew_of(character: str, name: str, values: Mapping[str, Any]) -> Crew:
    heat, wanted = crew.heat(values)
    return Crew(
        character=character,
        name=name,
        heat=heat,
        wanted=wanted,
        gambits=crew.gambits(values),
        cohorts=tuple(
            Cohort(key=str(UUID(row["id"])), name=row["name"], quality=row["quality"], state=row["state"])
            for row in crew.SHEET.rows(values, "cohorts")
        ),
    )


def _person(person: Person, seen: SheetSnapshot | None, settings: Settings, pending: set[str]) -> Person:
    if seen is None:
        return replace(person, out=True)
    now = person_of(person.character, seen.name, seen.values, settings)
    return replace(now, full=now.full or person.character in pending)


def _crew(known: Crew | None, seen: Snapshot) -> Crew | None:
    snapshot = seen.sheets.get(known.character) if known else None
    return crew_of(known.character, snapshot.name, snapshot.values) if known and snapshot else None


def _token(id: str, token: Carried) -> Token:
    return Token(id=id, gives=token.gives, to=token.to, by=token.by, stays=token.character is None)


def _participant(
    state: Action, participant: Participant, people: set[str], cohorts: Mapping[str, int], seen: Snapshot
) -> Participant:
    """Return one of those who roll with the dice of now; `people` are those in play, `cohorts` the quality of those able."""
    if participant.cohort:
        return replace(participant, rating=cohorts[participant.character])
    values = seen.sheets[participant.character].values if participant.character in seen.sheets else {}
    rating = sheet.action(values, state.action).rating if values else participant.rating
    helper = participant.helper if participant.helper in people else ""
    ready = participant.ready and rating == participant.rating and helper == participant.helper
    return replace(participant, rating=rating, helper=helper, ready=ready)


def _with_clocks(state: Action, seen: Snapshot) -> Action:
    """Return the state in which a clock that has been archived is ticked no more."""

    def gone(clock: str | None) -> bool:
        return clock is not None and clock not in seen.clocks

    def looked(consequence: Inflicted) -> Inflicted:
        return (
            consequence
            if consequence.became or consequence.segments
            else replace(consequence, clock_gone=gone(consequence.clock))
        )

    clock_gone = state.clock_gone if state.ticked else gone(state.clock)
    return replace(state, clock_gone=clock_gone, inflicted=tuple(map(looked, state.inflicted)))


class StagedActionRules(BeforeTheDice, BonusDice, GroupAction, AfterTheDice, Consequences):
    state = Action

    def start(self, given: Values) -> Action:
        """Begin with `given`, the fields of an Action. Raises a RuleError for an actor who is not there."""
        state = Action(**given)
        if not state.actor.able:
            raise refused("character", full_words(state.actor.name))
        return state

    def on_roll(self, state: Action, answer: Answer) -> StepResult[Action]:
        resists = answer.part.name == action_follows.RESIST
        return (action_follows.resistance_fell if resists else action_follows.fell)(state, answer)

    def on_void(self, state: Action, part: RollPart) -> Action:
        if part.name == action_follows.RESIST:
            return replace(state, resisting="")
        return action_follows.voided(state, part)

    def reads(self, state: Action, seen: Snapshot) -> Action:
        """Return the state updated from sheets, waiting tokens, open traumas, and running clocks.

        A character who has left play neither rolls nor helps; one whose dice have changed has to be ready again.
        """
        settings = seen.settings or state.settings
        broken = {who for _, trauma in seen.open.get(TRAUMA, ()) for who in trauma.unchosen if who in seen.sheets}
        pending = {who for who in broken if sheet.SHEET.number(seen.sheets[who].values, "stress") >= settings.boxes}
        people = tuple(_person(person, seen.sheets.get(person.character), settings, pending) for person in state.people)
        state = _with_clocks(replace(state, people=people, crew=_crew(state.crew, seen)), seen)
        if state.fallen:
            return state
        waiting = (_token(id, token) for id, token in seen.open.get(SETUP, ()) if token.serves(state.actor.character))
        opened = (
            Token(id=id, gives=OPENED, to=opening.position.value)
            for id, opening in seen.open.get(OPENING, ())
            if not opening.over
        )
        state = replace(state, settings=settings, waiting=(*waiting, *opened))
        present = {person.character for person in people if not person.out}
        cohorts = {cohort.key: cohort.quality for cohort in (state.crew.cohorts if state.crew else ()) if cohort.able}
        first, *others = state.participants
        participants = (first, *(other for other in others if other.character in present | cohorts.keys()))
        return replace(
            state,
            participants=tuple(
                _participant(state, participant, present, cohorts, seen) for participant in participants
            ),
        )

    def is_over(self, state: Action) -> bool:
        return state.stage in (ActionStage.DONE, ActionStage.WITHDRAWN)

    def waiting(self, state: Action) -> Sequence[tuple[str, str]]:
        """Return who is waited for ("" for the GM), and for what."""
        actor = state.actor.character
        if state.stage is ActionStage.ASKED:
            return [("", _("to set position and effect"))]
        if state.stage is ActionStage.SET:
            return _before_the_dice(state)
        if state.stage is ActionStage.CHOICE:
            return [(actor, _("to go through with it or withdraw"))]
        if state.stage is ActionStage.SET_UP:
            return [(actor, _("to choose what the set-up gives"))]
        if state.stage is ActionStage.FOLLOWS:
            return _after_the_dice(state)
        return []

    def played(self, state: Action) -> list[str]:
        return [*(person.character for person in state.people), *([state.crew.character] if state.crew else [])]

    def party(self, state: Action, target: Target) -> tuple[str, str | None]:
        """Return the person that a step is for: by name, whom a consequence hits, or who steps in; ("", None) for a
        level or a direction.
        """
        first, *more = target
        consequence = state.inflicted_as(first)
        steps_in = more[0] if more and state.called(more[0]) else ""
        character = str((steps_in or consequence.whom) if consequence else first)
        name = state.called(character)
        return (name, character) if name else ("", None)


OPENING = "engagement"
"""The kind of the token that an engagement roll leaves."""
