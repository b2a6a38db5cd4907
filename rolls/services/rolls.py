"""Making a roll, with all that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from rolls.models import Audience, Roll
from rolls.services.procedure_rolls import follow, rolled
from rolls.services.request_events import answer
from rolls.services.roll_making import NewRoll, make, next_id, planned
from rolls.table_rules import RollInput


@service(Role.PLAYER, plays=True)
def make_roll(
    work: UnitOfWork,
    ask: RollInput,
    *,
    audience: Audience,
    key: UUID,
    faces: Sequence[int] | None = None,
    client_seed: str = "",
) -> Roll:
    """Roll the dice. `faces` are those of a physical table, as many as the roll has dice; None lets the server roll, and mix in
    the 32 hex digits that the browser made up for this roll.

    The Scale moves now, and a procedure that settles what follows from the roll begins. A roll that answers
    a request has the request's audience and terms. Raises what `roll_context` and the rules' `plan` raise, and Invalid for faces
    that cannot be and for points that are not there.
    """
    context, plan = planned(work, ask, audience)
    roll = make(work, ask, context, plan, NewRoll(id=next_id(work, "roll"), faces=faces, client_seed=client_seed))
    if context.request and context.request.procedure_id:
        rolled(work, roll)
        return roll
    if context.request:
        answer(work, context.request)
    follow(work, roll)
    return roll
