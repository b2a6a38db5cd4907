"""Taking back what happened to a Scale, and what everybody is told of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Missing, Waiting
from campaigns.models import Role
from campaigns.services.log import Table, at_table
from rolls.services.amend import standing_roll
from rolls.services.roller import short_note
from rolls.services.undoing import void
from rolls.settings import roll_settings
from rulesets.scale.events import BURN_UNDONE
from rulesets.scale.models import Scale, Step
from rulesets.scale.services.facts import burn_facts, momentum_facts
from rulesets.scale.services.ledger import carriers, is_roll, standing, undo, with_what_follows
from rulesets.scale.services.scale import in_use, scale_facts


@at_table(Role.GM)
def void_newest(table: Table, scale_id: UUID, *, reason: str = "", key: UUID) -> Step:
    """Take back the newest thing that happened to a Scale, be it a roll or what somebody did with a Burn."""
    scale = Scale.objects.filter(campaign=table.campaign, pk=scale_id).first()
    if scale is None:
        raise Missing
    step = standing(scale).last()
    if step is None:
        raise Waiting("There is nothing on this Scale to take back.")
    if step.roll_id and is_roll(step):
        void(table, standing_roll(table, step.roll_id), short_note(reason))
    else:
        _take_back_deed(table, step, short_note(reason))
    return step


def _take_back_deed(table: Table, step: Step, reason: str) -> None:
    """Undo what somebody did with a Burn."""
    facts = undo_steps(table, step) | {"reason": reason, "of": str(step.event.uid)}
    table.record(BURN_UNDONE, facts, amends=step.event)


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
