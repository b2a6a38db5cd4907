"""Procedures that depend on sheets, other procedures and the scene: read again when these change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked
from campaigns.events import (
    CLOCK_ARCHIVED,
    CLOCK_CHANGED,
    CLOCK_TICKED,
    MEMBER_JOINED,
    MEMBER_LEFT,
    MEMBER_REMOVED,
    ROLE_CHANGED,
    SCENE_CLOSED,
)
from campaigns.kinds import on_event
from campaigns.models import Event, Role, Written
from campaigns.models.members import TABLE
from campaigns.services.log import UnitOfWork
from campaigns.services.undo import caused
from characters import events as characters
from characters.models import Character
from characters.services.sheet_writes import get_character, remember, sheet_written, take_written
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED, SETTINGS_CHANGED
from rolls.models import Procedure, ProcedureStep, Roll, RollRequest
from rolls.procedures import ProcedureKind
from rolls.queries.table import procedure_row, under_way
from rolls.registry import RULESETS, kind_of, procedure_called, procedures_of, rules_of
from rolls.services.procedure_state import (
    OperationTable,
    Playing,
    begin_by_rules,
    change,
    drop,
    redraw,
    rewind,
    undo_step,
)
from rolls.services.procedure_telling import Step
from rolls.services.roll_context import answer, close
from rolls.services.roll_making import RollOperation, stream_of
from rules.procedures import RECOUNTED, TAKEN_BACK
from scale.services.scale import Carried

# Open requests and procedures when somebody joins, leaves, or plays another character: they are told again.


@on_event(MEMBER_LEFT, MEMBER_REMOVED)
def _gone(work: UnitOfWork, event: Event) -> None:
    """Update requests and procedures after a member left, at once: nothing runs after the last act of a deleted account."""
    if work.campaign.archived_at:
        return
    gone = event.payload["who"]["member"]
    _requests_without(work, gone)
    redraw(work, under_way(work.campaign))
    _rules_tell_anew(work)


@on_event(ROLE_CHANGED)
def _role_changed(work: UnitOfWork, event: Event) -> None:
    payload = event.payload
    _requests_without(work, payload["who"]["member"] if payload["role"] == Role.SPECTATOR else None)


@on_event(MEMBER_JOINED)
def _joined(work: UnitOfWork, event: Event) -> None:
    _requests_without(work, None)


def _requests_without(work: UnitOfWork, gone: int | None) -> None:
    """Close the requests to a member who left; those to every player are for whoever is here now."""
    open_requests = RollRequest.objects.filter(campaign=work.campaign, closed_at=None, procedure=None)
    for request in open_requests.select_related("member__user", "character"):
        if request.member_id is None:
            answer(work, request)
        elif request.member and request.member.number == gone:
            close(work, request)


def character_changed(work: UnitOfWork, event: Event) -> None:
    """Note a character whose players changed: they may act for it from now on, and are asked."""
    card, before = event.payload["card"], event.payload["before"]
    if card and before and any(card[who] != before[who] for who in ("whose", "also")):
        work.state(RollOperation).changed_players[card["id"]] = None


def tell_players_changed(work: UnitOfWork) -> bool:
    """Tell the rules whose characters changed hands (settings.BEFORE_COMMIT). Return whether there were any."""
    operation = work.state(RollOperation)
    changed, operation.changed_players = operation.changed_players, {}
    if changed:
        _rules_tell_anew(work)
    return bool(changed)


def _rules_tell_anew(work: UnitOfWork) -> None:
    for rules in rules_of(work.campaign):
        rules.players_changed(work)


def seen_otherwise(work: UnitOfWork, event: Event) -> None:
    """Note that something was written that cards of procedures may show (`SHOWN`): of a procedure, how it stands, or else."""
    if procedures_of(work.campaign.systems):
        told = event.payload["procedure"]["id"] if event.kind in TOLD else ""
        work.state(RollOperation).seen_otherwise.add(told)
    if event.kind in OF_ACTORS:
        work.state(RollOperation).actors = None
        work.state(RollOperation).characters.clear()


def redraw_changed(work: UnitOfWork) -> bool:
    """Let open procedures follow what the operation has written, and tell those again that are seen otherwise since
    (settings.BEFORE_COMMIT): one that was told is not read again where nothing else was written. Return whether anything was
    written."""
    operation, burned = work.state(RollOperation), work.state(Carried)
    otherwise = operation.seen_otherwise | ({""} if burned.changed else set())
    operation.seen_otherwise, burned.changed = set(), set()
    if otherwise:
        redraw(work, (one for one in under_way(work.campaign) if otherwise - {str(one.pk)}))
    return bool(otherwise)


def _scene_closed(work: UnitOfWork, event: Event) -> None:
    for procedure in under_way(work.campaign):
        if rules := procedure_called(procedure.system, procedure.kind):
            Playing(work, procedure, procedure_row(rules.rows, procedure)).end_scene()


def _card_changed(work: UnitOfWork, event: Event) -> None:
    character_changed(work, event)
    _comes_into_play(work, event)


def _comes_into_play(work: UnitOfWork, event: Event) -> None:
    """Check the sheet of a character that came into play, or into a player's hands: its rules apply from now on."""
    sheet_written(work, get_character(work, Character(pk=UUID(event.payload["character"]["id"]))))


def _settings_changed(work: UnitOfWork, event: Event) -> None:
    """Check every sheet after a change of settings: a track may be shorter now."""
    if _settling(work):
        for there in Character.objects.active().filter(campaign=work.campaign).with_related().with_rows():
            sheet_written(work, remember(work, there))


SIGNALS = {
    SETTINGS_CHANGED: _settings_changed,
    SCENE_CLOSED: _scene_closed,
    characters.CHARACTER_CHANGED: _card_changed,
    characters.CHARACTER_MADE: _comes_into_play,
    characters.CHARACTER_RETURNED: _comes_into_play,
}

OF_ACTORS = frozenset(
    {
        characters.CHARACTER_CHANGED,
        characters.CHARACTER_MADE,
        characters.CHARACTER_RETURNED,
        characters.CHARACTER_RETIRED,
        characters.CHARACTER_DIED,
        characters.CHARACTER_DELETED,
        MEMBER_JOINED,
        MEMBER_LEFT,
        MEMBER_REMOVED,
        ROLE_CHANGED,
    }
)
"""The events after which others may act for a character."""
TOLD = (PROCEDURE_OPENED, PROCEDURE_CHANGED, PROCEDURE_CLOSED)
SHOWN = (
    *TOLD,
    SETTINGS_CHANGED,
    SCENE_CLOSED,
    CLOCK_ARCHIVED,
    CLOCK_CHANGED,
    CLOCK_TICKED,
    characters.FIELD_CHANGED,
    characters.ROW_ADDED,
    characters.ROW_REMOVED,
    *OF_ACTORS,
)
"""The events after which procedures may be seen otherwise."""


# What happens to a procedure when one of its rolls falls, is voided or corrected, and what a roll begins.


def rolled(work: UnitOfWork, roll: Roll) -> None:
    """Let a procedure go on from a roll that it asked for."""
    if roll.request is None or roll.request.procedure_id is None:
        return
    procedure = _procedure(roll.request.procedure_id)
    rules = procedure_called(procedure.system, procedure.kind)
    if rules:
        Playing(work, procedure, procedure_row(rules.rows, procedure)).count(ProcedureStep(roll=roll))


def follow(work: UnitOfWork, roll: Roll) -> None:
    """Begin the procedure that settles what follows from a roll, if there is one; else do what follows from the sheets that it
    wrote, which is undone with that."""
    stream = stream_of(roll)
    if begun := kind_of(roll).begins(roll):
        kind, given = begun
        procedure = Procedure(pk=roll.pk, system=roll.system, kind=kind, stream=stream)
        begin_by_rules(work, procedure, given, roll=roll)
        return
    with caused(work, roll.pk):
        do_due(work, stream)


def do_due(work: UnitOfWork, stream: str = TABLE) -> bool:
    """Do what follows from the sheets that were written, by a roll or by hand, and not by a step of a procedure. Return whether
    anything did (settings.BEFORE_COMMIT)."""
    stored = False
    for system in _settling(work):
        if written := take_written(work, system):
            table = OperationTable(work, system, stream=stream)
            table.settle_sheets(written)
            stored |= table.store()
    return stored


def _settling(work: UnitOfWork) -> list[str]:
    """Return the campaign's systems of whose sheets something may follow."""
    return [name for name in work.campaign.systems if name in RULESETS and RULESETS[name].rows]


def check_held(roll: Roll) -> None:
    """Raise Blocked if the roll cannot be changed because something followed from it."""
    step = ProcedureStep.objects.filter(roll=roll).first()
    if step is not None and _goes_on_from(step) and step.procedure.steps.filter(pk__gt=step.pk, roll=None).exists():
        raise Blocked(_("Something already followed from this roll. Void it and roll again."))


@dataclass(frozen=True)
class Counted:
    """The `step` of a procedure that has counted a roll, or that it began with.

    `beside` are the rolls that were made beside it, if all that came after it is undone; None if nothing had to be.
    """

    procedure: Procedure
    rules: ProcedureKind | None
    step: ProcedureStep
    beside: list[ProcedureStep] | None


def unwind(work: UnitOfWork, roll: Roll) -> Counted | None:
    """Undo what followed from a roll in a procedure, before anything that the roll itself wrote.

    Raises Conflict if that cannot be undone because of later changes; Blocked if somebody has gone on from it.
    """
    step = ProcedureStep.objects.filter(roll=roll).first()
    if step is None:
        return None
    procedure = _procedure(step.procedure_id)
    rules = procedure_called(procedure.system, procedure.kind)
    beside = _undo_from(work, procedure, step) if rules is not None and _goes_on_from(step) else None
    return Counted(procedure, rules, step, beside)


def recount(work: UnitOfWork, roll: Roll, counted: Counted | None) -> None:
    """Recompute the procedure that `counted` a roll, after the roll was voided or this one corrected it.

    The procedure opens again if it only ended because of that roll. What follows from a corrected roll alone follows now.
    """
    if counted is None:
        if roll.corrects and not roll.voided_at and not kind_of(roll).begins(roll.corrects):
            follow(work, roll)
        return
    procedure, rules, step = counted.procedure, counted.rules, counted.step
    if not roll.voided_at:
        step.roll = roll
        step.save(update_fields=["roll"])
    if rules is None:
        return
    if counted.beside is not None:
        _rewind(work, procedure, rules, step, counted.beside)
        return
    if roll.voided_at:
        Written.objects.lines(work.campaign).filter(cause=step.uid).delete()
        step.delete()
    if not procedure.dropped:
        change(work, procedure, rules, Step(act=RECOUNTED))


def _goes_on_from(step: ProcedureStep) -> bool:
    """Return whether later steps go on from this roll: the procedure made it itself, or began with it."""
    return step.before is not None or step.opens


def _undo_from(work: UnitOfWork, procedure: Procedure, step: ProcedureStep) -> list[ProcedureStep]:
    """Undo a roll and what came after it. Return the rolls that were made beside it."""
    later = list(procedure.steps.filter(pk__gt=step.pk).select_related("roll__request").order_by("-pk"))
    beside = _beside_roll(later)
    for one in later:
        undo_step(work, one)
        if one.roll is None:
            one.delete()
    undo_step(work, step)
    return beside


def _rewind(
    work: UnitOfWork,
    procedure: Procedure,
    rules: ProcedureKind,
    step: ProcedureStep,
    beside: list[ProcedureStep],
) -> None:
    """Go back to the state before a roll that was voided or corrected, and count the rolls beside it again."""
    roll = step.roll
    if roll is None or (roll.voided_at and step.before is None):
        step.delete()
        _drop_once(work, procedure, rules)
        return
    if step.opens:
        _begin_again(work, procedure, rules, step, roll)
        return
    rewind(work, procedure, rules, step, beside)


def _drop_once(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind) -> None:
    """Drop the procedure, unless a correction has already dropped it."""
    if not procedure.dropped:
        drop(work, procedure, rules, TAKEN_BACK)


def _beside_roll(later: list[ProcedureStep]) -> list[ProcedureStep]:
    """Return the rolls of the same act among the steps after one, oldest first. Raises Blocked if somebody went on and
    rolled again.
    """
    rolls = [one for one in reversed(later) if one.roll is not None]
    acts = [one.pk for one in later if one.roll is None]
    if rolls and acts and rolls[-1].pk > min(acts):
        raise Blocked(_("Another roll followed from this one. Void that one first."))
    return rolls


def _begin_again(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind, step: ProcedureStep, roll: Roll) -> None:
    """Begin the procedure again from the corrected roll; drop it if nothing follows from that roll."""
    begun = kind_of(roll).begins(roll)
    if begun is None:
        _drop_once(work, procedure, rules)
        return
    Playing(work, procedure, rules.rows()).begin_again(begun[1], step)


def _procedure(wanted: Any) -> Procedure:
    return Procedure.objects.select_related("opened_by__user").get(pk=wanted)
