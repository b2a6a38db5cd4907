"""What the table hears of Burns when a roll has moved the Scale, in the order in which it happened."""

from __future__ import annotations

from campaigns.services.log import About, Table
from rulesets.scale.events import BURN_BANKED, BURN_FIRED, BURN_OFFERED, MAJOR_BURN
from rulesets.scale.models import Burn, Scale
from rulesets.scale.rules.scale import Event
from rulesets.scale.services.facts import burn_facts
from rulesets.scale.services.majors import consult_oracles
from rulesets.scale.services.scale import Move, scale_facts

KINDS = {
    Event.OFFER: BURN_OFFERED,
    Event.BOTH: BURN_FIRED,
    Event.MAJOR: MAJOR_BURN,
}


def tell_burns(table: Table, scale: Scale, whose: About, moved: Move) -> None:
    """Record what the move set off; the oracles of a Major Burn are consulted now."""
    if moved.auto_banked:
        facts = {"automatic": True, "burns": [burn_facts(moved.auto_banked)], "scale": scale_facts(scale)}
        table.record(BURN_BANKED, facts, about=[whose], amends=moved.auto_banked.event)
    if moved.event is None:
        return
    if moved.event is Event.MAJOR:
        consult_oracles(table, moved.burns[-1], moved.before + moved.delta)
    burns = [burn_facts(burn) for burn in moved.burns]
    facts = {"how": moved.event.value, "burns": burns, "scale": scale_facts(scale)}
    if moved.event is Event.MAJOR:
        facts |= {"proof": moved.burns[-1].oracle["proof"]}
    told = table.record(KINDS[moved.event], facts, about=[whose])
    Burn.objects.filter(pk__in=[burn.pk for burn in moved.burns], event=None).update(event=told)
