"""Making a roll: dice, outcome and what the Scale lets follow from it in one transaction, told to those it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from campaigns.models import Membership, Role
from campaigns.services.log import UnitOfWork
from characters.models import Character
from rolls.events import ROLL_MADE
from rolls.models import Audience, Roll, RollRequest
from rolls.registry import played
from rolls.services import roll_writes
from rolls.services.cards import mark, tell_roll
from rolls.services.dice import DiceRequest, Thrown
from rolls.services.fairness import in_the_open, throw_dice
from rolls.services.operation import RollOperation
from rolls.services.roll_context import (
    by_the_rules,
    context_of_procedure,
    keep_hidden,
    or_override,
    roll_context,
    short_note,
)
from rolls.settings import roll_settings
from rolls.table_rules import Outcome, PreparedRoll, RollContext, RollInput
from rules.dice import typed
from scale.services import moving
from scale.services.moving import Falling


@dataclass(frozen=True, kw_only=True)
class NewRoll:
    """Where the dice of a roll come from: the roll's own `id`, `faces` of a physical table, or 32 hex digits that the browser
    made up. `by_step`: they fall with a step of a procedure, whoever took it."""

    id: UUID
    faces: Sequence[int] | None = None
    client_seed: str = ""
    by_step: bool = False


def next_id(work: UnitOfWork, name: str) -> UUID:
    """Return the id for the next dice of an operation, on which their faces depend.

    The first is the operation's key, which a GM's witness was asked about; further throws get ids of their own. `name`
    keeps them apart from other ids of the operation.
    """
    operation = work.state(RollOperation)
    operation.throws += 1
    return work.id(f"{name} {operation.throws}") if operation.throws > 1 else work.key


def planned(work: UnitOfWork, ask: RollInput, audience: Audience) -> tuple[RollContext, PreparedRoll]:
    """Return the checked roll and its context; nothing is changed yet. Raises what `make_roll` raises before its dice fall."""
    with or_override(work, "override", "1"):
        return _planned(roll_context(work, ask, Audience(audience), roll_settings(work.campaign)), ask)


def make_from(
    work: UnitOfWork, request: RollRequest, ask: RollInput, throw: NewRoll, *, override: bool = False
) -> Roll:
    """Make a procedure's roll, for the character that its request names, whoever pressed last."""
    settings = roll_settings(work.campaign)
    context, plan = _planned(context_of_procedure(work, request, settings, override=override), ask)
    return make(work, ask, context, plan, replace(throw, by_step=True))


def _whose(work: UnitOfWork, request: RollRequest | None, character: Character | None) -> Membership:
    """Return whose roll it is.

    In a procedure that is the player of the character, whoever lets the dice fall; a GM if nobody plays the character;
    in a private one the member who opened it. Any other roll is of who makes it.
    """
    if request is None or request.procedure is None:
        return work.by
    if request.audience == Audience.SELF:
        return request.procedure.opened_by
    here = [player for player in (character.players if character else ()) if player.left_at is None]
    if work.by in here or (work.by.is_gm and not here):
        return work.by
    gms = Membership.objects.active().filter(campaign=work.campaign, role=Role.GM).order_by("pk")
    return here[0] if here else gms.first() or work.by


def make(work: UnitOfWork, ask: RollInput, context: RollContext, plan: PreparedRoll, throw: NewRoll) -> Roll:
    """Let the dice of a planned roll fall, write its costs and gains on sheets, and record it. Raises Invalid for
    impossible faces.
    """
    falling = _falling(context, plan, ask)
    kind = played(work.campaign, ask.system).table.kind(plan.kind)
    with by_the_rules():
        dice = _dice(work, plan, context.audience, throw)
        reading = kind.read(plan.terms, dice, context.settings)
    roll = _roll(work, context, ask, plan, reading, throw)
    roll.hand_rolled, roll.proof = throw.faces is not None, dice.proof
    card = roll.ask | roll.outcome
    mark(roll, moving.marks(falling, card))
    roll_writes.write(work, roll)
    moved = moving.moved(work, falling, roll.pk, card, partial(in_the_open, work))
    tell_roll(work, roll, ROLL_MADE, moved, parent=plan.parent)
    return roll


def _planned(context: RollContext, ask: RollInput) -> tuple[RollContext, PreparedRoll]:
    plan = played(context.work.campaign, ask.system).table.kind(ask.kind).prepare(context, ask)
    if plan.audience:
        keep_hidden(context.character, plan.audience, field="audience")
    moving.check_held(_falling(context, plan, ask))
    return context, plan


def _falling(context: RollContext, plan: PreparedRoll, ask: RollInput) -> Falling:
    falling = context.falling(ask.system, plan.kind, has_dice=bool(plan.count))
    return replace(falling, audience=plan.audience or context.audience)


def _roll(
    work: UnitOfWork, context: RollContext, ask: RollInput, plan: PreparedRoll, reading: Outcome, throw: NewRoll
) -> Roll:
    by = _whose(work, context.request, context.character)
    rolled_by = {} if by == work.by or throw.by_step else {"rolled_by": work.by.pk}
    return Roll(
        pk=throw.id,
        campaign=work.campaign,
        character=context.character,
        by=by,
        system=ask.system,
        kind=plan.kind,
        audience=plan.audience or context.audience,
        ask=plan.terms | {"note": short_note(ask.note)} | _allowed(context) | rolled_by,
        faces=list(reading.faces),
        outcome=reading.outcome,
        request=context.request,
        at=work.now,
    )


def _allowed(context: RollContext) -> dict[str, Any]:
    """Return the blocks that a GM overrode, as part of the roll's terms."""
    return {"overridden": context.overridden} if context.overridden else {}


def _dice(work: UnitOfWork, plan: PreparedRoll, audience: Audience, throw: NewRoll) -> Thrown:
    if not plan.count:
        return Thrown(iter(()))
    if throw.faces is not None:
        return Thrown(iter(typed(throw.faces, plan.dice)))
    asked = DiceRequest(
        campaign=work.campaign.pk,
        actor=work.by.pk,
        id=throw.id,
        spec=plan.dice.spec,
        client_seed=throw.client_seed,
    )
    return throw_dice(work, asked, plan.audience or audience)
