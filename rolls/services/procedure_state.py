"""Every change of a procedure: count its rolls, throw its dice, adjust its requests, record it, and apply its effects.

Nothing here checks who may act: services/procedures.py does, and a roll has been checked as a roll.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from campaigns.models import Membership, Role, Written
from campaigns.models.members import TABLE
from campaigns.services.log import UnitOfWork
from campaigns.services.undo import caused, note, puts_back, undo
from characters import reasons
from characters.services.sheet_writes import get_characters
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED, REQUEST_CHANGED, ROLL_ASKED
from rolls.models import Procedure, ProcedureStep, Roll, RollRequest
from rolls.procedures import NextRoll, Played, ProcedureKind
from rolls.queries.table import StoredTable
from rolls.registry import procedure_called
from rolls.services.effects import Table, effects_due
from rolls.services.fairness import DiceRequest, Thrown, throw_dice
from rolls.services.procedure_seen import seen
from rolls.services.procedure_telling import (
    BY_ITSELF,
    Step,
    audience_of,
    changes_what_is_known,
    tell_played,
    tell_procedure,
    with_last_news,
)
from rolls.services.roll_context import by_the_rules, close, or_override, tell_request
from rolls.services.roll_making import NewRoll, RollOperation, make_from, next_id
from rules.checked import restored, stored
from rules.effects import Begin, Effect, led
from rules.procedures import DROPPED, OPEN, ROLLED, TAKEN_BACK, USED, Answer, Asked, RollPart


def go_on(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], value: Any, step: Step, kept: ProcedureStep
) -> None:
    """Store the state that a step led to (`value`: the state, or a `StepResult`), with what follows from it at once,
    and record it. The effects are those of the step `kept`, which is stored here. This also opens a new procedure.
    """
    after, opened = led(value), step.act == OPEN
    kept.procedure, kept.uid = procedure, another_id(work, f"{procedure.pk} step")
    if not opened:
        kept.save()  # a roll is counted by its step
    state = after.state if opened else rules.on_answers(after.state, _answers(procedure))
    if opened and rules.rereads and kept.roll is None:  # one that begins with a roll goes by what that was made with
        state = rules.reads(state, seen(work, procedure, rules, state))
    state, thrown, more = _throw(work, procedure, rules, state, step)
    _store(work, procedure, rules, state, step, thrown)
    done = do_step(work, procedure, (*after.effects, *more), kept)
    if opened and (done or kept.roll):
        kept.save()  # a procedure that was only opened has no step to be taken back
    _fire(work, procedure, rules, state, step)
    wanted = [] if procedure.closed_at else list(rules.requests(state))
    if wanted or not opened:
        ask(work, procedure, wanted)


def change(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], state: Any, step: Step) -> None:
    """Store and record another state without a step that could be undone; for automatic changes. Dice that it now needs
    fall with it: two may be equal since a sheet was changed.
    """
    if isinstance(rules, Played):
        table = StoredTable(work.campaign, procedure.system)
        tell_played(work, procedure, table.hold(state, procedure.pk), table, step)
        return
    state = rules.on_answers(state, _answers(procedure))
    thrown = None
    if not procedure.dropped:
        state, thrown, more = _throw(work, procedure, rules, state, step)
        do_all(work, procedure, more)
    if step.act in BY_ITSELF and thrown is None:
        state = with_last_news(rules, state, step)
    _store(work, procedure, rules, state, step, thrown)
    ask(work, procedure, [] if procedure.closed_at else list(rules.requests(state)))


def _store(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], state: Any, step: Step, thrown: Thrown | None
) -> None:
    opened, was_open = step.act == OPEN, procedure.closed_at is None
    procedure.state = stored(state)
    work.state(RollOperation).procedure_states.pop(procedure.pk, None)
    procedure.closed_at = work.now if procedure.dropped or rules.is_over(state) else None
    # Whatever it was before: of one that is over, the last that is told is that it is over.
    kind = PROCEDURE_OPENED if opened else PROCEDURE_CLOSED if procedure.closed_at else PROCEDURE_CHANGED
    is_news = kind is PROCEDURE_CLOSED or thrown is not None or changes_what_is_known(procedure, rules, state, step)
    procedure.version += is_news and not opened
    procedure.save(force_insert=opened)
    if procedure.closed_at and was_open:
        work.state(RollOperation).ended.append(procedure)
    tell_procedure(work, procedure, kind, rules, state, step, thrown, is_news=is_news)


# What a step throws, or rolls


def _throw(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], state: Any, step: Step
) -> tuple[Any, Thrown | None, list[Effect]]:
    thrown: Thrown | None = None
    effects: list[Effect] = []
    while dice := rules.dice_needed(state):
        if thrown is None:
            throw = DiceRequest(
                campaign=work.campaign.pk,
                actor=work.by.pk,
                id=next_id(work, "dice"),
                spec=dice.spec,
                client_seed=step.client_seed,
            )
            thrown = throw_dice(work, throw, audience_of(procedure))
        with by_the_rules():
            after = led(rules.apply_dice(state, thrown))
        state, effects = after.state, [*effects, *after.effects]
    return state, thrown, effects


def _fire(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], state: Any, step: Step) -> None:
    """Make the rolls for which all is said, one after the other; each is a step of its own."""
    while not procedure.closed_at and (next_roll := rules.next_roll(state)):
        request = requested(work, procedure, _asked_by(next_roll))
        throw = NewRoll(id=next_id(work, "roll"), client_seed=step.client_seed)
        with or_override(work, "override", step.key):
            roll = make_from(work, request, next_roll.ask, throw, override=step.override)
        close_quietly(work, request)
        kept = ProcedureStep(
            procedure=procedure, uid=another_id(work, f"{procedure.pk} step"), before=stored(state), roll=roll
        )
        with by_the_rules():
            after = led(rules.on_roll(state, answer_of(roll)))
        kept.save()
        state = after.state
        _store(work, procedure, rules, state, Step(act=ROLLED), None)
        do_step(work, procedure, after.effects, kept)


def _asked_by(next_roll: NextRoll) -> Asked:
    character = str(next_roll.ask.character) if next_roll.ask.character else None
    return Asked(part=next_roll.part, terms=next_roll.terms, character=character)


def answer_of(roll: Roll) -> Answer:
    """Return a roll as the procedure that asked for it, or began with it, is told of it."""
    asked = roll.request is not None and roll.request.procedure_id is not None
    part = RollPart.parse(roll.request.part if roll.request and asked else OPEN)
    return Answer(
        part=part,
        outcome=roll.outcome,
        terms=roll.ask,
    )


def _answers(procedure: Procedure) -> list[Answer]:
    """Return those that were asked for, in the order in which they were first rolled."""
    counted = procedure.steps.filter(roll__voided_at=None, roll__isnull=False, before__isnull=True).select_related(
        "roll__request"
    )
    return [answer_of(step.roll) for step in counted if step.roll is not None and not step.opens]


# What a step does outside


@dataclass
class ProcedureTable(Table):
    """What a step can do outside its procedure, including other procedures. New ones are of the ruleset `system`, told in
    `stream`, and get their ids from the name of what they come `of`; the first of them began with `roll`, if there is one.
    """

    system: str = ""
    stream: str = TABLE
    of: str = ""
    roll: Roll | None = None

    def begin(self, effect: Begin) -> None:
        pk = another_id(self.work, f"{self.of} {effect.kind}")
        new = Procedure(pk=pk, system=self.system, kind=effect.kind, stream=self.stream, reason=effect.reason)
        roll, self.roll = self.roll, None
        begin_by_rules(self.work, new, effect.given, roll=roll)
        note(self.work, f"procedure:{pk}", after=[True])

    def end(self, procedure: str) -> None:
        if _end(self.work, UUID(procedure), USED):
            note(self.work, f"procedure:{procedure}", "over", before=[False], after=[True])


def do_step(work: UnitOfWork, procedure: Procedure, effects: Sequence[Effect], kept: ProcedureStep) -> bool:
    """Do what a step leads to, and what follows from the sheets as they are then, so that it is undone with the step. Return
    whether that is anything."""
    with caused(work, kept.uid):
        do_all(work, procedure, effects)
        due = effects_due(work)
        for system, effect in due:
            effect.apply(ProcedureTable(work, system=system, stream=procedure.stream, of=str(procedure.pk)))
    return bool(effects or due)


def do_all(work: UnitOfWork, procedure: Procedure, effects: Sequence[Effect]) -> None:
    """Do them in their order."""
    table = ProcedureTable(work, system=procedure.system, stream=procedure.stream, of=str(procedure.pk))
    for effect in effects:
        effect.apply(table)


def undo_step(work: UnitOfWork, step: ProcedureStep) -> None:
    """Undo the effects of a step. Raises Conflict if something else was written since in the same place."""
    undo(work, step.uid, reasons.TAKEN_BACK)


@puts_back("procedure")
def _put_back(work: UnitOfWork, pk: UUID, written: Written, why: Any) -> None:
    """Let a procedure go on that a step ended; end one that a step began, and undo what has followed from it. Its rolls stay."""
    if written.path == "over":
        other, rules = _other(work, pk)
        if other is not None and rules is not None:
            other.dropped = False
            change(work, other, rules, restored(rules.state, other.state), Step(act=TAKEN_BACK))
        return
    for step in ProcedureStep.objects.filter(procedure_id=pk, roll=None).order_by("-pk"):
        undo_step(work, step)
        step.delete()
    _end(work, pk, DROPPED)


def _end(work: UnitOfWork, pk: UUID, act: str) -> bool:
    """End another procedure. Return whether it was open until now."""
    other, rules = _other(work, pk)
    if other is None or rules is None or other.closed_at:
        return False
    drop(work, other, rules, act)
    return True


def begin_by_rules(
    work: UnitOfWork, procedure: Procedure, given: Mapping[str, Any], *, roll: Roll | None = None
) -> None:
    """Open a procedure that a roll or another procedure leads to. `procedure` has its id, kind, stream and reason."""
    rules = procedure_called(procedure.system, procedure.kind)
    if rules is None:
        return
    procedure.campaign, procedure.opened_by, procedure.opened_at = work.campaign, work.by, work.now
    with by_the_rules():
        state = rules.start(given)
    go_on(work, procedure, rules, state, Step(act=OPEN), ProcedureStep(roll=roll))


def drop(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], act: str = DROPPED) -> None:
    """End a procedure in its current state."""
    procedure.dropped = True
    change(work, procedure, rules, restored(rules.state, procedure.state), Step(act=act))


def _other(work: UnitOfWork, procedure: UUID) -> tuple[Procedure | None, ProcedureKind[Any] | None]:
    found = Procedure.objects.filter(campaign=work.campaign, pk=procedure).select_related("opened_by__user").first()
    return found, procedure_called(found.system, found.kind) if found else None


# Its requests


def another_id(work: UnitOfWork, name: str) -> UUID:
    """Return an id for something that a procedure makes under this name, counted within the operation. It shows nothing
    of other changes, which may be secret.
    """
    made = work.state(RollOperation).ids_made
    made[name] += 1
    return work.id(f"{name} {made[name]}")


def ask(work: UnitOfWork, procedure: Procedure, wanted: list[Asked]) -> None:
    """Requests that are open become those that are wanted."""
    parts = {one.part: one for one in wanted}
    for request in procedure.requests.filter(closed_at=None).select_related("member__user", "character"):
        asked = parts.pop(RollPart.parse(request.part), None)
        if asked is None:
            close(work, request)
            continue
        member = _whose(work, procedure, asked)
        if request.terms != asked.terms or request.member_id != member.pk:
            request.terms, request.member = asked.terms, member
            request.save(update_fields=["terms", "member"])
            tell_request(work, REQUEST_CHANGED, request)
    for asked in parts.values():
        tell_request(work, ROLL_ASKED, requested(work, procedure, asked))


def requested(work: UnitOfWork, procedure: Procedure, asked: Asked) -> RollRequest:
    return RollRequest.objects.create(
        pk=another_id(work, f"{procedure.pk} request {asked.part}"),
        campaign=work.campaign,
        member=_whose(work, procedure, asked),
        system=procedure.system,
        terms=dict(asked.terms),
        reason=procedure.reason,
        audience=audience_of(procedure),
        asked_at=work.now,
        procedure=procedure,
        part=str(asked.part),
        character=next(iter(get_characters(work, [asked.character] if asked.character else [])), None),
    )


def close_quietly(work: UnitOfWork, request: RollRequest) -> None:
    """Close a request without telling: nobody was asked, as the roll was made with it."""
    request.closed_at = work.now
    request.save(update_fields=["closed_at"])


def _whose(work: UnitOfWork, procedure: Procedure, asked: Asked) -> Membership:
    """Return the character's player; else a GM: the one who opened the procedure, who acts now, or the first."""
    for character in get_characters(work, [asked.character] if asked.character else []):
        for player in character.players:
            if player.left_at is None:
                return player
    for member in (procedure.opened_by, work.by):
        if member.is_gm and member.left_at is None:
            return member
    gms = Membership.objects.active().filter(campaign=work.campaign, role=Role.GM).select_related("user")
    return gms.order_by("pk")[0]
