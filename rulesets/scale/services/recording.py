"""What the table hears of Burns when a roll has moved the Scale, in the order in which it happened."""

from __future__ import annotations

from typing import Any

from campaigns.models.log import Subject
from campaigns.services.log import UnitOfWork
from rulesets.scale.events import BURN_BANKED, BURN_FIRED, BURN_OFFERED, BURN_TAKEN_BACK, MAJOR_BURN
from rulesets.scale.models import Burn, Scale
from rulesets.scale.queries.payloads import burn_payload
from rulesets.scale.queries.scale import scale_payload
from rulesets.scale.rules.scale import Event
from rulesets.scale.services.majors import consult_oracles
from rulesets.scale.services.scale import Move

KINDS = {
    Event.OFFER: BURN_OFFERED,
    Event.BOTH: BURN_FIRED,
    Event.MAJOR: MAJOR_BURN,
}


def tell_burns(work: UnitOfWork, scale: Scale, whose: Subject, moved: Move) -> None:
    """Record what the move set off; the oracles of a Major Burn are consulted now."""
    if moved.auto_banked:
        payload = {
            "automatic": True,
            "burns": [burn_payload(moved.auto_banked)],
            "scale": scale_payload(scale, moved.state),
        }
        work.record(BURN_BANKED, payload, subjects=[whose], parent=moved.auto_banked.event)
    if moved.event is None:
        return
    if moved.event is Event.MAJOR:
        consult_oracles(work, moved.burns[-1], moved.before + moved.delta)
    burns = [burn_payload(burn) for burn in moved.burns]
    payload = {"how": moved.event.value, "burns": burns, "scale": scale_payload(scale, moved.state)}
    if moved.event is Event.MAJOR:
        payload |= {"proof": moved.burns[-1].oracle["proof"]}
    event = work.record(KINDS[moved.event], payload, subjects=[whose])
    Burn.objects.filter(pk__in=[burn.pk for burn in moved.burns], event=None).update(event=event)


def tell_taken_back(work: UnitOfWork, undone: dict[str, Any]) -> None:
    """Mark where they were told the Burns that were `undone` with their roll (undoing.undo_steps)."""
    ids = [burn["id"] for burn in undone["burns"]]
    gone = Burn.objects.filter(pk__in=ids, state=Burn.State.UNDONE).exclude(event=None)
    for burn in gone.select_related("scale", "character__owner__user", "npc", "storyline", "event__stream").order_by(
        "at", "pk"
    ):
        of = str(burn.event.uid) if burn.event else ""
        payload = {"of": of, "burns": [burn_payload(burn)], "scale": undone["scale"]}
        work.record(BURN_TAKEN_BACK, payload, subjects=[burn.character.subject], parent=burn.event)
