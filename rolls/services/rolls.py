"""Making a roll: dice, outcome and what add-ons let follow from it in one transaction, told to those it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import Table, at_table
from rolls.events import ROLL_MADE
from rolls.models import Audience, Roll
from rolls.registry import played
from rolls.rules.dice import typed
from rolls.services import joining
from rolls.services.asked import answer
from rolls.services.dice import Throw, Thrown
from rolls.services.fair import throw_dice
from rolls.services.refusal import by_the_rules, keep_hidden
from rolls.services.roller import roller_of, short_note
from rolls.services.telling import tell_roll
from rolls.settings import roll_settings
from rolls.table_rules import Ask, Plan, Reading, Roller


@at_table(Role.PLAYER)
def make_roll(
    table: Table, ask: Ask, *, audience: Audience, key: UUID, faces: Sequence[int] | None = None, client_seed: str = ""
) -> Roll:
    """Roll the dice. `faces` are those of a physical table, as many as the roll has dice; None lets the server roll, and mix in
    the 32 hex digits that the browser made up for this roll.

    Whatever add-ons let follow from it happens now. A roll that answers a request has the request's audience
    and terms. Raises what `roller_of` and the system's `plan` raise, and Invalid for faces that cannot be and for
    points that are not there.
    """
    roller, plan = planned(table, ask, audience)
    settings, system = roller.settings, played(table.campaign, ask.system).table
    with by_the_rules():
        dice = _dice(table, plan, roller.audience, faces, client_seed)
        reading = system.read(plan.terms, dice, settings)
    roll = _roll(table, roller, ask, plan, reading)
    roll.hand_rolled, roll.proof = faces is not None, dice.proof
    context = joining.context_of(roll, settings)
    joining.mark(context, roll)
    system.pay(table, roll)
    roll.save(force_insert=True)
    tell_roll(table, roll, ROLL_MADE, joining.after(table, context, roll), amends=plan.amends)
    if roller.request:
        answer(table, roller.request)
    return roll


def planned(table: Table, ask: Ask, audience: Audience) -> tuple[Roller, Plan]:
    """Who rolls and what, checked; nothing is changed yet. Raises what `make_roll` raises before its dice fall."""
    system = played(table.campaign, ask.system).table
    roller = roller_of(table, ask, Audience(audience), roll_settings(table.campaign))
    plan = system.plan(roller, ask)
    if plan.audience:
        keep_hidden(roller.character, plan.audience, field="audience")
    context = replace(
        roller.context(ask.system, plan.kind, has_dice=plan.count > 0), audience=plan.audience or roller.audience
    )
    joining.check_held(context)
    return roller, plan


def _roll(table: Table, roller: Roller, ask: Ask, plan: Plan, reading: Reading) -> Roll:
    return Roll(
        pk=table.key,
        campaign=table.campaign,
        character=roller.character,
        by=table.by,
        system=ask.system,
        kind=plan.kind,
        audience=plan.audience or roller.audience,
        ask=plan.terms | {"note": short_note(ask.note)},
        faces=list(reading.faces),
        outcome=reading.outcome,
        request=roller.request,
        at=table.now,
    )


def _dice(table: Table, plan: Plan, audience: Audience, faces: Sequence[int] | None, client_seed: str) -> Thrown:
    if plan.count == 0:
        return Thrown(iter(()))
    if faces is not None:
        return Thrown(iter(typed(faces, plan.count, plan.die)))
    throw = Throw(
        campaign=table.campaign.pk,
        actor=table.by.pk,
        id=table.key,
        spec=plan.spec,
        die=plan.die,
        client_seed=client_seed,
    )
    return throw_dice(table, throw, plan.audience or audience)
