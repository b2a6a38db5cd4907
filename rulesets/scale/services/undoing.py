"""Taking back what happened to a Scale, and what everybody is told of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Blocked, NotFound
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from rolls.services.amend import standing_roll
from rolls.services.roll_context import short_note
from rolls.services.undoing import void
from rolls.settings import roll_settings
from rulesets.scale.events import BURN_UNDONE, ORACLE_MARKED
from rulesets.scale.models import Scale, UndoEntry
from rulesets.scale.queries.payloads import burn_payload, momentum_payload
from rulesets.scale.queries.scale import in_use, scale_payload
from rulesets.scale.services.undo_journal import carriers, is_roll, standing, undo, with_what_follows


@service(Role.GM)
def void_newest(work: UnitOfWork, scale_id: UUID, *, reason: str = "", key: UUID) -> UndoEntry:
    """Take back the newest thing that happened to a Scale, be it a roll or what somebody did with a Burn."""
    scale = Scale.objects.filter(campaign=work.campaign, pk=scale_id).first()
    if scale is None:
        raise NotFound
    step = standing(scale).last()
    if step is None:
        raise Blocked("There is nothing on this Scale to take back.")
    if step.roll_id and is_roll(step):
        void(work, standing_roll(work, step.roll_id), short_note(reason))
    else:
        _take_back_operation(work, step, short_note(reason))
    return step


def _take_back_operation(work: UnitOfWork, step: UndoEntry, reason: str) -> None:
    """Undo what somebody did with a Burn."""
    payload = undo_steps(work, step) | {"reason": reason, "of": str(step.event.uid)}
    if step.event.kind == ORACLE_MARKED:
        payload["oracle"] = step.event.payload["oracle"]
    work.record(BURN_UNDONE, payload, parent=step.event)


def undo_steps(work: UnitOfWork, step: UndoEntry) -> dict[str, Any]:
    """Undo a step and what hangs on it. What is told of it: the Scale and the Burns as they are now, and the steps undone."""
    if not in_use(step.scale, roll_settings(work.campaign)):
        raise Blocked("Since then the table has changed whose the Scale is. What happened on the old one stays.")
    steps = with_what_follows(step)
    burns = undo(work, steps)
    return {
        "scale": scale_payload(Scale.objects.select_related("character").get(pk=step.scale_id)),
        "burns": [burn_payload(burn) for burn in burns],
        "momentum": momentum_payload(carriers(steps)),
        "undone": [step.number for step in steps],
    }
