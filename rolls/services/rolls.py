"""Making a roll: dice, outcome and what add-ons let follow from it in one transaction, told to those it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from rolls.events import ROLL_MADE
from rolls.models import Audience, Roll
from rolls.registry import played
from rolls.rules.dice import typed
from rolls.services import joining
from rolls.services.dice import DiceRequest, Thrown
from rolls.services.fairness import throw_dice
from rolls.services.recording import tell_roll
from rolls.services.request_events import answer
from rolls.services.roller import roller_of, short_note
from rolls.services.rule_errors import by_the_rules, keep_hidden
from rolls.settings import roll_settings
from rolls.table_rules import Outcome, PreparedRoll, RollContext, RollInput


@service(Role.PLAYER)
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

    Whatever add-ons let follow from it happens now. A roll that answers a request has the request's audience
    and terms. Raises what `roller_of` and the system's `plan` raise, and Invalid for faces that cannot be and for
    points that are not there.
    """
    roller, plan = planned(work, ask, audience)
    settings, system = roller.settings, played(work.campaign, ask.system).table
    with by_the_rules():
        dice = _dice(work, plan, roller.audience, faces, client_seed)
        reading = system.read(plan.terms, dice, settings)
    roll = _roll(work, roller, ask, plan, reading)
    roll.hand_rolled, roll.proof = faces is not None, dice.proof
    context = joining.context_of(roll, settings)
    joining.mark(context, roll)
    system.pay(work, roll)
    roll.save(force_insert=True)
    tell_roll(work, roll, ROLL_MADE, joining.after(work, context, roll), amends=plan.amends)
    if roller.request:
        answer(work, roller.request)
    return roll


def planned(work: UnitOfWork, ask: RollInput, audience: Audience) -> tuple[RollContext, PreparedRoll]:
    """Who rolls and what, checked; nothing is changed yet. Raises what `make_roll` raises before its dice fall."""
    system = played(work.campaign, ask.system).table
    roller = roller_of(work, ask, Audience(audience), roll_settings(work.campaign))
    plan = system.plan(roller, ask)
    if plan.audience:
        keep_hidden(roller.character, plan.audience, field="audience")
    context = replace(
        roller.context(ask.system, plan.kind, has_dice=plan.count > 0), audience=plan.audience or roller.audience
    )
    joining.check_held(context)
    return roller, plan


def _roll(work: UnitOfWork, roller: RollContext, ask: RollInput, plan: PreparedRoll, reading: Outcome) -> Roll:
    return Roll(
        pk=work.key,
        campaign=work.campaign,
        character=roller.character,
        by=work.by,
        system=ask.system,
        kind=plan.kind,
        audience=plan.audience or roller.audience,
        ask=plan.terms | {"note": short_note(ask.note)},
        faces=list(reading.faces),
        outcome=reading.outcome,
        request=roller.request,
        at=work.now,
    )


def _dice(
    work: UnitOfWork, plan: PreparedRoll, audience: Audience, faces: Sequence[int] | None, client_seed: str
) -> Thrown:
    if plan.count == 0:
        return Thrown(iter(()))
    if faces is not None:
        return Thrown(iter(typed(faces, plan.count, plan.die)))
    throw = DiceRequest(
        campaign=work.campaign.pk,
        actor=work.by.pk,
        id=work.key,
        spec=plan.spec,
        die=plan.die,
        client_seed=client_seed,
    )
    return throw_dice(work, throw, plan.audience or audience)
