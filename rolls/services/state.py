"""What a table page shows of the rolls that are asked for: the same dicts that events carry, so that live equals reload."""

from __future__ import annotations

from typing import Any

from campaigns.access import Seat
from rolls.events import described_request
from rolls.models import Audience, RollRequest
from rolls.services.asked import request_facts, waited_for


def open_requests(seat: Seat) -> list[dict[str, Any]]:
    """Rolls the GM asks for, as far as this seat is told of them."""
    found = RollRequest.objects.filter(campaign=seat.campaign, closed_at=None).select_related("member__user")
    return [facts for request in found if (facts := _request(request, seat)) is not None]


def _request(request: RollRequest, seat: Seat) -> dict[str, Any] | None:
    """In private, only those asked know of it, and of themselves alone."""
    waiting = waited_for(request)
    if seat.is_gm or request.audience == Audience.TABLE:
        return described_request(request_facts(request, waiting))
    me = seat.membership
    if me is None or seat.role != "player" or request.member_id not in (None, me.pk):
        return None
    return described_request(request_facts(request, [member for member in waiting if member == me]))
