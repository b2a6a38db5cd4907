"""Dice of a roll that a step threw again, as 0.2.0 told it: no step does so any more, and its logs stay readable."""

from __future__ import annotations

from functools import partial
from typing import Any
from unittest.mock import patch
from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from characters.reasons import ROLL
from rolls.events import ROLL_CORRECTED
from rolls.models import Audience, Roll
from rolls.registry import kind_of
from rolls.services import roll_making, rolls
from rolls.services.fairness import DiceRequest, in_the_open, throw_dice
from rolls.services.roll_making import next_id
from rolls.settings import roll_settings
from rolls.table_rules import falling
from scale.services import moving


@service(Role.PLAYER)
def throw_again(work: UnitOfWork, roll_id: UUID, *places: int, key: UUID) -> Roll:
    """Throw the ten-sided dice in these places again. The roll becomes another one, which is returned."""
    old, settings = rolls.standing_roll(work, roll_id), roll_settings(work.campaign)
    roll = rolls._corrected(work, old, next_id(work, "roll"), {}, may=())
    spec, seed = f"{len(places)}d10", "c2" * 16
    throw = DiceRequest(campaign=work.campaign.pk, actor=work.by.pk, id=roll.pk, spec=spec, client_seed=seed)
    thrown = throw_dice(work, throw, Audience(roll.audience))
    fell = dict(zip(places, thrown, strict=False))
    roll.faces = [fell.get(place, face) for place, face in enumerate(old.faces)]
    before = [old.faces[place] for place in places]
    again = {"at": [*places], "before": before, "faces": roll.faces, "proof": thrown.proof}
    roll.outcome, roll.rerolls = kind_of(roll).read(roll.ask, iter(roll.faces), settings).outcome, [*old.rerolls, again]
    told, amended = roll_making.roll_payload, {"why": ROLL.code, "dice": len(places)}

    def payload(roll: Roll) -> dict[str, Any]:
        return told(roll) | {"amended": amended}

    rolls.take_back(work, old, {"reason": "", "corrected": True, "amended": amended})
    fallen = falling(work.campaign, roll.character, roll.system, roll.kind, Audience(roll.audience), settings)
    card = roll.ask | roll.outcome
    roll_making.mark(roll, moving.marks(fallen, card))
    moved = moving.moved(work, fallen, roll.pk, card, partial(in_the_open, work))
    with patch.object(roll_making, "roll_payload", payload):
        roll_making.tell_roll(work, roll, ROLL_CORRECTED, moved, parent=old.event)
    return roll
