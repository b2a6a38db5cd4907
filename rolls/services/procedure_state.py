"""What every change of a procedure comes to: its rolls counted, its dice thrown, its requests as they should be, and all told.

Nothing here asks who may act: services/procedures.py does, and a roll has been checked as a roll.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campaigns.kinds import EventKind
from campaigns.models import Membership, Role
from campaigns.models.streams import GM, TABLE
from campaigns.references import person
from campaigns.services.log import UnitOfWork
from characters.models import Character
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED, REQUEST_CHANGED, ROLL_ASKED
from rolls.models import Audience, Procedure, ProcedureStep, Roll, RollRequest
from rolls.procedures import ProcedureRules
from rolls.queries.procedures import procedure_payload
from rolls.registry import procedure_called
from rolls.rules.procedures import OPEN, RECOUNTED, ROLLED, Answer, Asked
from rolls.rules.states import restored, stored
from rolls.services.cards import witness_told
from rolls.services.dice import DiceRequest, Thrown
from rolls.services.fairness import throw_dice
from rolls.services.request_events import close, tell_request
from rolls.services.rule_errors import by_the_rules


@dataclass(frozen=True, kw_only=True)
class Step:
    """What is told of a change: the act, for whom of the state `before` it, and the member in whose stead a GM acted."""

    act: str
    whom: str = ""
    before: Any = None
    instead_of: Membership | None = None
    client_seed: str = ""


def go_on(work: UnitOfWork, procedure: Procedure, rules: ProcedureRules[Any], state: Any, step: Step) -> None:
    """Store the state that a step led to, with what follows from it at once, and tell it. A new procedure is opened by that."""
    opened, was_open = step.act == OPEN, procedure.closed_at is None
    state = state if opened else rules.told(state, _answers(procedure))
    state, thrown = _throw(work, rules, state, step)
    procedure.state = stored(state)
    procedure.version += not opened
    procedure.closed_at = work.now if procedure.dropped or rules.is_over(state) else None
    procedure.save(force_insert=opened)
    kind = PROCEDURE_OPENED if opened else PROCEDURE_CHANGED
    if procedure.closed_at and was_open and not opened:
        kind = PROCEDURE_CLOSED
    _tell(work, procedure, kind, rules, state, step, thrown)
    _ask(work, procedure, [] if procedure.closed_at else list(rules.asks(state)))


def _tell(
    work: UnitOfWork,
    procedure: Procedure,
    kind: EventKind,
    rules: ProcedureRules[Any],
    state: Any,
    step: Step,
    thrown: Thrown | None,
) -> None:
    """Where GMs know more than others, it is told twice under one uid, the others' telling marked `less`."""
    shown = rules.shown(state)
    tellings = [(TABLE, shown, step.before and rules.shown(step.before))]
    if shown != state:
        tellings.append((GM, state, step.before))
    for stream, known, before in tellings:
        there = _characters(work, rules.played(known))
        payload = {
            "procedure": procedure_payload(procedure, there, known),
            "act": {"name": step.act, "whom": rules.party(before, step.whom)[0] if step.whom else ""},
            "less": len(tellings) > 1 and stream == TABLE,
            **_done(work, step, thrown),
            **({"dropped": procedure.dropped} if kind is PROCEDURE_CLOSED else {}),
        }
        work.record(kind, payload, stream=stream, about=[one.about for one in there])


def _done(work: UnitOfWork, step: Step, thrown: Thrown | None) -> dict[str, Any]:
    """Who else would have acted, and the dice that fell with the step."""
    return {
        "instead_of": person(step.instead_of) if step.instead_of else None,
        "dice": [{"face": face} for face in thrown.read] if thrown else [],
        "proof": thrown.proof if thrown else None,
        "witness": witness_told(thrown.proof, Audience.TABLE, work.by) if thrown else None,
    }


def rolled(work: UnitOfWork, roll: Roll) -> None:
    """A roll that a procedure has asked for has fallen."""
    if roll.request and roll.request.procedure_id:
        procedure = Procedure.objects.select_related("opened_by__user").get(pk=roll.request.procedure_id)
        ProcedureStep.objects.create(procedure=procedure, roll=roll)
        _recount(work, procedure, ROLLED)


def recount(work: UnitOfWork, roll: Roll) -> None:
    """A roll that a procedure has counted was taken back, or this one corrects it: it goes by those that stand now, and opens
    again where it was only over by what is no more so."""
    if not (roll.request and roll.request.procedure_id):
        return
    if roll.corrects_id:
        ProcedureStep.objects.filter(roll=roll.corrects_id).update(roll=roll)
    elif roll.voided_at:
        ProcedureStep.objects.filter(roll=roll).delete()
    procedure = Procedure.objects.select_related("opened_by__user").get(pk=roll.request.procedure_id)
    if not procedure.dropped:
        _recount(work, procedure, RECOUNTED)


def _recount(work: UnitOfWork, procedure: Procedure, act: str) -> None:
    rules = procedure_called(procedure.system, procedure.kind)
    if rules is not None:
        go_on(work, procedure, rules, restored(rules.state, procedure.state), Step(act=act))


def _answers(procedure: Procedure) -> list[Answer]:
    """In the order in which they were first rolled."""
    counted = procedure.steps.filter(roll__voided_at=None, roll__isnull=False).select_related("roll__request")
    return [
        Answer(part=step.roll.request.part, outcome=step.roll.outcome)
        for step in counted
        if step.roll is not None and step.roll.request is not None
    ]


def _throw(work: UnitOfWork, rules: ProcedureRules[Any], state: Any, step: Step) -> tuple[Any, Thrown | None]:
    thrown: Thrown | None = None
    while dice := rules.ready(state):
        if thrown is None:
            campaign, by = work.campaign.pk, work.by.pk
            throw = DiceRequest(
                campaign=campaign, actor=by, id=work.key, spec=dice.spec, die=dice.die, client_seed=step.client_seed
            )
            thrown = throw_dice(work, throw, Audience.TABLE)
        with by_the_rules():
            state = rules.settle(state, thrown)
    return state, thrown


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
        pk=work.id(f"request {asked.part}"),
        campaign=work.campaign,
        member=_whose(work, procedure, asked),
        system=procedure.system,
        terms=asked.terms,
        reason=procedure.reason,
        asked_at=work.now,
        procedure=procedure,
        part=asked.part,
        character=next(iter(_characters(work, [asked.character] if asked.character else [])), None),
    )


def _whose(work: UnitOfWork, procedure: Procedure, asked: Asked) -> Membership:
    """Who plays the character; else a GM: who opened it or acts now, or any."""
    for character in _characters(work, [asked.character] if asked.character else []):
        for player in character.players:
            if player.left_at is None:
                return player
    for member in (procedure.opened_by, work.by):
        if member.is_gm and member.left_at is None:
            return member
    gms = Membership.objects.active().filter(campaign=work.campaign, role=Role.GM).select_related("user")
    return gms.order_by("pk")[0]


def _characters(work: UnitOfWork, ids: Any) -> list[Character]:
    """These, as they are now; read once in an operation."""
    key = ("procedure", tuple(sorted(ids)))
    if key not in work.remembered:
        work.remembered[key] = list(Character.objects.filter(campaign=work.campaign, pk__in=key[1]).with_related())
    found: list[Character] = work.remembered[key]
    return found
