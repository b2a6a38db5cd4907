"""Pinning moments: from a line of the feed or the log, and off again from the session's page."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from campaigns.access import member_view, request_key
from campaigns.models import Role, Seat
from campaigns.services import moments


@require_POST
@member_view(Role.PLAYER)
def moment_pin(request: HttpRequest, seat: Seat, uid: UUID) -> HttpResponse:
    """Not every page with such a line follows the table, so the answer itself says that it is done."""
    held = moments.pin(seat.by, uid, key=request_key(request))
    if getattr(request, "htmx", None):
        return render(request, "campaigns/_pin.html", {"uid": uid, "pinned": True, "done": True})
    return redirect("session", seat.campaign.slug, held.session.number)


@require_POST
@member_view(Role.PLAYER)
def moment_unpin(request: HttpRequest, seat: Seat, uid: UUID) -> HttpResponse:
    moments.unpin(seat.by, uid, key=request_key(request))
    return redirect("log_event", seat.campaign.slug, uid)
