"""Taking back: what the ledger undoes, and what everybody is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from campaigns.errors import Waiting
from campaigns.models import Event
from campaigns.models.log import TABLE
from campaigns.services.log import Table, person
from rolls.models import Roll, Scale, Step
from rolls.services.asked import CHANGED, tell_request
from rolls.services.facts import burn_facts, momentum_facts
from rolls.services.ledger import carriers, step_of, undo, with_what_follows
from rolls.services.scale import in_use, scale_facts
from rolls.services.systems import SYSTEMS
from rolls.services.systems.base import Change
from rolls.services.telling import twin_of
from rolls.settings import roll_settings

VOIDED = "rolls.roll_voided"
SHOWN = "rolls.roll_revealed"


def void(table: Table, roll: Roll, reason: str) -> None:
    """Take a roll back for good: what it cost is given back, and a request it answered is open again."""
    SYSTEMS[roll.system].held(roll, Change.VOID)
    take_back(table, roll, reason)
    SYSTEMS[roll.system].repay(table, roll)
    if roll.request and not roll.request.closed_at:
        tell_request(table, CHANGED, roll.request)


def take_back(table: Table, roll: Roll, reason: str) -> None:
    """Undo all that a roll did on its Scale, and tell it wherever the roll was told."""
    step = step_of(roll)
    scale = undo_steps(table, step) if step else {}
    tell_taken_back(table, roll, reason, scale)
    if step and roll.event and roll.event.stream.name != TABLE:
        character = roll.character.ref if roll.character else None
        about = [roll.character.about] if roll.character else []
        table.record("rolls.scale_moved", {"character": character} | scale, about=about, amends=step.event)


def tell_taken_back(table: Table, roll: Roll, reason: str, scale: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Tell wherever a roll was told that it stands no more; the table hears what that did to the `scale`, if anything."""
    roll.voided_at = table.now
    roll.save(update_fields=["voided_at"])
    facts = {
        "roll": str(roll.pk),
        "character": roll.character.ref if roll.character else None,
        "who": person(roll.by),
        "words": roll.ask["words"],
        "headline": roll.outcome["headline"],
        "reason": reason,
    }
    facts |= SYSTEMS[roll.system].taken_back(roll)
    about = [roll.character.about] if roll.character else []
    for event in told_in(roll):
        stream = event.stream.name
        told = facts | {"of": str(event.uid)} | (dict(scale) if stream == TABLE else {})
        table.record(VOIDED, told, stream=stream, about=about, amends=event)


def take_back_deed(table: Table, step: Step, reason: str) -> None:
    """Undo what somebody did with a Burn."""
    facts = undo_steps(table, step) | {"reason": reason, "of": str(step.event.uid)}
    table.record("rolls.burn_undone", facts, amends=step.event)


def told_in(roll: Roll) -> list[Event]:
    """The event that told the roll, the GMs' own telling of it, and the one that showed it to everybody."""
    shown = Event.objects.filter(amends=roll.event, stream__name=TABLE, kind=SHOWN)
    return [event for event in (roll.event, twin_of(roll.event), *shown.select_related("stream")) if event]


def undo_steps(table: Table, step: Step) -> dict[str, Any]:
    """Undo a step and what hangs on it. What is told of it: the Scale and the Burns as they are now, and the steps undone."""
    if not in_use(step.scale, roll_settings(table.campaign)):
        raise Waiting("Since then the table has changed whose the Scale is. What happened on the old one stays.")
    steps = with_what_follows(step)
    burns = undo(table, steps)
    return {
        "scale": scale_facts(Scale.objects.select_related("character").get(pk=step.scale_id)),
        "burns": [burn_facts(burn) for burn in burns],
        "momentum": momentum_facts(carriers(steps)),
        "undone": [step.number for step in steps],
    }
