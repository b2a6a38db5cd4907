"""The d10 of the order of declaration (arc.txt, V.6): thrown here, told, and proved as those of any roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from campaigns.errors import Blocked
from campaigns.models import Event, Role
from campaigns.models.streams import GM, TABLE
from campaigns.references import person
from campaigns.services.log import UnitOfWork, service
from characters.models import Character
from rolls.models import Audience
from rolls.rules.dice import D10, typed
from rolls.services.cards import witness_told
from rolls.services.dice import DiceRequest, Thrown
from rolls.services.fairness import throw_dice
from rolls.services.rule_errors import by_the_rules, keep_hidden
from rolls.settings import roll_settings
from rulesets.arc.events import ORDER_ROLLED
from rulesets.arc.rules.turn import Declarant, Order, declaration_order, roll_off, settle
from rulesets.arc.settings import Settings


@service(Role.GM)
def roll_for_order(
    work: UnitOfWork,
    declarants: Sequence[Declarant],
    *,
    audience: Audience,
    key: UUID,
    faces: Sequence[int] | None = None,
    client_seed: str = "",
) -> Event:
    """A d10 for each who is equal to somebody, until nobody is; told to everybody or to the GMs, with the order that comes of it.

    `faces` are those of a physical table, one for each who has to roll, in the order as it stood; who is equal still, rolls
    again. Raises Blocked where nobody has to roll, and Invalid for what the rules refuse and for an NPC that players do not know.
    """
    settings = roll_settings(work.campaign).of(Settings)
    with by_the_rules():
        before = declaration_order(declarants, settings)
        if not before.roll_again:
            raise Blocked("Nobody is equal to somebody else: no dice are needed.")
        for character in Character.objects.filter(
            campaign=work.campaign, name__in=[one.name for one in before.declare]
        ):
            keep_hidden(character, audience, field="audience")
        dice = _dice(work, sum(map(len, before.roll_again)), audience, faces, client_seed)
        order = settle(declarants, dice, settings) if faces is None else roll_off(before, dice, settings)
    equal = [[one.name for one in group] for group in before.roll_again]
    payload = _payload(work, order, dice, audience) | {"equal": equal, "hand_rolled": faces is not None}
    return work.record(ORDER_ROLLED, payload, stream=TABLE if audience is Audience.TABLE else GM)


def _dice(work: UnitOfWork, count: int, audience: Audience, faces: Sequence[int] | None, client_seed: str) -> Thrown:
    if faces is not None:
        return Thrown(iter(typed(faces, count, D10)))
    throw = DiceRequest(
        campaign=work.campaign.pk, actor=work.by.pk, id=work.key, spec=f"{count}d10", client_seed=client_seed
    )
    return throw_dice(work, throw, audience)


def _payload(work: UnitOfWork, order: Order, dice: Thrown, audience: Audience) -> dict[str, Any]:
    """Who waits for the next turn is left out, and so are scores: players need not know them of NPCs."""
    return {
        "who": person(work.by),
        "dice": [{"face": face} for face in dice.read],
        "declare": [{"name": one.name, "rolls": list(one.rolls)} for one in order.declare],
        "proof": dice.proof,
        "witness": witness_told(dice.proof, audience, work.by),
        "audience": audience.value,
    }
