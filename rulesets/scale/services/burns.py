"""Burns on offer and in the bank: taken, banked, spent (scale.txt, Voluntary Burn). What they then do is in `effects`."""

from __future__ import annotations

from uuid import UUID

from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from rolls.services.rule_errors import by_the_rules
from rolls.settings import roll_settings
from rulesets.scale.events import BURN_BANKED, BURN_FIRED
from rulesets.scale.models import Burn
from rulesets.scale.queries.scale import state_of
from rulesets.scale.rules.scale import Answer, BurnKind, Side, State, answer, spend, spent_by
from rulesets.scale.rules.scale import Settings as ScaleSettings
from rulesets.scale.services.operations import burn_in, must_be, tell
from rulesets.scale.services.undo_journal import Changes


@service(Role.PLAYER, plays=True)
def take_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """The player whose roll reached the Burn, or a GM for one who is absent, takes it now: it fires; the Scale is back at 0."""
    burn = _offered(work, burn_id)
    with by_the_rules():
        after = answer(state_of(burn.scale), Answer.ACCEPT).after
    return _fire(work, burn, after, how="taken", by=Side.PLAYER)


@service(Role.PLAYER, plays=True)
def bank_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """The same keeps it for later. The Scale stays where it is."""
    burn = _offered(work, burn_id)
    with by_the_rules():
        after = answer(state_of(burn.scale), Answer.BANK).after
    changes = Changes()
    changes.put(burn, state=Burn.State.BANKED)
    tell(work, BURN_BANKED, changes, burn.scale, burn=burn, who=burn.character, state=after, automatic=False)
    return burn


@service(Role.PLAYER, plays=True)
def spend_banked(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """A banked Burn fires, and the Scale is back at 0: Grace when its player says so, Trouble when its player or the GM does."""
    burn = burn_in(work, burn_id, Burn.State.BANKED)
    settings = roll_settings(work.campaign).of(ScaleSettings)
    side = must_be(work, burn.character, spent_by(BurnKind(burn.kind), settings))
    with by_the_rules():
        after = spend(state_of(burn.scale), side, settings).after
    return _fire(work, burn, after, how="spent", by=side)


def _offered(work: UnitOfWork, burn_id: UUID) -> Burn:
    burn = burn_in(work, burn_id, Burn.State.OFFERED)
    must_be(work, burn.character, [Side.PLAYER], waits=True)
    return burn


def _fire(work: UnitOfWork, burn: Burn, after: State, *, how: str, by: Side) -> Burn:
    changes = Changes()
    changes.put(burn, state=Burn.State.FIRED)
    changes.put(burn.scale, value=after.scale)
    tell(work, BURN_FIRED, changes, burn.scale, burn=burn, who=burn.character, state=after, how=how, by_side=by.value)
    return burn
