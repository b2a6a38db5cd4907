"""What every change of a procedure comes to: its rolls counted, its dice thrown, its requests as they should be, all told, and
what follows from it done.

Nothing here asks who may act: services/procedures.py does, and a roll has been checked as a roll.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from campaigns.models import Membership, Role
from campaigns.services.log import UnitOfWork
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED, REQUEST_CHANGED, ROLL_ASKED
from rolls.models import Procedure, ProcedureStep, Roll, RollRequest
from rolls.procedures import Firing, ProcedureRules
from rolls.registry import procedure_called
from rolls.rules.effects import Begin, Effect, End, NewClock, Retire, Say, Tick, Write, led
from rolls.rules.procedures import DROPPED, OPEN, ROLLED, TAKEN_BACK, USED, Answer, Asked
from rolls.rules.states import restored, stored
from rolls.services import effects as outside
from rolls.services import sheet_follows
from rolls.services.dice import DiceRequest, Thrown
from rolls.services.fairness import throw_dice
from rolls.services.procedure_telling import Step, audience_of, characters, tell_procedure
from rolls.services.request_events import close, tell_request
from rolls.services.roll_making import NewRoll, make_from, next_id
from rolls.services.rule_errors import by_the_rules


def go_on(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], value: Any, step: Step, kept: ProcedureStep
) -> None:
    """Store the state that a step led to (`value`: it, or `Led`), with what follows from it at once, and tell it. The effects
    are kept with the step `kept`, which is stored here. A new procedure is opened by that."""
    after, opened = led(value), step.act == OPEN
    kept.procedure = procedure
    if not opened:
        kept.save()  # a roll is counted by its step
    state = after.state if opened else rules.told(after.state, _answers(procedure))
    state, thrown, more = _throw(work, procedure, rules, state, step)
    _store(work, procedure, rules, state, step, thrown)
    kept.undo = do_step(work, procedure, (*after.effects, *more))
    if kept.undo or (opened and kept.roll):
        kept.save()  # a procedure that was only opened has no step to be taken back
    _fire(work, procedure, rules, state, step)
    wanted = [] if procedure.closed_at else list(rules.asks(state))
    if wanted or not opened:
        _ask(work, procedure, wanted)


def change(work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], state: Any, step: Step) -> None:
    """Store and tell another state without a step that could be taken back; for what the mechanism itself does. Dice that it
    needs by now fall with it: two may be equal since a sheet was changed."""
    state = rules.told(state, _answers(procedure))
    thrown = None
    if not procedure.dropped:
        state, thrown, more = _throw(work, procedure, rules, state, step)
        do_all(work, procedure, more)
    _store(work, procedure, rules, state, step, thrown)
    _ask(work, procedure, [] if procedure.closed_at else list(rules.asks(state)))


def _store(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], state: Any, step: Step, thrown: Thrown | None
) -> None:
    opened, was_open = step.act == OPEN, procedure.closed_at is None
    procedure.state = stored(state)
    procedure.version += not opened
    procedure.closed_at = work.now if procedure.dropped or rules.is_over(state) else None
    procedure.save(force_insert=opened)
    kind = PROCEDURE_OPENED if opened else PROCEDURE_CHANGED
    if procedure.closed_at and was_open and not opened:
        kind = PROCEDURE_CLOSED
    tell_procedure(work, procedure, kind, rules, state, step, thrown)


# What a step throws, or rolls


def _throw(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], state: Any, step: Step
) -> tuple[Any, Thrown | None, list[Effect]]:
    thrown: Thrown | None = None
    effects: list[Effect] = []
    while dice := rules.ready(state):
        if thrown is None:
            throw = DiceRequest(
                campaign=work.campaign.pk,
                actor=work.by.pk,
                id=next_id(work, "dice"),
                spec=dice.spec,
                die=dice.die,
                client_seed=step.client_seed,
            )
            thrown = throw_dice(work, throw, audience_of(procedure))
        with by_the_rules():
            after = led(rules.settle(state, thrown))
        state, effects = after.state, [*effects, *after.effects]
    return state, thrown, effects


def _fire(work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], state: Any, step: Step) -> None:
    """Make the rolls for which all is said, one after the other; each is a step of its own."""
    while not procedure.closed_at and (firing := rules.fires(state)):
        request = _requested(work, procedure, _asked_by(firing))
        throw = NewRoll(id=next_id(work, "roll"), client_seed=step.client_seed)
        roll = make_from(work, request, firing.ask, throw, override=step.override)
        close_quietly(work, request)
        kept = ProcedureStep(procedure=procedure, before=stored(state), roll=roll)
        with by_the_rules():
            after = led(rules.fell(state, answer_of(roll)))
        kept.save()
        state = after.state
        _store(work, procedure, rules, state, Step(act=ROLLED), None)
        kept.undo = do_step(work, procedure, after.effects)
        kept.save(update_fields=["undo"])


def close_quietly(work: UnitOfWork, request: RollRequest) -> None:
    """Nobody was asked: the roll was made with what asked for it."""
    request.closed_at = work.now
    request.save(update_fields=["closed_at"])


def _asked_by(firing: Firing) -> Asked:
    character = str(firing.ask.character) if firing.ask.character else None
    return Asked(part=firing.part, terms=firing.terms, character=character)


def answer_of(roll: Roll) -> Answer:
    """What a procedure is told of a roll of its own, or of one that began it."""
    return Answer(part=roll.request.part if roll.request else OPEN, outcome=roll.outcome, terms=roll.ask)


def _answers(procedure: Procedure) -> list[Answer]:
    """Those that were asked for, in the order in which they were first rolled."""
    counted = procedure.steps.filter(roll__voided_at=None, roll__isnull=False, before__isnull=True).select_related(
        "roll__request"
    )
    return [answer_of(step.roll) for step in counted if step.roll is not None and step.roll.request is not None]


# What a step does outside


def do_step(work: UnitOfWork, procedure: Procedure, effects: Sequence[Effect]) -> list[dict[str, Any]]:
    """Do what a step leads to, and what follows from the sheets as they are then, so that it is undone with the step."""
    done = do_all(work, procedure, effects)
    follows = sheet_follows.due(work)
    return done + [_do(work, procedure, one, len(done) + at, system) for at, (system, one) in enumerate(follows)]


def do_all(work: UnitOfWork, procedure: Procedure, effects: Sequence[Effect]) -> list[dict[str, Any]]:
    """Do them in their order; gives what `undo_step` needs."""
    return [_do(work, procedure, effect, number) for number, effect in enumerate(effects)]


def _do(work: UnitOfWork, procedure: Procedure, effect: Effect, number: int, system: str = "") -> dict[str, Any]:
    match effect:
        case Write() | Tick() | NewClock() | Retire() | Say():
            return outside.do(work, effect)
        case Begin(kind=kind, given=given, reason=reason):
            name = f"{procedure.pk} {procedure.version} {kind} {number}"
            of = system or procedure.system
            new = Procedure(pk=work.id(name), system=of, kind=kind, stream=procedure.stream, reason=reason)
            begin_by_rules(work, new, given)
            return {"begun": str(new.pk)}
        case End(procedure=other):
            return {"ended": other, "by": _end(work, UUID(other), USED)}


def undo_step(work: UnitOfWork, step: ProcedureStep) -> None:
    """Undo what came of a step. Raises Conflict where something else was written since in the same place."""
    for done in reversed(step.undo):
        if "begun" in done:
            _undo_begun(work, UUID(done["begun"]))
        elif "ended" in done:
            _bring_back(work, UUID(done["ended"]), was_open=done["by"])
        else:
            outside.undo(work, done)


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


def drop(work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], act: str = DROPPED) -> None:
    """End it as it stands."""
    procedure.dropped = True
    change(work, procedure, rules, restored(rules.state, procedure.state), Step(act=act))


def _end(work: UnitOfWork, other: UUID, act: str) -> bool:
    """Whether it was open until now."""
    found, rules = _other(work, other)
    if found is None or rules is None or found.closed_at:
        return False
    drop(work, found, rules, act)
    return True


def _undo_begun(work: UnitOfWork, other: UUID) -> None:
    """With all that has come of it since. Rolls of its own stand for themselves."""
    for step in ProcedureStep.objects.filter(procedure=other, roll=None).order_by("-pk"):
        undo_step(work, step)
        step.delete()
    _end(work, other, DROPPED)


def _bring_back(work: UnitOfWork, other: UUID, *, was_open: bool) -> None:
    found, rules = _other(work, other)
    if was_open and found is not None and rules is not None:
        found.dropped = False
        change(work, found, rules, restored(rules.state, found.state), Step(act=TAKEN_BACK))


def _other(work: UnitOfWork, other: UUID) -> tuple[Procedure | None, ProcedureRules[Any] | None]:
    found = Procedure.objects.filter(campaign=work.campaign, pk=other).select_related("opened_by__user").first()
    return found, procedure_called(found.system, found.kind) if found else None


# What is asked for


def _ask(work: UnitOfWork, procedure: Procedure, wanted: list[Asked]) -> None:
    """Requests that are open become those that are wanted."""
    parts = {one.part: one for one in wanted}
    for request in procedure.requests.filter(closed_at=None).select_related("member__user", "character"):
        asked = parts.pop(request.part, None)
        if asked is None:
            close(work, request)
            continue
        member = _whose(work, procedure, asked)
        if request.terms != asked.terms or request.member_id != member.pk:
            request.terms, request.member = asked.terms, member
            request.save(update_fields=["terms", "member"])
            tell_request(work, REQUEST_CHANGED, request)
    for asked in parts.values():
        tell_request(work, ROLL_ASKED, _requested(work, procedure, asked))


def _requested(work: UnitOfWork, procedure: Procedure, asked: Asked) -> RollRequest:
    return RollRequest.objects.create(
        pk=work.id(f"{procedure.pk} {procedure.version} request {asked.part}"),
        campaign=work.campaign,
        member=_whose(work, procedure, asked),
        system=procedure.system,
        terms=dict(asked.terms),
        reason=procedure.reason,
        audience=audience_of(procedure),
        asked_at=work.now,
        procedure=procedure,
        part=asked.part,
        character=next(iter(characters(work, [asked.character] if asked.character else [])), None),
    )


def _whose(work: UnitOfWork, procedure: Procedure, asked: Asked) -> Membership:
    """Who plays the character; else a GM: who opened it or acts now, or any."""
    for character in characters(work, [asked.character] if asked.character else []):
        for player in character.players:
            if player.left_at is None:
                return player
    for member in (procedure.opened_by, work.by):
        if member.is_gm and member.left_at is None:
            return member
    gms = Membership.objects.active().filter(campaign=work.campaign, role=Role.GM).select_related("user")
    return gms.order_by("pk")[0]
