"""What a GM does to a roll that has fallen: take it back, correct it or show it. Nothing is deleted; a new event says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Invalid, existing
from campaigns.models import Event, Role
from campaigns.models.log import person
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork, service
from rolls.events import REQUEST_CHANGED, ROLL_CORRECTED, ROLL_REVEALED, ROLL_VOIDED
from rolls.models import Audience, Roll
from rolls.registry import kind_of, table_of
from rolls.services import roll_writes
from rolls.services.cards import beside, card, mark, roll_payload, tell_roll, twin_of
from rolls.services.fairness import in_the_open
from rolls.services.procedure_rolls import check_held, recount, unwind
from rolls.services.request_events import tell_request
from rolls.services.roll_context import by_the_rules, short_note
from rolls.services.roll_making import next_id
from rolls.settings import roll_settings
from rolls.table_rules import Change, falling
from scale.services import moving


@service(Role.GM)
def void_roll(work: UnitOfWork, roll_id: UUID, *, reason: str = "", key: UUID) -> Roll:
    """Void a roll, with its costs and all that followed from it.

    Raises Blocked if something later depends on it.
    """
    roll = standing_roll(work, roll_id)
    void(work, roll, short_note(reason))
    return roll


@service(Role.GM)
def correct_roll(work: UnitOfWork, roll_id: UUID, changes: Mapping[str, Any], *, reason: str = "", key: UUID) -> Roll:
    """Read the same dice again with corrected terms: the roll is voided and the corrected one takes its place.

    What followed from the roll, and what it wrote on sheets, stays if it also follows from the corrected one, whatever
    happened since; otherwise it is undone, and what follows now happens as the newest.

    `changes` are the note and the terms that the roll's rules let be corrected; None leaves one as it was. Raises what
    `void_roll` raises, and Invalid for values that the rules do not allow.
    """
    old = _changeable(work, roll_id)
    roll = _corrected(work, old, next_id(work, "roll"), changes, may={"note", *table_of(old.system).correctable})
    with by_the_rules():
        roll.outcome = kind_of(roll).read(roll.ask, iter(roll.faces), roll_settings(roll.campaign)).outcome
    _replace(work, old, roll, short_note(reason))
    return roll


def _replace(work: UnitOfWork, old: Roll, roll: Roll, reason: str) -> None:
    """Store a roll in place of the one that it corrects, for a `reason` that a GM typed."""
    settings = roll_settings(work.campaign)
    result = roll.ask | roll.outcome
    kept = moving.kept(old.pk, roll.system, result, settings.scale) if roll.kind == old.kind else None
    take_back(work, old, {"reason": reason, "corrected": True}, stands=kept is not None)
    fallen = falling(
        work.campaign,
        roll.character,
        roll.system,
        roll.kind,
        Audience(roll.audience),
        settings,
        has_dice=bool(roll.faces),
    )
    if kept is None:
        moving.check_held(fallen)
    mark(roll, kept or moving.marks(fallen, result))
    counted = unwind(work, old, writes_stand=roll_writes.stand(old, roll))  # what came later is undone first
    roll_writes.rewrite(work, old, roll)
    if kept is None:
        moved = moving.moved(work, fallen, roll.pk, result, partial(in_the_open, work))
    else:
        moved = moving.taken_over(old.pk, roll.pk, roll.character)
    tell_roll(work, roll, ROLL_CORRECTED, moved, parent=old.event)
    recount(work, roll, counted)
    if old.revealed_at:
        _show(work, roll)


@service(Role.GM)
def reveal_roll(work: UnitOfWork, roll_id: UUID, *, key: UUID) -> Roll:
    """Reveal the whole card of a roll to everyone. It changes nothing else."""
    roll = standing_roll(work, roll_id)
    if roll.audience == Audience.TABLE or roll.revealed_at:
        raise Blocked(_("Everyone can already see this roll."))
    kind_of(roll).held(roll, Change.SHOW)
    for character in (roll.character, *kind_of(roll).names(roll)):
        if character is not None and character.is_hidden:
            words = _("Players don’t know {name} yet. Reveal {name} first.")
            raise Invalid(words.format(name=character.name))
    _show(work, roll)
    return roll


def _show(work: UnitOfWork, roll: Roll) -> None:
    roll.revealed_at = work.now
    roll.save(update_fields=["revealed_at"])
    subjects = [roll.character.subject] if roll.character else []
    payload = roll_payload(roll) | {"of": str(roll.event.uid) if roll.event else ""}
    work.record(ROLL_REVEALED, payload, stream=TABLE, subjects=subjects, parent=roll.event)
    if twin := twin_of(roll.event):
        work.record(ROLL_REVEALED, payload, stream=GM, subjects=subjects, parent=twin)


def _changeable(work: UnitOfWork, roll_id: UUID) -> Roll:
    """Return a roll that can be changed. Raises NotFound, or Blocked or Invalid if it cannot be changed."""
    roll = standing_roll(work, roll_id)
    kind_of(roll).held(roll, Change.CORRECT)
    check_held(roll)
    if not roll.faces:
        raise Invalid(_("This roll has no dice to read again. Void it instead."))
    return roll


def _corrected(work: UnitOfWork, old: Roll, roll_id: UUID, changes: Mapping[str, Any], *, may: Collection[str]) -> Roll:
    """Return the roll as it should have been; not stored yet, and its outcome not read. `may` are the terms that may change."""
    wanted = {name: value for name, value in changes.items() if value is not None}
    if unknown := wanted.keys() - {*may}:
        raise Invalid(_("This can’t be corrected. Void the roll instead."), field=min(unknown))
    ask = old.ask | wanted
    return Roll(
        pk=roll_id,
        campaign=work.campaign,
        character=old.character,
        by=old.by,
        system=old.system,
        kind=ask.get("kind", old.kind),
        audience=old.audience,
        ask=ask | {"note": short_note(ask["note"])},
        faces=old.faces,
        hand_rolled=old.hand_rolled,
        proof=old.proof,
        rerolls=old.rerolls,
        request=old.request,
        corrects=old,
        at=work.now,
    )


def standing_roll(work: UnitOfWork, roll_id: UUID) -> Roll:
    """Return a roll of this table. Raises NotFound, and Blocked if it was voided."""
    whole = Roll.objects.select_related("character__owner__user", "by__user", "request__member__user", "event__stream")
    roll = existing(whole.filter(campaign=work.campaign, pk=roll_id).first())
    if roll.voided_at:
        raise Blocked(_("This roll was already voided."))
    return roll


def void(work: UnitOfWork, roll: Roll, reason: str) -> None:
    """Void a roll for good: its writes on sheets are undone, and it is requested again, or the procedure that counted
    it goes on without it.
    """
    kind_of(roll).held(roll, Change.VOID)
    take_back(work, roll, {"reason": reason, "corrected": False})
    if roll.request and not roll.request.closed_at and not roll.request.procedure_id:
        tell_request(work, REQUEST_CHANGED, roll.request)
    recount(work, roll, unwind(work, roll))  # what came later is undone first
    roll_writes.unwrite(work, roll)


def take_back(work: UnitOfWork, roll: Roll, why: Mapping[str, Any], *, stands: bool = False) -> None:
    """Undo what the Scale did with a roll, unless that `stands` for the correcting one, and record that and `why` in all its
    streams.
    """
    undone = None if stands else moving.taken_back(work, roll.pk, roll.character)
    _tell(work, roll, why, beside(undone))
    if roll.event and undone and undone.follow:
        undone.follow(roll.event)


def _tell(work: UnitOfWork, roll: Roll, why: Mapping[str, Any], undone: Mapping[str, Any]) -> None:
    """Record in all streams of a roll that it is voided; the table also gets what was `undone`."""
    roll.voided_at = work.now
    roll.save(update_fields=["voided_at"])
    payload = {
        "roll": str(roll.pk),
        "system": roll.system,
        "character": roll.character.ref if roll.character else None,
        "who": person(roll.by),
        "kind": roll.kind,
        "outcome": roll.outcome["result"],
        "card": card(roll),
        **why,
        "back": kind_of(roll).taken_back(roll),
    }
    subjects = [roll.character.subject] if roll.character else []
    for event in told_in(roll):
        stream = event.stream.name
        whole = payload | {"of": str(event.uid)} | (dict(undone) if stream == TABLE else {})
        work.record(ROLL_VOIDED, whole, stream=stream, subjects=subjects, parent=event)


def told_in(roll: Roll) -> list[Event]:
    """Return the roll's event, the GMs' version of it, and the event that revealed it, as far as they exist."""
    shown = Event.objects.filter(parent=roll.event, stream__name=TABLE, kind=ROLL_REVEALED)
    return [event for event in (roll.event, twin_of(roll.event), *shown.select_related("stream")) if event]
