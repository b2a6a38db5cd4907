"""What a procedure asks for: its requests as they should be, and those that it answers itself."""

from __future__ import annotations

from uuid import UUID

from campaigns.models import Membership, Role
from campaigns.services.log import UnitOfWork
from rolls.events import REQUEST_CHANGED, ROLL_ASKED
from rolls.models import Procedure, RollRequest
from rolls.rules.procedures import Asked, RollPart
from rolls.services.operation import RollOperation
from rolls.services.procedure_telling import audience_of, characters
from rolls.services.request_events import close, tell_request


def another_id(work: UnitOfWork, name: str) -> UUID:
    """For what a procedure makes under this name, each time that it does in an operation. What else has changed it, which may be
    a secret, is not seen in it."""
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
        character=next(iter(characters(work, [asked.character] if asked.character else [])), None),
    )


def close_quietly(work: UnitOfWork, request: RollRequest) -> None:
    """Nobody was asked: the roll was made with what asked for it."""
    request.closed_at = work.now
    request.save(update_fields=["closed_at"])


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
