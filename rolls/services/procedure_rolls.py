"""What becomes of a procedure when one of its rolls falls, is taken back or corrected, and what a roll begins."""

from __future__ import annotations

from typing import Any

from campaigns.errors import Blocked
from campaigns.models.streams import TABLE
from campaigns.services.log import UnitOfWork
from rolls.models import Procedure, ProcedureStep, Roll
from rolls.procedures import ProcedureRules
from rolls.registry import procedure_called, table_of
from rolls.rules.effects import Begin, NewClock, Retire, Say, Tick, Write, led
from rolls.rules.procedures import DROPPED, RECOUNTED, ROLLED
from rolls.rules.states import restored, stored
from rolls.services import effects as outside
from rolls.services import sheet_follows
from rolls.services.procedure_reading import reread
from rolls.services.procedure_state import answer_of, begin_by_rules, change, do_all, drop, go_on, undo_step
from rolls.services.procedure_telling import Step
from rolls.services.recording import stream_of
from rolls.services.rule_errors import by_the_rules


def rolled(work: UnitOfWork, roll: Roll) -> None:
    """A roll that a procedure has asked for has fallen."""
    if roll.request is None or roll.request.procedure_id is None:
        return
    procedure = _procedure(roll.request.procedure_id)
    if rules := procedure_called(procedure.system, procedure.kind):
        state = restored(rules.state, procedure.state)
        go_on(work, procedure, rules, state, Step(act=ROLLED), ProcedureStep(procedure=procedure, roll=roll))


def follow(work: UnitOfWork, roll: Roll) -> None:
    """Begin what settles what follows from a roll, if anything does; else do what follows from the sheets that have paid for it,
    which goes with the roll where that is taken back."""
    stream = stream_of(roll)
    if begun := table_of(roll.system).begins(roll):
        kind, given = begun
        procedure = Procedure(pk=work.id(f"{roll.pk} {kind}"), system=roll.system, kind=kind, stream=stream)
        begin_by_rules(work, procedure, given, roll=roll)
        return
    do_due(work, stream, roll)


def do_due(work: UnitOfWork, stream: str = TABLE, roll: Roll | None = None) -> None:
    """Do what follows from the sheets that were written, by a `roll` or by hand, and not by a step of a procedure."""
    for number, (system, effect) in enumerate(sheet_follows.due(work)):
        if isinstance(effect, Begin):
            new = Procedure(pk=work.id(f"sheet {number}"), system=system, kind=effect.kind, stream=stream)
            begin_by_rules(work, new, effect.given, roll=roll)
            roll = None
        elif isinstance(effect, Write | Tick | NewClock | Retire | Say):
            outside.do(work, effect)


def check_held(roll: Roll) -> None:
    """Raises Blocked for a roll that cannot be read otherwise, since somebody has gone on from it."""
    step = ProcedureStep.objects.filter(roll=roll).first()
    if step is not None and _goes_on_from(step) and step.procedure.steps.filter(pk__gt=step.pk, roll=None).exists():
        raise Blocked("Something has followed from this roll already. Take it back and roll it anew.")


def recount(work: UnitOfWork, roll: Roll) -> None:
    """A roll that a procedure has counted was taken back, or this one corrects it: it goes by those that stand now, and opens
    again where it was only over by what is no more so.

    Raises Conflict where what followed from it cannot be undone, since something else was written since.
    """
    step = ProcedureStep.objects.filter(roll=roll.pk if roll.voided_at else roll.corrects_id).first()
    if step is None:
        return
    procedure = _procedure(step.procedure_id)
    rules = procedure_called(procedure.system, procedure.kind)
    if not roll.voided_at:
        step.roll = roll
        step.save(update_fields=["roll"])
    if rules is None:
        return
    if roll.corrects and step.opens and not table_of(roll.system).begins(roll.corrects):
        return  # it follows from what the roll cost, which stays as it is
    if _goes_on_from(step):
        _rewind(work, procedure, rules, step)
        return
    if roll.voided_at:
        step.delete()
    if not procedure.dropped:
        change(work, procedure, rules, restored(rules.state, procedure.state), Step(act=RECOUNTED))


def _goes_on_from(step: ProcedureStep) -> bool:
    """Whether what came after a roll goes on from it: it was made by the procedure itself, or began it."""
    return step.before is not None or step.opens


def _rewind(work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], step: ProcedureStep) -> None:
    """Undo what came after a roll, and it; rolls that were made beside it are counted anew."""
    later = list(procedure.steps.filter(pk__gt=step.pk).select_related("roll__request").order_by("-pk"))
    beside = _beside(later)
    for one in later:
        undo_step(work, one)
        if one.roll is None:
            one.delete()
    undo_step(work, step)
    roll = step.roll
    if roll is None or (roll.voided_at and step.before is None):
        step.delete()
        drop(work, procedure, rules, DROPPED)
        return
    if step.opens:
        _begin_anew(work, procedure, rules, step, roll)
        return
    state = restored(rules.state, step.before or {})
    if roll.voided_at:
        state = rules.voided(state, answer_of(roll).part)
        step.delete()
    else:
        beside.insert(0, step)
    procedure.dropped = False
    for one in beside:
        state = _fallen(work, procedure, rules, state, one)
    procedure.state = stored(state)
    change(work, procedure, rules, reread(work, procedure, rules), Step(act=RECOUNTED))


def _beside(later: list[ProcedureStep]) -> list[ProcedureStep]:
    """The rolls of the same act among the steps after one, the first first. Raises Blocked where somebody has gone on and rolled
    again."""
    rolls = [one for one in reversed(later) if one.roll is not None]
    acts = [one.pk for one in later if one.roll is None]
    if rolls and acts and rolls[-1].pk > min(acts):
        raise Blocked("Another roll has followed from this one. Take that one back first.")
    return rolls


def _begin_anew(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], step: ProcedureStep, roll: Roll
) -> None:
    """By the roll that corrects the one that it began with, where anything follows from it."""
    begun = table_of(roll.system).begins(roll)
    if begun is None:
        drop(work, procedure, rules, DROPPED)
        return
    with by_the_rules():
        after = led(rules.start(begun[1]))
    step.undo = do_all(work, procedure, after.effects)
    step.save(update_fields=["undo"])
    procedure.dropped = False
    change(work, procedure, rules, after.state, Step(act=RECOUNTED))


def _fallen(work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], state: Any, step: ProcedureStep) -> Any:
    if step.roll is None:
        return state
    with by_the_rules():
        after = led(rules.fell(state, answer_of(step.roll)))
    step.before, step.undo = stored(state), do_all(work, procedure, after.effects)
    step.save(update_fields=["before", "undo"])
    return after.state


def _procedure(wanted: Any) -> Procedure:
    return Procedure.objects.select_related("opened_by__user").get(pk=wanted)
