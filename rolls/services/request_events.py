"""Rolls the GM has called for: what a roll that answers one must know, what is told of one and to whom."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Blocked, NotFound
from campaigns.kinds import EventKind
from campaigns.models import Membership, Role
from campaigns.models.streams import GM, TABLE
from campaigns.services.log import UnitOfWork, person
from rolls.events import REQUEST_CHANGED, REQUEST_CLOSED
from rolls.models import Audience, RollRequest


def asked_roll(work: UnitOfWork, request_id: UUID) -> RollRequest:
    """The open request that the actor answers. Raises NotFound or Blocked."""
    request = RollRequest.objects.filter(campaign=work.campaign, pk=request_id).first()
    if request is None or request.member_id not in (None, work.by.pk):
        raise NotFound
    if request.closed_at:
        raise Blocked("The GM no longer asks for this roll.")
    if request.announced:
        raise Blocked("The GM has yet to say how hard it is.")
    if work.by.pk not in [member.pk for member in waited_for(request)]:
        raise Blocked("You have already rolled what was asked for.")
    return request


def asked_members(request: RollRequest) -> list[Membership]:
    """Who is asked: one member, or every player at the table now."""
    here = Membership.objects.active().filter(campaign=request.campaign_id).select_related("user").order_by("pk")
    return list(here.filter(pk=request.member_id) if request.member_id else here.filter(role=Role.PLAYER))


def waited_for(request: RollRequest) -> list[Membership]:
    """Those asked who have not rolled yet; a roll that was taken back does not count. What is only announced nobody can roll."""
    if request.announced:
        return []
    rolled = set(request.rolls.filter(voided_at=None).values_list("by", flat=True))
    return [member for member in asked_members(request) if member.pk not in rolled]


def request_payload(request: RollRequest, waiting: list[Membership]) -> dict[str, Any]:
    """A request as it is told; `whose` is None where everybody is asked, `waits_for` who is still to roll; `announced`: `whose`
    wishes to roll it, and a GM has yet to set it."""
    return {
        "id": str(request.pk),
        "whose": person(request.member) if request.member else None,
        **asked_for(request),
        "announced": request.announced,
        "reason": request.reason,
        "audience": request.audience,
        "waits_for": [person(member) for member in waiting],
        "order": int(request.asked_at.timestamp() * 1000),
    }


def asked_for(request: RollRequest) -> dict[str, Any]:
    """What is asked for: by which rules, and their terms."""
    return {"system": request.system, "terms": request.terms}


def tell_request(work: UnitOfWork, kind: EventKind, request: RollRequest, **more: Any) -> None:
    """Record an event about a request, to the table or, where the roll is not for all eyes, to each of those asked and the GMs.

    Whoever is asked in private is not told who else has rolled; the GMs' own telling names everybody.
    """
    waiting = waited_for(request)
    if request.audience == Audience.TABLE:
        work.record(kind, {"request": request_payload(request, waiting)} | more, stream=TABLE)
        return
    for member in asked_members(request):
        own = [member] if member in waiting else []
        work.record(kind, {"request": request_payload(request, own)} | more, stream=member.stream)
    work.record(kind, {"request": request_payload(request, waiting)} | more, stream=GM)


def answer(work: UnitOfWork, request: RollRequest) -> None:
    """After a roll: a request that waits for nobody any more closes by itself."""
    if waited_for(request):
        tell_request(work, REQUEST_CHANGED, request)
    else:
        close(work, request)


def close(work: UnitOfWork, request: RollRequest, *, dropped: bool = False) -> None:
    """Ask no longer: all have rolled, or it was `dropped`."""
    request.closed_at = work.now
    request.save(update_fields=["closed_at"])
    tell_request(work, REQUEST_CLOSED, request, dropped=dropped)
