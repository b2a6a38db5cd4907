"""Requested rolls: what a roll that answers one must know, and who is told what."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, NotFound, existing
from campaigns.kinds import EventKind
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork
from rolls.events import REQUEST_CHANGED, REQUEST_CLOSED
from rolls.models import Audience, RollRequest
from rolls.queries.requests import asked_members, request_payload, rolled_already, waited_for


def asked_roll(work: UnitOfWork, request_id: UUID) -> RollRequest:
    """Return the open request that the actor answers, for a member who is absent where a procedure asks. Raises NotFound or
    Blocked."""
    requests = work.campaign.roll_requests.select_related("character__owner__user")
    request = existing(requests.filter(pk=request_id).first())
    instead = bool(request.procedure_id) and work.by.is_gm
    if not instead and work.by not in asked_members(request):
        raise NotFound
    if request.closed_at:
        raise Blocked(_("The GM cancelled this request."))
    if request.announced:
        raise Blocked(_("The GM hasn’t set the terms of this roll yet."))
    if not request.procedure_id and work.by.pk not in [member.pk for member in waited_for(request)]:
        raise Blocked(_("You’ve already made this roll."))
    return request


def tell_request(work: UnitOfWork, kind: EventKind, request: RollRequest, **more: Any) -> None:
    """Record an event about a request: to the table, or for a private roll to each of those asked and the GMs.

    Those asked in private do not learn who else has rolled; the GMs' version names everyone.
    """
    waiting = waited_for(request)
    whole = {"request": request_payload(request, waiting, rolled_already(request, waiting))} | more
    record = partial(work.record, kind, discriminator=str(request.pk))
    if request.audience == Audience.TABLE:
        record(whole, stream=TABLE)
        return
    for member in asked_members(request):
        own = [member] if member in waiting else []
        record({"request": request_payload(request, own)} | more, stream=member.stream)
    record(whole, stream=GM)


def answer(work: UnitOfWork, request: RollRequest) -> None:
    """Close a request after a roll if it waits for nobody any more; else tell it again."""
    if waited_for(request):
        tell_request(work, REQUEST_CHANGED, request)
    else:
        close(work, request)


def close(work: UnitOfWork, request: RollRequest, *, dropped: bool = False) -> None:
    """Ask no longer: all have rolled, or it was `dropped`."""
    request.closed_at = work.now
    request.save(update_fields=["closed_at"])
    tell_request(work, REQUEST_CLOSED, request, dropped=dropped)
