"""A finished session, played again on the table's own components. Nothing can be done there."""

from __future__ import annotations

from dataclasses import asdict
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns.access import id_or_none, member_view
from campaigns.errors import existing
from campaigns.models import GameSession, Role, Viewer
from rolls.context import of_session
from rolls.queries.replay import beginning, moments

AFTER = "after"  # in an address: the event after which the page begins


@require_GET
@member_view(Role.SPECTATOR)
def replay(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Return the table as it was when a session began, and what plays the session on it."""
    session = _finished(viewer, number)
    context = {
        "viewer": viewer,
        "session": session,
        "beginning": beginning(viewer, session),
        **of_session(viewer, session),
        "events_url": reverse("replay_events", args=[viewer.campaign.slug, number]),
        # The head of the page is that evening's, too.
        "now": {"session": str(session), "scene": ""},
    }
    return render(request, "rolls/replay.html", context)


@require_GET
@member_view(Role.SPECTATOR)
def replay_events(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Return a page of a session: {"moments": [{"uid", "at", "html", "roll", "scene"}], "further": where the next page is, or
    ""}."""
    shown, last = moments(viewer, _finished(viewer, number), _after(request))
    further = f"{request.path}?{AFTER}={last}" if last else ""
    answer = JsonResponse({"moments": [asdict(moment) for moment in shown], "further": further})
    answer["Cache-Control"] = "no-store"
    return answer


def _after(request: HttpRequest) -> UUID | None:
    if AFTER not in request.GET:
        return None
    return existing(id_or_none(request.GET[AFTER]))


def _finished(viewer: Viewer, number: int) -> GameSession:
    """Raises NotFound while the session is being played: the table shows it."""
    return existing(GameSession.objects.filter(campaign=viewer.campaign, number=number).exclude(ended_at=None).first())
