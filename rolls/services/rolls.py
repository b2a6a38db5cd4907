"""Making a roll: dice, outcome, Scale and Burns in one transaction, told to those it is for."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import Table, at_table
from rolls.models import Audience, Roll, Scale
from rolls.rules.dice import Faces, typed
from rolls.services.asked import answer
from rolls.services.dice import Throw, faces_for
from rolls.services.refusal import by_the_rules
from rolls.services.roller import keep_hidden, roller_of, short_note
from rolls.services.scale import Feeding
from rolls.services.systems import system_of
from rolls.services.systems.base import Ask, Plan, Reading, Roller
from rolls.services.telling import tell_roll
from rolls.settings import RollSettings, roll_settings


@at_table(Role.PLAYER)
def make_roll(table: Table, ask: Ask, *, audience: Audience, key: UUID, faces: Sequence[int] | None = None) -> Roll:
    """Roll the dice. `faces` are those of a physical table, as many as the roll has dice; None lets the server roll.

    A Storyteller action roll of a player character feeds its Scale, unless it is for the GM alone, and whatever that sets off
    happens now: the offer, both Burns, the Major Burn with its oracles. A roll that answers a request has the request's audience,
    kind and traits. Raises what `roller_of` and the system's `plan` raise, and Invalid for faces that cannot be and for
    points that are not there.
    """
    settings = roll_settings(table.campaign)
    system = system_of(table.campaign, ask.system)
    roller = roller_of(table, ask, Audience(audience), settings)
    plan = system.plan(roller, ask)
    if plan.audience:
        keep_hidden(roller.character, plan.audience)
    with by_the_rules():
        reading = system.read(plan.terms, _faces(table, plan, faces), settings, plan.scale is not None)
    roll = _roll(table, roller, ask, plan, reading)
    roll.hand_rolled = faces is not None
    system.pay(table, roll)
    roll.save(force_insert=True)
    tell_roll(table, roll, "rolls.roll_made", feeding_of(roll, plan.scale, reading, settings), amends=plan.amends)
    if roller.request:
        answer(table, roller.request)
    return roll


def feeding_of(roll: Roll, scale: Scale | None, reading: Reading, settings: RollSettings) -> Feeding | None:
    """What the dice give the Scale they feed; None where they feed none."""
    if scale is None or roll.character is None or reading.gives is None:
        return None
    return Feeding(scale, roll.character, reading.gives, settings)


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


def _faces(table: Table, plan: Plan, faces: Sequence[int] | None) -> Faces:
    if plan.count == 0:
        return iter(())
    if faces is not None:
        return iter(typed(faces, plan.count, plan.die))
    spec = f"{plan.count}{plan.die}"
    return faces_for(Throw(campaign=table.campaign.pk, actor=table.by.pk, id=table.key, spec=spec, die=plan.die))
