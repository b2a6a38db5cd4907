"""What a staged action goes by of sheets and tokens, as they are now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from rolls.rules.procedures import SheetSnapshot, Snapshot
from rulesets.forged import crew, sheet
from rulesets.forged.rules.action_after import SETUP
from rulesets.forged.rules.action_people import Cohort, Crew, Person
from rulesets.forged.rules.action_state import OPENED, Action, Participant, Token
from rulesets.forged.rules.full_tracks import TRAUMA
from rulesets.forged.rules.inflicted import Inflicted
from rulesets.forged.settings import Settings

OPENING = "engagement"
"""What an engagement roll leaves on the table."""


def person_of(character: str, name: str, values: Mapping[str, Any], settings: Settings) -> Person:
    """Somebody at the table by their sheet."""
    stress = sheet.SHEET.number(values, "stress")
    harm = sheet.harm(values)
    return Person(
        character=character,
        name=name,
        full=stress >= settings.boxes,
        stress=stress,
        harm=tuple(len(harm[level]) for level in sorted(harm)),
        hurts=tuple(", ".join(harm[level]) for level in sorted(harm)),
        armor=free_armor(values),
    )


def free_armor(values: Mapping[str, Any]) -> tuple[str, ...]:
    """The boxes that can be marked: the second of heavy armour after the first (forged.txt, Armor)."""
    marked = {box for box in ("armor", "heavy_armor", "special_armor") if sheet.SHEET.value(values, box)}
    first = "heavy_armor" if "armor" in marked else "armor"
    return tuple(box for box in (first, "special_armor") if box not in marked)


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


def reads(state: Action, seen: Snapshot) -> Action:
    """By sheets, tokens that wait, traumas that are to be chosen, and clocks that run. Whoever has left play neither rolls nor
    helps; whose dice are others than they saw says anew that they are ready."""
    settings = seen.settings or state.settings
    pending = {one.character for _, trauma in seen.open.get(TRAUMA, ()) for one in trauma.open}
    people = tuple(_person(one, seen.sheets.get(one.character), settings, pending) for one in state.people)
    state = _with_clocks(replace(state, people=people, crew=_crew(state.crew, seen)), seen)
    if state.fallen:
        return state
    waiting = (_token(id, token) for id, token in seen.open.get(SETUP, ()) if token.character == state.actor.character)
    opened = (
        Token(id=id, gives=OPENED, to=one.position.value) for id, one in seen.open.get(OPENING, ()) if not one.used
    )
    state = replace(state, settings=settings, waiting=(*waiting, *opened))
    there = {one.character for one in people if not one.out}
    there |= {one.key for one in (state.crew.cohorts if state.crew else ()) if one.able}
    first, *others = state.participants
    participants = (first, *(one for one in others if one.character in there))
    return replace(state, participants=tuple(_participant(state, one, there, seen) for one in participants))


def _person(one: Person, seen: SheetSnapshot | None, settings: Settings, pending: set[str]) -> Person:
    if seen is None:
        return replace(one, out=True)
    now = person_of(one.character, seen.name, seen.values, settings)
    return replace(now, full=now.full or one.character in pending)


def _crew(known: Crew | None, seen: Snapshot) -> Crew | None:
    there = seen.sheets.get(known.character) if known else None
    return crew_of(known.character, there.name, there.values) if known and there else None


def _token(id: str, token: Any) -> Token:
    return Token(id=id, gives=token.gives, to=token.to, by=token.by)


def _participant(state: Action, one: Participant, there: set[str], seen: Snapshot) -> Participant:
    if one.cohort:
        cohort = state.cohort(one.character)
        return replace(one, rating=cohort.quality if cohort else 0)
    values = seen.sheets[one.character].values if one.character in seen.sheets else {}
    rating = sheet.action(values, state.action).rating if values else one.rating
    helper = one.helper if one.helper in there else ""
    ready = one.ready and rating == one.rating and helper == one.helper
    return replace(one, rating=rating, helper=helper, ready=ready)


def _with_clocks(state: Action, seen: Snapshot) -> Action:
    """One that was archived meanwhile is ticked no more."""

    def gone(clock: str | None) -> bool:
        return clock is not None and clock not in seen.clocks

    def looked(one: Inflicted) -> Inflicted:
        return one if one.became or one.segments else replace(one, clock_gone=gone(one.clock))

    clock_gone = state.clock_gone if state.ticked else gone(state.clock)
    return replace(state, clock_gone=clock_gone, inflicted=tuple(map(looked, state.inflicted)))
