"""What logs hold from before contests settled what follows from a roll: the event of it, as it was told then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from rolls.models import Roll
from rulesets.descriptors.events import ROLL_FOLLOWED


@service(Role.PLAYER)
def tell_followed(work: UnitOfWork, roll_id: UUID, done: Sequence[dict[str, Any]], *, key: UUID) -> Roll:
    """Record the last of what was `done` (card.FOLLOWED) about a roll."""
    roll = Roll.objects.select_related("event__stream").get(pk=roll_id)
    payload = {"roll": str(roll.pk), "of": str(roll.event.uid), "what": done[-1]["what"], "done": list(done)}
    kept = {one["what"]: {name: value for name, value in one.items() if name != "what"} | {"done": []} for one in done}
    roll.outcome = roll.outcome | {"follows": kept}
    roll.save(update_fields=["outcome"])
    work.record(ROLL_FOLLOWED, payload, stream=roll.event.stream.name, parent=roll.event)
    return roll
