"""Making a roll, with all that follows from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Forbidden, Invalid, existing
from campaigns.models import Event, EventIndex, Role
from campaigns.models.log import person
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork, service
from rolls.events import REQUEST_CHANGED, ROLL_CORRECTED, ROLL_REVEALED, ROLL_VOIDED, WITNESS_ASKED, WITNESS_GIVEN
from rolls.models import Audience, Roll, SavedRoll, Witness
from rolls.registry import kind_of, played, table_of
from rolls.services import roll_making
from rolls.services.fairness import epoch_for, in_the_open, players_here
from rolls.services.procedure_reading import check_held, follow, recount, rolled, unwind
from rolls.services.roll_context import answer, by_the_rules, controlled_character, short_note, tell_request
from rolls.services.roll_making import (
    NewRoll,
    beside,
    card,
    make,
    mark,
    next_id,
    planned,
    roll_payload,
    tell_roll,
    twin_of,
)
from rolls.settings import roll_settings
from rolls.table_rules import Change, RollInput, falling
from scale.services import moving


@service(Role.PLAYER, plays=True)
def make_roll(
    work: UnitOfWork,
    ask: RollInput,
    *,
    audience: Audience,
    key: UUID,
    faces: Sequence[int] | None = None,
    client_seed: str = "",
) -> Roll:
    """Roll the dice. `faces` are those of a physical table, as many as the roll has dice; None lets the server roll, and mix in
    the 32 hex digits that the browser made up for this roll.

    The Scale moves now, and a procedure that settles what follows from the roll begins. A roll that answers
    a request has the request's audience and terms. Raises what `roll_context` and the rules' `plan` raise, and Invalid for faces
    that cannot be and for points that are not there.
    """
    context, plan = planned(work, ask, audience)
    new = NewRoll(id=next_id(work, "roll"), faces=faces, client_seed=client_seed)
    work.card = (context.request and context.request.procedure_id) or new.id
    roll = make(work, ask, context, plan, new)
    if context.request and context.request.procedure_id:
        rolled(work, roll)
        return roll
    if context.request:
        answer(work, context.request)
    follow(work, roll)
    return roll


# What a GM does to a roll that has fallen: take it back, correct it or show it. Nothing is deleted; a new event says so.


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
    """Undo a roll and make it again of the same dice with corrected terms.

    Its move of the Scale stands if the dice give the same, and so does what it wrote on sheets, each as a whole and whatever
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
    counted = unwind(work, old)  # what came later is undone first
    roll_making.rewrite(work, old, roll)
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
    roll_making.adopt(work, roll)
    work.card = work.card or EventIndex.objects.filter(event=roll.event).values_list("card", flat=True).first()
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
    roll_making.unwrite(work, roll)


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


# Saved rolls of a character. No event is recorded, because nothing has happened at the table.


MOST_SAVED: Final = 20
"""The most saved rolls of one member for one character."""


@service(Role.PLAYER)
def save_roll(
    work: UnitOfWork, character: UUID, name: str, system: str, fields: Mapping[str, str], *, key: UUID
) -> SavedRoll:
    """Save the fields of a system's roll form by a name, for a character that the member rolls for.

    Raises NotFound for a character that is not theirs, Invalid for an empty or repeated name, and for too many saved rolls.
    """
    controlled, name = controlled_character(work, character), name.strip()
    saved = SavedRoll.objects.filter(character=controlled, by=work.by)
    if not name or len(name) > SavedRoll.LONGEST_NAME:
        raise Invalid(
            _("Enter a name of up to {count} characters.").format(count=SavedRoll.LONGEST_NAME), field="called"
        )
    if saved.filter(name=name).exists():
        raise Invalid(
            _("You already have a saved roll with this name. Choose another, or remove that one first."), field="called"
        )
    if saved.count() >= MOST_SAVED:
        words = _("{name} already has {count} saved rolls. Remove one first.")
        raise Invalid(words.format(name=controlled.name, count=MOST_SAVED), field="called")
    return SavedRoll.objects.create(
        id=work.key,
        character=controlled,
        by=work.by,
        name=name,
        system=played(work.campaign, system).name,
        fields=dict(fields),
        saved_at=work.now,
    )


@service(Role.PLAYER)
def forget_roll(work: UnitOfWork, saved: UUID, *, key: UUID) -> None:
    """Delete a saved roll. Raises NotFound for one that does not exist or is another member's."""
    current = existing(SavedRoll.objects.filter(character__campaign=work.campaign, by=work.by, pk=saved).first())
    current.delete()


# Witnesses of a GM's rolls: before the dice fall, a player's browser adds a seed of its own (docs/fairdice.md).
#
# What the GM's side gives is in the log before anybody is asked, so that it cannot be chosen to fit what the witness gives.


WAITS = timedelta(seconds=5)
"""A GM's page waits for three seconds (witness.js); answers already under way then still count."""


@service(Role.GM)
def ask_witness(
    work: UnitOfWork,
    ask: RollInput,
    *,
    audience: Audience,
    roll_id: UUID,
    key: UUID,
    faces: Sequence[int] | None = None,
    client_seed: str = "",
) -> Witness | None:
    """Ask the players' browsers for a seed for the roll that will have this id; the rest is as for `make_roll`.

    Return None, without telling anyone, if no player is connected or the roll needs no witness: one that not everyone
    sees, that has no server dice, or that has fallen. Raises what `make_roll` raises before its dice fall.
    """
    context, plan = planned(work, ask, audience)
    everybodys = (plan.audience or context.audience) is Audience.TABLE
    if not everybodys or not plan.count or faces is not None or not players_here(work.campaign):
        return None
    epoch, spec = epoch_for(work, Audience.TABLE), plan.dice.spec
    if epoch is None or Roll.objects.filter(pk=roll_id).exists() or Witness.objects.filter(pk=roll_id).exists():
        return None
    witness = Witness.objects.create(
        roll=roll_id, epoch=epoch, asked_by=work.by, client_seed=client_seed, spec=spec, asked_at=work.now
    )
    work.record(WITNESS_ASKED, {"roll": str(roll_id), "epoch": epoch.name, "client": client_seed, "spec": spec})
    return witness


@service(Role.PLAYER)
def give_witness(work: UnitOfWork, roll_id: UUID, *, seed: str, key: UUID) -> Witness:
    """Add this seed (32 hex digits) to the dice of a GM's roll.

    The first seed counts; later ones change nothing and raise nothing, because pages answer by themselves. Raises
    NotFound if no witness was asked for this roll, Forbidden for GMs.
    """
    witness = existing(Witness.objects.filter(pk=roll_id, epoch__campaign=work.campaign).first())
    if work.by.is_gm:
        raise Forbidden(_("Only a player can verify a GM’s roll."))
    late = work.now > witness.asked_at + WAITS
    if late or witness.seed or Roll.objects.filter(pk=roll_id).exists():
        return witness
    witness.seed, witness.by = seed, work.by
    witness.save(update_fields=["seed", "by"])
    work.record(WITNESS_GIVEN, {"roll": str(roll_id), "seed": seed, "who": person(work.by)})
    return witness
