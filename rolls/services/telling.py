"""What the table hears of a roll: its card, and what it set off on the Scale, in the order in which it happened."""

from __future__ import annotations

from typing import Any

from campaigns.models import Event
from campaigns.models.log import GM, TABLE
from campaigns.services.log import About, Table
from rolls.models import Audience, Burn, Roll, Scale, Step
from rolls.rules import scale as rules
from rolls.services.cards import moved_facts, roll_facts
from rolls.services.facts import burn_facts, momentum_facts
from rolls.services.ledger import Changes, keep, next_number
from rolls.services.majors import consult_oracles
from rolls.services.scale import Feeding, Move, move, scale_facts
from rolls.services.systems import SYSTEMS
from rolls.settings import RollSettings

KINDS = {
    rules.Event.OFFER: "rolls.burn_offered",
    rules.Event.BOTH: "rolls.burn_fired",
    rules.Event.MAJOR: "rolls.major_burn",
}


def stream_of(roll: Roll) -> str:
    """Where a roll is told: to all, to the one who rolled and the GMs, or to the GMs alone, a player's blind roll included."""
    return {Audience.TABLE: TABLE, Audience.SELF: roll.by.stream, Audience.GM: GM}[Audience(roll.audience)]


def tell_roll(table: Table, roll: Roll, kind: str, feeding: Feeding | None, amends: Event | None = None) -> None:
    """Record the card of a roll, after it has moved the Scale it feeds."""
    if feeding is not None:
        _tell_moving(table, roll, kind, feeding, amends)
    else:
        _record(table, roll, kind, roll_facts(roll), amends)


def tell_again(table: Table, roll: Roll, kind: str, step: Step, amends: Event | None) -> None:
    """Record the card of a corrected roll whose `step` stands: what it did is told as it was then, the Scale as it is now."""
    told, character = step.event.facts, roll.character
    moved = {name: told["scale"][name] for name in ("before", "delta", "after", "step")}
    everybodys = {
        "scale": scale_facts(step.scale) | moved,
        "momentum": momentum_facts([character] if character else []),
        "rules": told["rules"],
    }
    _record(table, roll, kind, roll_facts(roll) | everybodys, amends)


def _tell_moving(table: Table, roll: Roll, kind: str, feeding: Feeding, amends: Event | None) -> None:
    """A roll that not everybody sees is told in its own stream; what it did to the Scale is everybody's, without its dice."""
    scale, changes = feeding.scale, Changes()
    moved = move(table, roll, feeding, changes)
    number = next_number(scale)
    everybodys = {
        "scale": moved_facts(scale, moved) | {"step": number},
        "momentum": momentum_facts([feeding.character]),
        "rules": decided(feeding.settings),
    }
    told = _record(table, roll, kind, roll_facts(roll) | everybodys, amends)
    if told.stream.name != TABLE:
        facts = {"character": feeding.character.ref} | everybodys
        told = table.record("rolls.scale_moved", facts, about=[feeding.character.about])
    keep(table, scale, changes, event=told, number=number, roll=roll)
    _tell_burns(table, scale, feeding.character.about, moved)


def _record(table: Table, roll: Roll, kind: str, facts: dict[str, Any], amends: Event | None) -> Event:
    """Where a card says more to GMs than to others, it is told twice under one uid, the others' telling marked `less`."""
    about = [roll.character.about] if roll.character else []
    stream = amends.stream.name if amends else stream_of(roll)
    for_gm = SYSTEMS[roll.system].card_for_gm(roll)
    if stream == GM:
        facts, for_gm = facts | for_gm, {}
    told = facts | {"less": True} if for_gm else facts
    roll.event = table.record(kind, told, stream=stream, about=about, amends=amends)
    roll.save(update_fields=["event"])
    if for_gm:
        table.record(kind, facts | for_gm, stream=GM, about=about, amends=twin_of(amends))
    return roll.event


def twin_of(event: Event | None) -> Event | None:
    """The GMs' own telling of what this event tells with less in it; None where there is one telling for all."""
    if event is None or event.stream.name == GM:
        return None
    twins = Event.objects.filter(campaign=event.campaign_id, uid=event.uid, kind=event.kind, stream__name=GM)
    return twins.select_related("stream").first()


def decided(settings: RollSettings) -> dict[str, bool]:
    """What the Scale went by when it moved, so that its log can be folded whatever is decided later."""
    chosen = settings.scale
    return {
        "cancelled_ones_count": chosen.cancelled_ones_count,
        "staying_is_reaching": chosen.staying_is_reaching,
        "major_clears_bank": chosen.major_clears_bank,
    }


def _tell_burns(table: Table, scale: Scale, whose: About, moved: Move) -> None:
    if moved.auto_banked:
        facts = {"automatic": True, "burns": [burn_facts(moved.auto_banked)], "scale": scale_facts(scale)}
        table.record("rolls.burn_banked", facts, about=[whose], amends=moved.auto_banked.event)
    if moved.event is None:
        return
    if moved.event is rules.Event.MAJOR:
        consult_oracles(table, moved.burns[-1], moved.before + moved.delta)
    burns = [burn_facts(burn) for burn in moved.burns]
    facts = {"how": moved.event.value, "burns": burns, "scale": scale_facts(scale)}
    if moved.event is rules.Event.MAJOR:
        facts["proof"] = moved.burns[-1].oracle["proof"]
    told = table.record(KINDS[moved.event], facts, about=[whose])
    Burn.objects.filter(pk__in=[burn.pk for burn in moved.burns], event=None).update(event=told)
