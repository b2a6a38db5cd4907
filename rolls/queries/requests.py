"""What a table page shows of the rolls that are asked for: the same dicts that events carry, so that live equals reload."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaigns.models import Membership, Role, Viewer
from campaigns.models.log import person
from rolls.events import described_request
from rolls.models import Audience, RollRequest


def open_requests(viewer: Viewer) -> list[dict[str, Any]]:
    """Rolls the GM asks for, as far as this viewer is told of them."""
    requests = RollRequest.objects.filter(campaign=viewer.campaign, closed_at=None)
    # There are none most of the time, and then this asks for nothing else.
    asked = requests.prefetch_related("member__user", "character")
    return [payload for request in asked if (payload := _request(request, viewer)) is not None]


def _request(request: RollRequest, viewer: Viewer) -> dict[str, Any] | None:
    """In private, only those asked know of it, and of themselves alone."""
    waiting = waited_for(request)
    rolled = rolled_already(request, waiting)
    if viewer.is_gm or request.audience == Audience.TABLE:
        return described_request(request_payload(request, waiting, rolled))
    me = viewer.membership
    if me is None or viewer.role != "player" or request.member_id not in (None, me.pk):
        return None
    return described_request(request_payload(request, [member for member in waiting if member == me]))


def asked_members(request: RollRequest) -> list[Membership]:
    """Return who is asked: one member, or every player at the table now."""
    here = Membership.objects.active().filter(campaign=request.campaign_id).select_related("user").order_by("pk")
    return list(here.filter(pk=request.member_id) if request.member_id else here.filter(role=Role.PLAYER))


def waited_for(request: RollRequest) -> list[Membership]:
    """Return those asked who have not rolled yet; a roll that was taken back does not count. What is only announced nobody can
    roll. What a procedure asks for waits until that closes it."""
    if request.announced:
        return []
    if request.procedure_id:
        return asked_members(request)
    rolled = set(request.rolls.filter(voided_at=None).values_list("by", flat=True))
    return [member for member in asked_members(request) if member.pk not in rolled]


def rolled_already(request: RollRequest, waiting: list[Membership]) -> list[Membership]:
    """Return those asked who have rolled; nobody where one alone is asked."""
    if request.member_id or request.announced:
        return []
    return [member for member in asked_members(request) if member not in waiting]


def request_payload(
    request: RollRequest, waiting: list[Membership], rolled: Sequence[Membership] = ()
) -> dict[str, Any]:
    """Return a request as it is told; `whose` is None where everybody is asked, `waits_for` who is still to roll, `rolled` who
    has, as far as those who are told may know; `announced`: `whose` wishes to roll it, and a GM has yet to set it."""
    return {
        "id": str(request.pk),
        "whose": person(request.member) if request.member else None,
        **asked_for(request),
        "announced": request.announced,
        "reason": request.reason,
        "audience": request.audience,
        "waits_for": [person(member) for member in waiting],
        "rolled": [person(member) for member in rolled],
        "order": int(request.asked_at.timestamp() * 1000),
        "procedure": str(request.procedure_id) if request.procedure_id else None,
        "character": request.character.ref if request.character else None,
    }


def asked_for(request: RollRequest) -> dict[str, Any]:
    """Return what is asked for: by which rules, and their terms."""
    return {"system": request.system, "terms": request.terms}
