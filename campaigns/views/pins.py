"""Pinning moments: from a line of the feed or the log, and off again from the session's page."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from campaigns.access import member_view, request_key
from campaigns.models import Role, Viewer
from campaigns.services import pins as moments


@require_POST
@member_view(Role.PLAYER)
def moment_pin(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    """Not every page with such a line follows the table, so the answer itself says that it is done."""
    held = moments.pin(viewer.by, uid, key=request_key(request))
    if getattr(request, "htmx", None):
        return render(request, "campaigns/_pin.html", {"uid": uid, "pinned": True, "done": True})
    return redirect("session", viewer.campaign.slug, held.session.number)


@require_POST
@member_view(Role.PLAYER)
def moment_unpin(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    moments.unpin(viewer.by, uid, key=request_key(request))
    return redirect("log_event", viewer.campaign.slug, uid)
