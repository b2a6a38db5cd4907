"""What a table page shows of the rolls that are asked for: the same dicts that events carry, so that live equals reload."""

from __future__ import annotations

from typing import Any

from campaigns.access import Viewer
from rolls.events import described_request
from rolls.models import Audience, RollRequest
from rolls.services.request_events import request_payload, waited_for


def open_requests(viewer: Viewer) -> list[dict[str, Any]]:
    """Rolls the GM asks for, as far as this viewer is told of them."""
    found = RollRequest.objects.filter(campaign=viewer.campaign, closed_at=None).select_related("member__user")
    return [payload for request in found if (payload := _request(request, viewer)) is not None]


def _request(request: RollRequest, viewer: Viewer) -> dict[str, Any] | None:
    """In private, only those asked know of it, and of themselves alone."""
    waiting = waited_for(request)
    if viewer.is_gm or request.audience == Audience.TABLE:
        return described_request(request_payload(request, waiting))
    me = viewer.membership
    if me is None or viewer.role != "player" or request.member_id not in (None, me.pk):
        return None
    return described_request(request_payload(request, [member for member in waiting if member == me]))
