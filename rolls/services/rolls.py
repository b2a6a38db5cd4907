"""Making a roll: dice, outcome, Scale and Burns in one transaction, told to those it is for."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import Table, at_table
from characters.models import Character
from characters.services import spend_willpower
from rolls.models import Audience, Roll, Scale
from rolls.rules import storyteller
from rolls.rules.dice import typed
from rolls.rules.scale_read import read
from rolls.services.ask import Ask, Plan, plan
from rolls.services.asked import answer
from rolls.services.cards import stored_outcome
from rolls.services.dice import Throw, faces_for
from rolls.services.refusal import by_the_rules
from rolls.services.scale import Feeding
from rolls.services.telling import tell_roll
from rolls.settings import RollSettings, roll_settings


@at_table(Role.PLAYER)
def make_roll(table: Table, ask: Ask, *, audience: Audience, key: UUID, faces: Sequence[int] | None = None) -> Roll:
    """Roll the dice. `faces` are those of a physical table, as many as the pool has dice (0 is a ten); None lets the server roll.

    An action roll of a player character feeds its Scale, unless it is for the GM alone, and whatever that sets off happens now:
    the offer, both Burns, the Major Burn with its oracles. A roll that answers a request has the request's audience, kind and
    traits. Raises what `plan` raises, and Invalid for faces that cannot be and for Willpower that is not there.
    """
    settings = roll_settings(table.campaign)
    planned = plan(table, ask, Audience(audience), settings)
    outcome = _fall(table, planned, faces, settings)
    if planned.ask.willpower and planned.character:
        spend_willpower(table, planned.character, why="a roll")
    feeding = feed(planned.scale, planned.character, outcome, settings)
    roll = Roll.objects.create(
        pk=table.key,
        campaign=table.campaign,
        character=planned.character,
        by=table.by,
        system=ask.system,
        kind=planned.ask.kind.value,
        audience=planned.audience,
        ask=planned.stored,
        faces=list(outcome.faces),
        outcome=stored_outcome(outcome, feeding.read if feeding else None),
        hand_rolled=faces is not None,
        request=planned.request,
        at=table.now,
    )
    tell_roll(table, roll, "rolls.roll_made", feeding)
    if planned.request:
        answer(table, planned.request)
    return roll


def feed(
    scale: Scale | None, character: Character | None, outcome: storyteller.Outcome, settings: RollSettings
) -> Feeding | None:
    """What the dice give the Scale they feed; None where they feed none."""
    if scale is None or character is None:
        return None
    return Feeding(scale, character, read(outcome, settings.scale), settings)


def _fall(table: Table, planned: Plan, faces: Sequence[int] | None, settings: RollSettings) -> storyteller.Outcome:
    ask = planned.ask
    with by_the_rules():
        if planned.automatic:
            return storyteller.succeed_automatically(ask)
        count = ask.pool.dice
        if faces is not None:
            return storyteller.resolve(ask, iter(typed(faces, count)), settings.storyteller)
        throw = Throw(campaign=table.campaign.pk, actor=table.by.pk, id=table.key, spec=f"{count}d10")
        return storyteller.resolve(ask, faces_for(throw), settings.storyteller)
