"""What happens to a procedure when one of its rolls falls, is voided or corrected, and what a roll begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.errors import Blocked
from campaigns.models.members import TABLE
from campaigns.services.log import UnitOfWork
from rolls.models import Procedure, ProcedureStep, Roll
from rolls.procedures import ProcedureKind
from rolls.registry import kind_of, procedure_called
from rolls.services.cards import stream_of
from rolls.services.effects import effects_due
from rolls.services.procedure_reading import reread
from rolls.services.procedure_state import (
    ProcedureTable,
    answer_of,
    begin_by_rules,
    change,
    do_all,
    drop,
    go_on,
    undo_step,
)
from rolls.services.procedure_telling import Step
from rolls.services.roll_context import by_the_rules
from rules.checked import restored, stored
from rules.effects import led
from rules.procedures import DROPPED, RECOUNTED, ROLLED


def rolled(work: UnitOfWork, roll: Roll) -> None:
    """Let a procedure go on from a roll that it asked for."""
    if roll.request is None or roll.request.procedure_id is None:
        return
    procedure = _procedure(roll.request.procedure_id)
    if rules := procedure_called(procedure.system, procedure.kind):
        state = restored(rules.state, procedure.state)
        go_on(work, procedure, rules, state, Step(act=ROLLED), ProcedureStep(procedure=procedure, roll=roll))


def follow(work: UnitOfWork, roll: Roll) -> None:
    """Begin the procedure that settles what follows from a roll, if there is one; else apply what follows from the
    sheets that paid for it, which is undone with the roll.
    """
    stream = stream_of(roll)
    if begun := kind_of(roll).begins(roll):
        kind, given = begun
        procedure = Procedure(pk=work.id(f"{roll.pk} {kind}"), system=roll.system, kind=kind, stream=stream)
        begin_by_rules(work, procedure, given, roll=roll)
        return
    do_due(work, stream, roll)


def do_due(work: UnitOfWork, stream: str = TABLE, roll: Roll | None = None) -> bool:
    """Do what follows from the sheets that were written, by a `roll` or by hand, and not by a step of a procedure. Return whether
    anything did (settings.BEFORE_COMMIT)."""
    due = effects_due(work)
    table = ProcedureTable(work, stream=stream, of="sheet", roll=roll)
    for table.system, effect in due:
        table.do(effect)
    return bool(due)


def check_held(roll: Roll) -> None:
    """Raise Blocked if the roll cannot be changed because something followed from it."""
    step = ProcedureStep.objects.filter(roll=roll).first()
    if step is not None and _goes_on_from(step) and step.procedure.steps.filter(pk__gt=step.pk, roll=None).exists():
        raise Blocked(_("Something already followed from this roll. Void it and roll again."))


@dataclass(frozen=True)
class Counted:
    """The `step` of a procedure that has counted a roll, or that it began with.

    `beside` are the rolls that were made beside it, if all that came after it is undone; None if nothing had to be.
    `by_sheets`: it began only with what the roll wrote on sheets.
    """

    procedure: Procedure
    rules: ProcedureKind[Any] | None
    step: ProcedureStep
    beside: list[ProcedureStep] | None
    by_sheets: bool


def unwind(work: UnitOfWork, roll: Roll, *, writes_stand: bool = False) -> Counted | None:
    """Undo what followed from a roll in a procedure, before anything that the roll itself wrote. What began with sheets
    goes on if `writes_stand`.

    Raises Conflict if that cannot be undone because of later changes; Blocked if somebody has gone on from it.
    """
    step = ProcedureStep.objects.filter(roll=roll).first()
    if step is None:
        return None
    procedure = _procedure(step.procedure_id)
    rules = procedure_called(procedure.system, procedure.kind)
    by_sheets = _by_sheets(step, roll)
    beside = None
    if rules is not None and _goes_on_from(step) and not (by_sheets and writes_stand):
        beside = _undo_from(work, procedure, step)
    return Counted(procedure, rules, step, beside, by_sheets)


def recount(work: UnitOfWork, roll: Roll, counted: Counted | None) -> None:
    """Recompute the procedure that `counted` a roll, after the roll was voided or this one corrected it.

    The procedure opens again if it only ended because of that roll. Procedures that begin with the sheets written by a
    corrected roll begin now.
    """
    if counted is None:
        if roll.corrects and not roll.voided_at and not kind_of(roll).begins(roll.corrects):
            follow(work, roll)
        return
    procedure, rules, step = counted.procedure, counted.rules, counted.step
    if counted.by_sheets and counted.beside is not None and rules is not None:
        step.delete()
        _drop_once(work, procedure, rules)
        if not roll.voided_at:
            follow(work, roll)
        return
    if not roll.voided_at:
        step.roll = roll
        step.save(update_fields=["roll"])
    if rules is None or (counted.by_sheets and not roll.voided_at):
        return
    if counted.beside is not None:
        _rewind(work, procedure, rules, step, counted.beside)
        return
    if roll.voided_at:
        step.delete()
    if not procedure.dropped:
        change(work, procedure, rules, restored(rules.state, procedure.state), Step(act=RECOUNTED))


def _goes_on_from(step: ProcedureStep) -> bool:
    """Return whether later steps go on from this roll: the procedure made it itself, or began with it."""
    return step.before is not None or step.opens


def _by_sheets(step: ProcedureStep, roll: Roll) -> bool:
    """Return whether only what the roll of this step wrote on sheets has begun a procedure, not the roll itself."""
    return step.opens and not kind_of(roll).begins(roll)


def _undo_from(work: UnitOfWork, procedure: Procedure, step: ProcedureStep) -> list[ProcedureStep]:
    """Undo a roll and what came after it. Return the rolls that were made beside it."""
    later = list(procedure.steps.filter(pk__gt=step.pk).select_related("roll__request").order_by("-pk"))
    beside = _beside(later)
    for one in later:
        undo_step(work, one)
        if one.roll is None:
            one.delete()
    undo_step(work, step)
    return beside


def _rewind(
    work: UnitOfWork,
    procedure: Procedure,
    rules: ProcedureKind[Any],
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
    state = restored(rules.state, step.before or {})
    if roll.voided_at:
        state = rules.on_void(state, answer_of(roll).part)
        step.delete()
    else:
        beside.insert(0, step)
    procedure.dropped = False
    for one in beside:
        state = _fallen(work, procedure, rules, state, one)
    procedure.state = stored(state)
    change(work, procedure, rules, reread(work, procedure, rules), Step(act=RECOUNTED))


def _drop_once(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any]) -> None:
    """Drop the procedure, unless a correction has already dropped it."""
    if not procedure.dropped:
        drop(work, procedure, rules, DROPPED)


def _beside(later: list[ProcedureStep]) -> list[ProcedureStep]:
    """Return the rolls of the same act among the steps after one, oldest first. Raises Blocked if somebody went on and
    rolled again.
    """
    rolls = [one for one in reversed(later) if one.roll is not None]
    acts = [one.pk for one in later if one.roll is None]
    if rolls and acts and rolls[-1].pk > min(acts):
        raise Blocked(_("Another roll followed from this one. Void that one first."))
    return rolls


def _begin_again(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], step: ProcedureStep, roll: Roll
) -> None:
    """Begin the procedure again from the corrected roll; drop it if nothing follows from that roll."""
    begun = kind_of(roll).begins(roll)
    if begun is None:
        step.undo = []  # already undone, whatever becomes of the corrected roll
        step.save(update_fields=["undo"])
        _drop_once(work, procedure, rules)
        return
    with by_the_rules():
        after = led(rules.start(begun[1]))
    step.undo = do_all(work, procedure, after.effects)
    step.save(update_fields=["undo"])
    procedure.dropped = False
    change(work, procedure, rules, after.state, Step(act=RECOUNTED))


def _fallen(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], state: Any, step: ProcedureStep) -> Any:
    if step.roll is None:
        return state
    with by_the_rules():
        after = led(rules.on_roll(state, answer_of(step.roll)))
    step.before, step.undo = stored(state), do_all(work, procedure, after.effects)
    step.save(update_fields=["before", "undo"])
    return after.state


def _procedure(wanted: Any) -> Procedure:
    return Procedure.objects.select_related("opened_by__user").get(pk=wanted)
