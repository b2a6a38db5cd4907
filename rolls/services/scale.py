"""The acts of the Scale that throw dice or void a roll."""

from __future__ import annotations

from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from rolls.services.fairness import in_the_open
from rolls.services.roll_context import short_note
from rolls.services.roll_making import next_id
from rolls.services.rolls import standing_roll, void
from scale.models import Burn, ScaleStep
from scale.services.burns import mark
from scale.services.scale import is_roll, newest, take_back


@service(Role.PLAYER, plays=True)
def mark_oracle(work: UnitOfWork, burn_id: UUID, oracle: str, choice: str, *, key: UUID, client_seed: str = "") -> Burn:
    """Mark on a sheet what a die of a Major Burn gives. Raises what `mark` raises."""
    return mark(
        work,
        burn_id,
        oracle,
        choice,
        die=lambda: in_the_open(work, next_id(work, "dice"), "1d10", client_seed=client_seed),
    )


@service(Role.GM)
def undo_newest(work: UnitOfWork, scale_id: UUID, *, reason: str = "", key: UUID) -> ScaleStep:
    """Undo the newest change of a Scale, a roll or an act on a Burn."""
    step = newest(work, scale_id)
    if step.roll_id and is_roll(step):
        void(work, standing_roll(work, step.roll_id), short_note(reason))
    else:
        take_back(work, step, short_note(reason))
    return step
