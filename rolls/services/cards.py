"""A roll's card: the payload of `rolls.roll_made`, as rolls/_roll_card.html draws it, kept for ever."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from campaigns.kinds import EventKind
from campaigns.models import Event, Membership
from campaigns.models.log import person
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork
from rolls.events import ROLL_MADE, described
from rolls.models import Audience, Roll, Witness
from rolls.registry import kind_of
from scale.events import NAME as SCALE
from scale.services.moving import Marks, Told


def roll_payload(roll: Roll) -> dict[str, Any]:
    """Return the card of a roll, without what the Scale did. `asides` say why it stayed out."""
    return {
        "roll": str(roll.pk),
        "system": roll.system,
        "character": roll.character.ref if roll.character else None,
        "who": person(roll.by),
        "kind": roll.kind,
        "note": roll.ask["note"],
        "outcome": roll.outcome["result"],
        "hand_rolled": roll.hand_rolled,
        "proof": roll.proof,
        "witness": _witness(roll),
        "audience": roll.audience,
        "asides": roll.outcome.get("asides", []),
        "card": card(roll),
    } | _seldom(roll)


def _seldom(roll: Roll) -> dict[str, Any]:
    """Return rarer fields of a roll: the player whose character a GM rolled for, the GM who rolled a player's
    roll, its rerolls, and blocks that a GM overrode.
    """
    played_by, overridden = rolled_for(roll), roll.ask.get("overridden")
    fields: dict[str, Any] = {"rolled_for": played_by} if played_by else {}
    if rolled_by := roll.ask.get("rolled_by"):
        fields["rolled_by"] = person(Membership.objects.select_related("user").get(pk=rolled_by))
    if roll.rerolls:
        fields["rerolls"] = roll.rerolls
    return fields | ({"overridden": overridden} if overridden else {})


def rolled_for(roll: Roll) -> dict[str, Any] | None:
    """Return the player of the character, if a GM who does not play it rolled; else None."""
    whose = roll.character
    if whose is None or whose.owner is None or not roll.by.is_gm or roll.by in whose.players:
        return None
    return person(whose.owner)


def card(roll: Roll) -> dict[str, Any]:
    """Return the card of a roll by its ruleset."""
    return kind_of(roll).card(roll)


def words_of(roll: Roll) -> str:
    """Return the words that name a roll, by rules that are installed."""
    payload = {"system": roll.system, "kind": roll.kind, "outcome": roll.outcome["result"], "card": card(roll)}
    return str(described(payload)["words"])


def witness_told(proof: dict[str, Any] | None, audience: str, by: Membership) -> dict[str, Any] | None:
    """Return {"by": person or None} for who witnessed a GM's dice; None if there is nothing to tell. A roll `by` a player
    may have been thrown by a GM.
    """
    if proof is None or audience != Audience.TABLE or not (by.is_gm or proof["actor"] != by.pk):
        return None
    return _witness_of(proof)


def _witness(roll: Roll) -> dict[str, Any] | None:
    """Return the witness of a roll, {"by": a person or None}: that of a rerolled throw if there is one, else that of
    the first; None if it has none.
    """
    told_of = witness_told(roll.proof, roll.audience, roll.by)
    again = [_witness_of(thrown["proof"]) for thrown in roll.rerolls if thrown["proof"]]
    return next((witness for witness in again if witness), told_of)


def _witness_of(proof: Mapping[str, Any]) -> dict[str, Any] | None:
    witness = Witness.objects.select_related("by__user").filter(pk=proof["roll"]).first()
    return {"by": person(witness.by) if witness.by else None} if witness else None


def stream_of(roll: Roll) -> str:
    """Return the stream of a roll: the table's, its roller's, or the GMs' (also for a player's blind roll)."""
    return {Audience.TABLE: TABLE, Audience.SELF: roll.by.stream, Audience.GM: GM}[Audience(roll.audience)]


def mark(roll: Roll, marks: Marks) -> None:
    """Write what the Scale reads from the dice into the outcome of a roll that is not stored yet."""
    if marks.given:
        pairs = zip(roll.outcome["dice"], marks.given, strict=True)
        roll.outcome["dice"] = [die | {"given": given, "given_to": SCALE} for die, given in pairs]
    if marks.aside:
        roll.outcome["asides"] = [{"add_on": SCALE, "why": marks.aside}]


def beside(told: Told | None) -> dict[str, Any]:
    """Return what the Scale did, as the payload of a roll has it."""
    return {"add_ons": {SCALE: dict(told.payload)} if told else {}}


def tell_roll(work: UnitOfWork, roll: Roll, kind: EventKind, moved: Told | None, parent: Event | None = None) -> None:
    """Store a new roll and record its card, with what the Scale did; then the Scale's own events."""
    event = _record(work, roll, kind, {**roll_payload(roll), **beside(moved)}, parent)
    if moved and moved.follow:
        moved.follow(event)


def _record(work: UnitOfWork, roll: Roll, kind: EventKind, payload: dict[str, Any], parent: Event | None) -> Event:
    """Record the card; if it says more to GMs than to others, twice under one uid, with `less` in the others' version."""
    subjects = [roll.character.subject] if roll.character else []
    stream = parent.stream.name if parent else stream_of(roll)
    for_gm = kind_of(roll).card_for_gm(roll)
    whole = payload | {"card": payload["card"] | for_gm}
    if stream == GM:
        payload, for_gm = whole, {}
    for_others = payload | {"less": True} if for_gm else payload
    by = roll.by if kind is ROLL_MADE else work.by  # a correction is of who corrects it
    roll.event = work.record(kind, for_others, stream=stream, subjects=subjects, parent=parent, by=by)
    roll.alike = _alike(roll)
    roll.save(force_insert=True)
    if for_gm:
        work.record(kind, whole, stream=GM, subjects=subjects, parent=twin_of(parent), by=by)
    return roll.event


def _alike(roll: Roll) -> int:
    """Return a digest of what statistics tell rolls apart by, beside whose they are: with notes no two would be alike."""
    terms = {name: value for name, value in roll.ask.items() if name not in ("note", "overridden", "rolled_by")}
    result = [roll.outcome.get(name) for name in ("result", "stress")]
    told_apart = json.dumps([roll.system, roll.kind, terms, *result], sort_keys=True)
    return int.from_bytes(blake2b(told_apart.encode(), digest_size=8).digest(), signed=True)


def twin_of(event: Event | None) -> Event | None:
    """Return the GMs' version of an event; None if there is one version for all."""
    if event is None or event.stream.name == GM:
        return None
    twins = Event.objects.filter(campaign=event.campaign_id, uid=event.uid, kind=event.kind, stream__name=GM)
    return twins.select_related("stream").first()
