"""Opening a procedure, acting in it, taking a step back, closing it (rolls/procedures.py says what one is)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid, NotFound
from campaigns.models import Event, Membership, Role, Written
from campaigns.models.members import TABLE
from campaigns.services.log import UnitOfWork, service
from campaigns.services.undo import caused, note, tell_undoable
from characters.models import Character
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED
from rolls.models import Procedure
from rolls.procedures import ProcedureKind
from rolls.queries.procedures import procedure_of
from rolls.queries.table import procedure_row
from rolls.registry import no_longer_installed, played, procedure_called
from rolls.services.procedure_state import Playing, change, drop, undo_step
from rolls.services.procedure_telling import Step
from rolls.services.roll_context import short_note
from rolls.services.rolls import standing_roll, void
from rules.acting import Standing
from rules.acts import ActKey, Actor, AvailableAct, Target
from rules.procedures import OPEN, TAKEN_BACK
from rules.table import Sheet

FIRST = gettext_lazy("Someone else acted first. Here’s where it stands now.")
NOT_NOW = gettext_lazy("That can’t be done now. Here’s where it stands now.")
CHANGED = gettext_lazy("This changed before you pressed it. Check what it says now, then choose again.")
LATEST = 60
"""Among how many of the newest events one looks for what became of an offer: it was there when the page was drawn."""


@service(Role.PLAYER, plays=True)
def open_procedure(
    work: UnitOfWork,
    system: str,
    kind: str,
    given: Mapping[str, Any],
    *,
    reason: str = "",
    key: UUID,
    client_seed: str = "",
) -> Procedure:
    """Open one of this kind with what its form says; what is left out is as in the untouched form. Raises Invalid for what
    the rules do not allow and for an NPC that players do not know, InvalidForm for a field that has to be filled in,
    NotFound for a kind that there is not, Forbidden for a role that may not."""
    rules = played(work.campaign, system).procedures.get(kind)
    if rules is None or OPEN not in rules.forms:
        raise NotFound
    if not Role(work.by.role).at_least(rules.opened_by):
        raise Forbidden(only_for(rules.opened_by))
    whole = rules.forms[OPEN].whole(given)
    procedure = Procedure(
        pk=work.key,
        campaign=work.campaign,
        system=system,
        kind=kind,
        reason=short_note(reason),
        opened_by=work.by,
        opened_at=work.now,
    )
    work.card = procedure.pk
    Playing(work, procedure, rules.rows()).take(whole, Step(act=OPEN, client_seed=client_seed))
    return procedure


@service(Role.PLAYER, plays=True)
def act(
    work: UnitOfWork,
    procedure_id: UUID,
    wanted: ActKey,
    *,
    given: Mapping[str, Any] | None = None,
    override: bool = False,
    key: UUID,
    client_seed: str = "",
) -> Procedure:
    """Take one step, judged by the state under the lock. `wanted` names the act and its target, with the mark of the
    terms seen; what is left out of `given` is as in the untouched form.

    With `override` a GM allows what a character's state forbids. Raises Conflict, saying what happened, if the offer is
    gone or has other terms; Blocked if the procedure is over or a state forbids it, Invalid if the rules do not allow
    it, Forbidden if it is for others to do.
    """
    procedure, rules = _open(work, procedure_id)
    playing = Playing(work, procedure, procedure_row(rules.rows, procedure), override=override and work.by.is_gm)
    playing.row.settle(playing.table)
    available = offered(procedure, rules, playing.standing, playing.table.by, wanted, by=work.by)
    form = rules.forms.get(available.name)
    step = Step(
        act=available.name,
        target=available.target,
        instead_of=_instead_of(work, rules.party(playing.standing, available.target)[1]),
        client_seed=client_seed,
        override=playing.override,
        key=str(available.key),
    )
    playing.take(form.whole(given or {}) if form else {}, step)
    return procedure


@service(Role.GM)
def take_back_step(work: UnitOfWork, procedure_id: UUID, *, step: UUID | None, key: UUID) -> Procedure:
    """Take the newest step back, as `take_back` does."""
    return take_back(work, procedure_id, step)


def take_back(work: UnitOfWork, procedure_id: UUID, step: UUID | None) -> Procedure:
    """Take the newest step back inside an operation: a roll is voided, an act is undone. A procedure that it finished goes on.

    Raises Conflict where another is the newest than the `step` that was seen, Blocked before the first step and where the
    procedure was ended otherwise since.
    """
    procedure, rules = _found(work, procedure_id)
    if procedure.dropped:
        raise Blocked(_ended(procedure))
    newest = procedure.steps.select_related("roll__request").last()
    if newest is None or newest.opens:
        raise Blocked(_("There’s nothing to undo here yet. End it if it was started by mistake."))
    if newest.uid != step:
        raise Conflict(
            str(FIRST)
            if step and procedure.steps.filter(uid=step).exists()
            else _("That step has already been undone.")
        )
    if newest.roll_id:
        void(work, standing_roll(work, newest.roll_id), "")
        return Procedure.objects.get(pk=procedure.pk)
    undo_step(work, newest)
    newest.delete()
    procedure.state = newest.before or {}
    change(work, procedure, rules, Step(act=TAKEN_BACK))
    return procedure


@service(Role.GM)
def close_procedure(work: UnitOfWork, procedure_id: UUID, *, key: UUID) -> Procedure:
    """End a procedure in its current state. Raises Blocked if it is already over."""
    procedure, rules = _open(work, procedure_id)
    thing = f"procedure:{procedure.pk}"
    with caused(work, work.key):
        note(work, thing, "over", before=[False], after=[True])
    tell_undoable(work, work.key, thing, drop(work, procedure, rules))
    return procedure


def _open(work: UnitOfWork, procedure_id: UUID) -> tuple[Procedure, ProcedureKind]:
    """Return an open procedure with its rules. Raises Blocked if it is over, and what `_found` raises."""
    found, rules = _found(work, procedure_id)
    if found.closed_at:
        raise Blocked(is_over(found))
    return found, rules


def _found(work: UnitOfWork, procedure_id: UUID) -> tuple[Procedure, ProcedureKind]:
    """Return a procedure with its rules. Raises NotFound if the member may not see it, Invalid if its rules are missing."""
    found = procedure_of(work.campaign, procedure_id)
    if found is None or not (work.by.is_gm or found.stream in (TABLE, work.by.stream)):
        raise NotFound
    rules = procedure_called(found.system, found.kind)
    if rules is None:
        raise Invalid(no_longer_installed(found.system))
    work.card = found.pk
    return found, rules


def _instead_of(work: UnitOfWork, character: str | None) -> Membership | None:
    """Return the player for whom a GM acts; None if the character is the GM's own or has no player."""
    if character is None or not work.by.is_gm:
        return None
    found = Character.objects.filter(campaign=work.campaign, pk=character).with_related().first()
    players = [member for member in found.players if member.left_at is None] if found else []
    return players[0] if players and work.by not in players else None


# Whether an act is still possible


def offered(
    procedure: Procedure,
    rules: ProcedureKind,
    state: Standing,
    who: Actor,
    wanted: ActKey,
    *,
    by: Membership,
) -> AvailableAct:
    """Return the offer in this state for the actor.

    Raises Forbidden if it is for others, and Conflict if it is gone, or its terms differ from the mark in `wanted`
    (None accepts any).
    """
    found = rules.find(state, who, wanted)
    if found is None:
        if why := rules.why_not(state, who, wanted):
            raise Conflict(why)
        players = Actor(characters=frozenset(sheet.id for sheet in state.table.all(Sheet)))
        for other in (Actor(is_gm=True), players):
            if theirs := rules.find(state, other, wanted):
                raise Forbidden(_whose(rules, state, theirs.target))
        raise Conflict(_became(procedure, wanted, rules, state, by) or str(NOT_NOW))
    if wanted.mark is not None and wanted.mark != found.mark:
        raise Conflict(_became(procedure, wanted, rules, state, by) or str(CHANGED))
    return found


def only_for(role: Role) -> str:
    """Return the message for someone whose role is lower than this one."""
    return _("Only a GM can do that.") if role is Role.GM else _("Spectators can’t do that.")


def is_over(procedure: Procedure) -> str:
    """Return the message for someone who acts in a procedure that is over, with its last line."""
    last = next(_told(procedure), None)
    said = last.described["said"] if last else ""
    return _("This is over. {said}").format(said=said) if said else _("This is over.")


def _ended(procedure: Procedure) -> str:
    """Return the message for a GM who undoes a step of a procedure that another one has ended."""
    ends = Written.objects.filter(
        campaign=procedure.campaign, thing=f"procedure:{procedure.pk}", path="over", told=None
    )
    by = Procedure.objects.filter(steps__uid__in=ends.values("cause")).last()
    rules = procedure_called(by.system, by.kind) if by else None
    return _("“{name}” ended this. Undo that first.").format(name=rules.label) if rules else is_over(procedure)


def _whose(rules: ProcedureKind, state: Standing, target: Target) -> str:
    name, character = rules.party(state, target) if target else ("", None)
    if not character:
        return _("Only a GM can do that.")
    return _("Only the GM or whoever plays {name} can do that.").format(name=name)


def _became(procedure: Procedure, wanted: ActKey, rules: ProcedureKind, state: Standing, by: Membership) -> str:
    """Return what became of an act: who has done it in the newest operation, or what somebody else did instead; "" for
    neither.
    """
    whom, newest, other = rules.party(state, wanted.parts)[0] if wanted.parts else "", None, ""
    for event in _told(procedure):
        newest = newest or event.at
        if event.at != newest:
            break
        act, said, own = event.payload["act"], event.described["said"], event.actor_id == by.pk
        if said and (act["name"], act["whom"]) == (wanted.name, whom):
            words = _("You’ve already settled this. {said}") if own else _("{name} has already settled this. {said}")
            return words.format(name=event.payload["by"]["name"], said=said)
        if said and not own and not other:
            words = _("{name} acted first. {said} Here’s where it stands now.")
            other = words.format(name=event.payload["by"]["name"], said=said)
    return other


def _told(procedure: Procedure) -> Iterator[Event]:
    """Yield the procedure's events, newest first."""
    kinds = (PROCEDURE_CHANGED, PROCEDURE_CLOSED)
    there = Event.objects.filter(campaign=procedure.campaign_id, stream__name=procedure.stream, kind__in=kinds)
    newest = there.select_related("stored").order_by("-seq")[:LATEST]
    return (one for one in newest if one.is_readable and one.payload["procedure"]["id"] == str(procedure.pk))
