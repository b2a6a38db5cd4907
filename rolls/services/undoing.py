"""Taking a roll back: what add-ons undo, and what everybody is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns.models import Event
from campaigns.models.log import person
from campaigns.models.members import TABLE
from campaigns.services.log import UnitOfWork
from rolls.events import REQUEST_CHANGED, ROLL_REVEALED, ROLL_VOIDED
from rolls.models import Roll
from rolls.registry import kind_of
from rolls.services import joining, roll_writes
from rolls.services.cards import card
from rolls.services.procedure_rolls import recount, unwind
from rolls.services.recording import twin_of
from rolls.services.request_events import tell_request
from rolls.table_rules import Change


def void(work: UnitOfWork, roll: Roll, reason: str) -> None:
    """Take a roll back for good: what it wrote on sheets is undone, and it is asked for again, or what had counted it
    goes on without."""
    kind_of(roll).held(roll, Change.VOID)
    take_back(work, roll, reason)
    if roll.request and not roll.request.closed_at and not roll.request.procedure_id:
        tell_request(work, REQUEST_CHANGED, roll.request)
    recount(work, roll, unwind(work, roll))  # what came later is undone first
    roll_writes.unwrite(work, roll)


def take_back(work: UnitOfWork, roll: Roll, reason: str, kept: joining.Kept = (), *, corrected: bool = False) -> None:
    """Undo what followed from a roll, but for what is `kept` by the one that corrects it, and tell it wherever it was told."""
    undone = joining.undo(work, roll, kept)
    _tell(work, roll, {"reason": reason, "corrected": corrected}, joining.payload_of(undone))
    for telling in undone.values():
        if roll.event and telling.follow:
            telling.follow(roll.event)


def _tell(work: UnitOfWork, roll: Roll, why: Mapping[str, Any], undone: Mapping[str, Any]) -> None:
    """Tell wherever a roll was told that it stands no more; the table hears what was `undone`."""
    roll.voided_at = work.now
    roll.save(update_fields=["voided_at"])
    payload = {
        "roll": str(roll.pk),
        "system": roll.system,
        "character": roll.character.ref if roll.character else None,
        "who": person(roll.by),
        "kind": roll.kind,
        "outcome": roll.outcome["result"],
        "card": card(roll),
        **why,
        "back": kind_of(roll).taken_back(roll),
    }
    subjects = [roll.character.subject] if roll.character else []
    for event in told_in(roll):
        stream = event.stream.name
        whole = payload | {"of": str(event.uid)} | (dict(undone) if stream == TABLE else {})
        work.record(ROLL_VOIDED, whole, stream=stream, subjects=subjects, parent=event)


def told_in(roll: Roll) -> list[Event]:
    """The event that told the roll, the GMs' own telling of it, and the one that showed it to everybody."""
    shown = Event.objects.filter(parent=roll.event, stream__name=TABLE, kind=ROLL_REVEALED)
    return [event for event in (roll.event, twin_of(roll.event), *shown.select_related("stream")) if event]
