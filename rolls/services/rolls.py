"""Making a roll: dice, outcome and what add-ons let follow from it in one transaction, told to those it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from rolls.events import ROLL_MADE
from rolls.joining import HookContext
from rolls.models import Audience, Roll
from rolls.registry import played
from rolls.rules.dice import typed
from rolls.services import joining
from rolls.services.dice import DiceRequest, Thrown
from rolls.services.fairness import throw_dice
from rolls.services.procedure_state import rolled
from rolls.services.recording import tell_roll
from rolls.services.request_events import answer
from rolls.services.roll_context import roll_context, short_note
from rolls.services.rule_errors import by_the_rules, keep_hidden
from rolls.settings import roll_settings
from rolls.table_rules import Outcome, PreparedRoll, RollContext, RollInput


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

    Whatever add-ons let follow from it happens now. A roll that answers a request has the request's audience
    and terms. Raises what `roll_context` and the rules' `plan` raise, and Invalid for faces that cannot be and for
    points that are not there.
    """
    context, plan = planned(work, ask, audience)
    hook_context = _hook_context(context, plan, ask)
    settings, rules = context.settings, played(work.campaign, ask.system).table
    with by_the_rules():
        dice = _dice(work, plan, context.audience, faces, client_seed)
        reading = rules.read(plan.terms, dice, settings)
    roll = _roll(work, context, ask, plan, reading)
    roll.hand_rolled, roll.proof = faces is not None, dice.proof
    joining.mark(hook_context, roll)
    rules.pay(work, roll)
    tell_roll(work, roll, ROLL_MADE, joining.after(work, hook_context, roll), amends=plan.amends)
    if context.request and context.request.procedure_id:
        rolled(work, roll)
    elif context.request:
        answer(work, context.request)
    return roll


def planned(work: UnitOfWork, ask: RollInput, audience: Audience) -> tuple[RollContext, PreparedRoll]:
    """Who rolls and what, checked; nothing is changed yet. Raises what `make_roll` raises before its dice fall."""
    rules = played(work.campaign, ask.system).table
    context = roll_context(work, ask, Audience(audience), roll_settings(work.campaign))
    plan = rules.plan(context, ask)
    if plan.audience:
        keep_hidden(context.character, plan.audience, field="audience")
    joining.check_held(_hook_context(context, plan, ask))
    return context, plan


def _hook_context(context: RollContext, plan: PreparedRoll, ask: RollInput) -> HookContext:
    hook_context = context.hook_context(ask.system, plan.kind, has_dice=plan.count > 0)
    return replace(hook_context, audience=plan.audience or context.audience)


def _roll(work: UnitOfWork, context: RollContext, ask: RollInput, plan: PreparedRoll, reading: Outcome) -> Roll:
    return Roll(
        pk=work.key,
        campaign=work.campaign,
        character=context.character,
        by=work.by,
        system=ask.system,
        kind=plan.kind,
        audience=plan.audience or context.audience,
        ask=plan.terms | {"note": short_note(ask.note)},
        faces=list(reading.faces),
        outcome=reading.outcome,
        request=context.request,
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
