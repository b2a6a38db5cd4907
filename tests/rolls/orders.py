"""The order of declaration as it was told before events went by turns (arc.order_rolled): logs hold such events for good."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from campaigns.models import Event, Role
from campaigns.models.log import person
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork, service
from rolls.models import Audience
from rolls.services.fairness import DiceRequest, throw_dice
from rolls.services.roll_making import witness_told
from rules.dice import D10, draw
from rulesets.arc.events import ORDER_ROLLED


@service(Role.GM)
def roll_for_order(
    work: UnitOfWork, names: Sequence[str], *, audience: Audience, key: UUID, client_seed: str = ""
) -> Event:
    """Roll a d10 for each of these names, whose scores are equal."""
    spec, campaign = f"{len(names)}d10", work.campaign.pk
    throw = DiceRequest(campaign=campaign, actor=work.by.pk, id=work.key, spec=spec, client_seed=client_seed)
    dice = throw_dice(work, throw, audience)
    fell = dict(zip(names, draw(len(names), D10, dice), strict=True))
    payload = {
        "who": person(work.by),
        "dice": [{"face": face} for face in fell.values()],
        "declare": [{"name": name, "rolls": [fell[name]]} for name in sorted(names, key=fell.__getitem__)],
        "equal": [list(names)],
        "proof": dice.proof,
        "witness": witness_told(dice.proof, audience, work.by),
        "audience": audience.value,
        "hand_rolled": False,
    }
    return work.record(ORDER_ROLLED, payload, stream=TABLE if audience is Audience.TABLE else GM)
