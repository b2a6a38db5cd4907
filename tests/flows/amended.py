"""Rolls that a step of a procedure has amended. None of the site's own games has such a step, so its effect is done by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from campaigns.models import Membership, Role
from campaigns.services.log import UnitOfWork, service
from characters.reasons import ROLL
from rolls.models import Roll
from rolls.services.procedure_state import ProcedureTable
from rules.effects import Amend


@service(Role.PLAYER)
def amend_roll(
    work: UnitOfWork, roll: UUID, *, again: Sequence[int] = (), changes: Mapping[str, Any] | None = None, key: UUID
) -> None:
    ProcedureTable(work).do(Amend(roll=str(roll), again=tuple(again), changes=changes or {}, why=ROLL))


@service(Role.GM)
def undo_amended(work: UnitOfWork, roll: UUID, *, key: UUID) -> None:
    ProcedureTable(work).undo({"amended": str(roll)})


def rolls_are_amended(gm: Membership, mo: Membership, roll: Callable[[], Roll], dice: Callable[..., None]) -> None:
    """Dice are thrown again, terms change, and one of that is undone. None of it moves the Scale."""
    for again in (0,), (2, 1):
        made = roll()
        dice(*[4] * len(again))
        amend_roll(mo, made.pk, again=again, key=uuid4())
    undo_amended(gm, Roll.objects.get(corrects=made).pk, key=uuid4())
    amend_roll(mo, roll().pk, changes={"difficulty": 7}, key=uuid4())
