"""Making a roll: dice, outcome and what the Scale lets follow from it in one transaction, told to those it is for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import Any
from uuid import UUID, uuid5

from campaigns.kinds import EventKind
from campaigns.models import Event, Membership, Role, Written
from campaigns.models.log import person
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork
from campaigns.services.undo import Journal, caused, undo
from characters.models import Character
from characters.reasons import ROLL_CORRECTED, ROLL_TAKEN_BACK, Reason
from characters.services.sheet_writes import get_character, take_steps
from characters.sheets.steps import earlier_note
from rolls.events import ROLL_MADE, described
from rolls.models import Audience, Procedure, Roll, RollRequest, Witness
from rolls.registry import kind_of, played
from rolls.services.fairness import DiceRequest, Thrown, in_the_open, throw_dice
from rolls.services.roll_context import (
    by_the_rules,
    context_of_procedure,
    keep_hidden,
    or_override,
    roll_context,
    short_note,
)
from rolls.settings import roll_settings
from rolls.table_rules import Outcome, PreparedRoll, RollContext, RollInput, as_asked
from rules.acts import Actor
from rules.dice import typed
from rules.effects import Write
from scale.events import NAME as SCALE
from scale.services import moving
from scale.services.moving import Falling, Marks, Told

# The data of one operation on rolls and procedures: kept in its UnitOfWork, and gone with it.


@dataclass
class RollOperation:
    """An operation's throws, reads and changes; the changes are processed before the commit (settings.BEFORE_COMMIT)."""

    throws: int = 0
    ids_made: Counter[str] = field(default_factory=Counter)
    """The number of ids that procedures have asked for, by purpose."""
    ended: list[Procedure] = field(default_factory=list)
    """Procedures that have ended in this operation."""
    seen_otherwise: set[str] = field(default_factory=set)
    """What was written that cards of procedures may show: the ids of procedures that were told, and "" for all else."""
    actors: Mapping[int, Actor] | None = None
    """The players with the characters that they act for, once they were read, until somebody comes, leaves or changes hands."""
    characters: dict[str, list[Character]] = field(default_factory=dict)
    """The characters of a game by its name, once they were read, for as long as the same are there."""
    changed_players: dict[str, None] = field(default_factory=dict)
    """Characters who are played by others from now on, in the order in which that was said."""


# A roll's card: the payload of `rolls.roll_made`, as rolls/_roll_card.html draws it, kept for ever.


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
        by = Membership.objects.numbered(roll.campaign_id, rolled_by)
        fields["rolled_by"] = person(by) if by else None
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
    if proof is None or audience != Audience.TABLE or not (by.is_gm or proof["actor"] != by.number):
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


# A roll's writes on sheets (`TableRules.writes`): done in its own transaction for a cause of their own, with what follows from
# them, and undone with it.


def write(work: UnitOfWork, roll: Roll) -> None:
    """Write what a roll says that is not stored yet. Raises Invalid for what a sheet cannot hold."""
    wanted = _wanted(roll)
    roll.written = [{"write": as_asked(one), "cause": str(roll.pk)} for one in wanted]
    with caused(work, roll.pk):
        for one in wanted:
            take_steps(work, get_character(work, Character(pk=UUID(one.character))), one.steps, why=one.why)
    roll.notes = [one for one in work.state(Journal).written if one.cause == roll.pk]


def unwrite(work: UnitOfWork, roll: Roll, why: Reason = ROLL_TAKEN_BACK) -> None:
    """Undo what a roll has written and what has followed from that, the last first. Raises Conflict where something else was
    written since in the same place."""
    for cause in reversed(dict.fromkeys([*(one["cause"] for one in roll.written or ()), str(roll.pk)])):
        undo(work, UUID(cause), why)


def rewrite(work: UnitOfWork, old: Roll, new: Roll) -> None:
    """Undo what a corrected roll has written, and write what its dice come to now. If that is the same, all of it stands,
    whatever has happened on the sheets since. Raises what `write` and `unwrite` raise."""
    before, wanted = old.written or [], _wanted(new)
    if len(before) == len(wanted) and all(map(_says, before, wanted)):
        new.written = before
        return
    unwrite(work, old, ROLL_CORRECTED)
    write(work, new)


def step_on(roll: Roll, character: str, address: str) -> dict[str, Any] | None:
    """Return the value {"before", "after"} of a field that a roll wrote on a character, by its id; None if it did not."""
    found = (one for one in roll.notes if (one.thing, one.path) == (f"sheet:{character}", address))
    return next(({"before": one.before[0], "after": one.after[0]} for one in found), None)


def _wanted(roll: Roll) -> list[Write]:
    return list(kind_of(roll).writes(roll))


def adopt(work: UnitOfWork, roll: Roll) -> None:
    """Note what a roll wrote whose version kept nothing of it, as its rules say."""
    if roll.written is None:
        roll.written = []
        for at, wrote in enumerate(kind_of(roll).wrote(roll)):
            cause, thing = uuid5(roll.pk, f"earlier write {at}"), f"sheet:{wrote['done']['character']}"
            named = {"campaign": work.campaign, "cause": cause, "thing": thing}
            Written.objects.bulk_create(Written(**named, **earlier_note(step)) for step in wrote["done"]["steps"])
            roll.written.append({"write": wrote["write"], "cause": str(cause)})
        roll.save(update_fields=["written"])


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
    write(work, roll)
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
    rolled_by = {} if by == work.by or throw.by_step else {"rolled_by": work.by.number}
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
        actor=work.by.number,
        id=throw.id,
        spec=plan.dice.spec,
        client_seed=throw.client_seed,
    )
    return throw_dice(work, asked, plan.audience or audience)


def _says(written: dict[str, Any], wanted: Write) -> bool:
    """Return whether this is what was written; versions before 1.0 kept more of it."""
    return as_asked(wanted).items() <= written["write"].items()
