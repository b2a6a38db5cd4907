"""What is done to a roll that has fallen: a GM takes it back, corrects it or shows it, and a step of a procedure amends it.
Nothing is deleted; a new event says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from itertools import chain
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Conflict, Invalid, NotFound, existing
from campaigns.models import Event, Role
from campaigns.models.log import person
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork, service
from characters.reasons import TAKEN_BACK
from rolls.events import REQUEST_CHANGED, ROLL_CORRECTED, ROLL_REVEALED, ROLL_VOIDED
from rolls.models import Audience, Roll
from rolls.moves import told
from rolls.registry import RULESETS, kind_of, table_of
from rolls.services import roll_writes
from rolls.services.cards import beside, card, mark, roll_payload, tell_roll, twin_of
from rolls.services.dice import DiceRequest
from rolls.services.fairness import in_the_open, throw_dice
from rolls.services.operation import Amendment, RollOperation
from rolls.services.procedure_rolls import check_held, own_step, read_again, recount, unwind
from rolls.services.procedure_state import undo_step
from rolls.services.request_events import tell_request
from rolls.services.roll_context import by_the_rules, short_note
from rolls.services.roll_making import next_id
from rolls.settings import roll_settings
from rolls.table_rules import Change, falling
from rules.dice import Dice, Die
from rules.effects import Amend
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
    _read(roll)
    _replace(work, old, roll, reason=short_note(reason))
    return roll


def amend_due(work: UnitOfWork) -> bool:
    """Amend the rolls that steps of procedures amend (`Amend`), and put back those whose step is undone. Return whether there
    were any (settings.BEFORE_COMMIT)."""
    operation = work.state(RollOperation)
    due, operation.amendments = operation.amendments, []
    for amendment in due:
        if amendment.effect:
            _amend(work, amendment, amendment.effect)
        else:
            _put_back(work, amendment)
    return bool(due)


def _amend(work: UnitOfWork, amendment: Amendment, effect: Amend) -> None:
    """Replace a roll by a corrected one for a step of a procedure.

    Raises NotFound for a roll that some who see the procedure cannot see; Blocked for one that was voided, that cannot
    be changed any more, or whose dice to reroll were rolled by hand; Invalid for what its rules do not allow.
    """
    roll_id, seen_in = UUID(effect.roll), (TABLE, amendment.stream)
    # Of others not even why they cannot be changed is said.
    if amendment.stream != GM and not Roll.objects.filter(pk=roll_id, event__stream__name__in=seen_in).exists():
        raise NotFound
    old = _changeable(work, roll_id, amendment.procedure)
    roll = _corrected(work, old, amendment.becomes, effect.changes, may=table_of(old.system).correctable)
    if effect.again:
        _throw_again(work, roll, effect.again, amendment.client_seed)
    else:
        _read(roll)
    by_step = {"why": effect.why.code, "dice": len(effect.again)}
    _replace(work, old, roll, amended=by_step, procedure=amendment.procedure)


def _put_back(work: UnitOfWork, amendment: Amendment) -> None:
    """Give a roll the dice and terms that it had before it was amended; nothing where it was taken back for good. Raises Conflict
    where it was changed otherwise since."""
    amended = Roll.objects.select_related("corrects").get(campaign=work.campaign, pk=amendment.roll)
    standing, former = amended, amended.corrects
    while standing.voided_at and (later := Roll.objects.filter(corrects=standing).first()):
        standing = later
    if standing.voided_at or former is None:
        return
    if (standing.ask, standing.faces) != (amended.ask, amended.faces):
        raise Conflict(_("This roll was corrected since. Correct it back first, or void it."))
    old = _changeable(work, standing.pk, amendment.procedure)
    roll = _corrected(work, old, amendment.becomes, {}, may=())
    roll.kind, roll.ask, roll.faces, roll.rerolls = former.kind, former.ask, former.faces, former.rerolls
    _read(roll)
    by_step = {"why": TAKEN_BACK.code, "dice": 0}
    _replace(work, old, roll, amended=by_step, procedure=amendment.procedure, is_undone=True)


def _throw_again(work: UnitOfWork, roll: Roll, again: Collection[int], client_seed: str) -> None:
    """Throw some dice of a roll again, which is not stored yet, and read it. Where the rules take more dice then, these fall with
    them, and are like the last."""
    if roll.hand_rolled:
        raise Blocked(_("These dice were rolled by hand. Void the roll, and enter it again."))
    if len({*again}) < len(again) or not {*again} <= {*range(len(roll.faces))}:
        raise Invalid(_("This roll has no such dice."))
    settings = roll_settings(work.campaign)
    sides = RULESETS[roll.system].expectation.sides(roll.kind, roll.ask, settings)
    each = [sides] if isinstance(sides, int) else [*sides]
    dice = Dice(count=0, also=tuple(Die(each[min(at, len(each) - 1)]) for at in again))
    throw = DiceRequest(
        campaign=work.campaign.pk, actor=work.by.pk, id=roll.pk, spec=dice.spec, client_seed=client_seed
    )
    thrown = throw_dice(work, throw, Audience(roll.audience))
    before, faces = [roll.faces[at] for at in again], [*roll.faces]
    for at, face in zip(again, thrown, strict=False):
        faces[at] = face
    with by_the_rules():
        reading = kind_of(roll).read(roll.ask, chain(faces, thrown), settings)
    roll.faces, roll.outcome = list(reading.faces), reading.outcome
    told_again = {"at": [*again], "before": before, "faces": roll.faces, "proof": thrown.proof}
    roll.rerolls = [*roll.rerolls, told_again]


def _read(roll: Roll) -> None:
    """Read the dice of a roll that is not stored yet."""
    with by_the_rules():
        roll.outcome = kind_of(roll).read(roll.ask, iter(roll.faces), roll_settings(roll.campaign)).outcome


def _replace(
    work: UnitOfWork,
    old: Roll,
    roll: Roll,
    *,
    reason: str = "",
    amended: Mapping[str, Any] | None = None,
    procedure: str = "",
    is_undone: bool = False,
) -> None:
    """Store a roll in place of the one that it corrects: for a `reason` that a GM typed, or because a step of a
    `procedure` has `amended` it or is undone.

    A reroll drops what the Scale made of the former dice, so that whether it is refused does not depend on the new ones.
    """
    settings = roll_settings(work.campaign)
    result, by_step = roll.ask | roll.outcome, {"amended": amended} if amended else {}
    is_same = roll.rerolls == old.rerolls and roll.kind == old.kind
    kept = moving.kept(old.pk, roll.system, result, settings.scale) if is_same else None
    take_back(work, old, {"reason": reason, "corrected": True} | by_step, stands=kept is not None)
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
    own = own_step(old, procedure)
    if own is None:
        counted = unwind(work, old, writes_stand=roll_writes.stand(old, roll))  # what came later is undone first
    else:
        undo_step(work, own)
    roll_writes.rewrite(work, old, roll)
    if kept is None:
        moved = moving.moved(work, fallen, roll.pk, result, partial(in_the_open, work))
    else:
        moved = moving.taken_over(old.pk, roll.pk, roll.character)
    tell_roll(work, roll, ROLL_CORRECTED, moved, parent=old.event, **by_step)
    if own is None:
        recount(work, roll, counted)
    else:
        read_again(work, own, roll, is_undone=is_undone)
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


def _changeable(work: UnitOfWork, roll_id: UUID, procedure: str = "") -> Roll:
    """Return a roll that can be changed, also by a step of the `procedure` that went on from it. Raises NotFound, or
    Blocked or Invalid if it cannot be changed.
    """
    roll = standing_roll(work, roll_id)
    kind_of(roll).held(roll, Change.CORRECT)
    check_held(roll, procedure)
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
        **told(roll.ask, roll.outcome["result"]),
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
