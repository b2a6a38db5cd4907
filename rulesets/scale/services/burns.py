"""Burns on offer and in the bank: taken, banked, spent (scale.txt, Voluntary Burn). What they then do is in `effects`."""

from __future__ import annotations

from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import Table, at_table
from rolls.services.refusal import by_the_rules
from rolls.settings import roll_settings
from rulesets.scale.events import BURN_BANKED, BURN_FIRED
from rulesets.scale.models import Burn
from rulesets.scale.rules.scale import Answer, BurnKind, Side, answer, spend, spent_by
from rulesets.scale.rules.scale import Settings as ScaleSettings
from rulesets.scale.services.deeds import burn_in, must_be, tell
from rulesets.scale.services.ledger import Changes
from rulesets.scale.services.scale import state_of


@at_table(Role.PLAYER)
def take_burn(table: Table, burn_id: UUID, *, key: UUID) -> Burn:
    """The player whose roll reached the Burn takes it now: it fires, and the Scale is back at 0."""
    burn = _offered(table, burn_id)
    with by_the_rules():
        after = answer(state_of(burn.scale), Answer.ACCEPT).after
    return _fire(table, burn, after.scale, how="taken", by=Side.PLAYER)


@at_table(Role.PLAYER)
def bank_burn(table: Table, burn_id: UUID, *, key: UUID) -> Burn:
    """The same player keeps it for later. The Scale stays where it is."""
    burn = _offered(table, burn_id)
    with by_the_rules():
        answer(state_of(burn.scale), Answer.BANK)
    changes = Changes()
    changes.put(burn, state=Burn.State.BANKED)
    tell(table, BURN_BANKED, changes, burn.scale, burn=burn, who=burn.character, automatic=False)
    return burn


@at_table(Role.PLAYER)
def spend_banked(table: Table, burn_id: UUID, *, key: UUID) -> Burn:
    """A banked Burn fires, and the Scale is back at 0: Grace when its player says so, Trouble when its player or the GM does."""
    burn = burn_in(table, burn_id, Burn.State.BANKED)
    settings = roll_settings(table.campaign).of(ScaleSettings)
    side = must_be(table, burn.character, spent_by(BurnKind(burn.kind), settings))
    with by_the_rules():
        after = spend(state_of(burn.scale), side, settings).after
    return _fire(table, burn, after.scale, how="spent", by=side)


def _offered(table: Table, burn_id: UUID) -> Burn:
    burn = burn_in(table, burn_id, Burn.State.OFFERED)
    must_be(table, burn.character, [Side.PLAYER])
    return burn


def _fire(table: Table, burn: Burn, value: int, *, how: str, by: Side) -> Burn:
    changes = Changes()
    changes.put(burn, state=Burn.State.FIRED)
    changes.put(burn.scale, value=value)
    tell(table, BURN_FIRED, changes, burn.scale, burn=burn, who=burn.character, how=how, by_side=by.value)
    return burn
