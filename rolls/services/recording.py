"""What the table hears of a roll: its card, and after it what add-ons have to tell of it."""

from __future__ import annotations

from typing import Any

from campaigns.kinds import EventKind
from campaigns.models import Event
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork
from rolls.models import Audience, Roll
from rolls.registry import kind_of
from rolls.services.cards import roll_payload
from rolls.services.joining import Tellings, payload_of


def stream_of(roll: Roll) -> str:
    """Where a roll is told: to all, to the one who rolled and the GMs, or to the GMs alone, a player's blind roll included."""
    return {Audience.TABLE: TABLE, Audience.SELF: roll.by.stream, Audience.GM: GM}[Audience(roll.audience)]


def tell_roll(work: UnitOfWork, roll: Roll, kind: EventKind, tellings: Tellings, parent: Event | None = None) -> None:
    """Store a new roll and record its card, with what followed from it; then what add-ons tell beside it."""
    event = _record(work, roll, kind, roll_payload(roll) | payload_of(tellings), parent)
    for telling in tellings.values():
        if telling.follow:
            telling.follow(event)


def _record(work: UnitOfWork, roll: Roll, kind: EventKind, payload: dict[str, Any], parent: Event | None) -> Event:
    """Where a card says more to GMs than to others, it is told twice under one uid, the others' telling marked `less`."""
    subjects = [roll.character.subject] if roll.character else []
    stream = parent.stream.name if parent else stream_of(roll)
    for_gm = kind_of(roll).card_for_gm(roll)
    whole = payload | {"card": payload["card"] | for_gm}
    if stream == GM:
        payload, for_gm = whole, {}
    for_others = payload | {"less": True} if for_gm else payload
    roll.event = work.record(kind, for_others, stream=stream, subjects=subjects, parent=parent)
    roll.save(force_insert=True)
    if for_gm:
        work.record(kind, whole, stream=GM, subjects=subjects, parent=twin_of(parent))
    return roll.event


def twin_of(event: Event | None) -> Event | None:
    """The GMs' own telling of what this event tells with less in it; None where there is one telling for all."""
    if event is None or event.stream.name == GM:
        return None
    twins = Event.objects.filter(campaign=event.campaign_id, uid=event.uid, kind=event.kind, stream__name=GM)
    return twins.select_related("stream").first()
