"""The Scale's own page: how it has moved, and for GMs what is likely next."""

from __future__ import annotations

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.models import GameSession, Role, Viewer
from campaigns.queries.play import sessions_offered
from rolls.settings import roll_settings
from rulesets.scale.models import Scale
from rulesets.scale.queries import state
from rulesets.scale.queries.preview import chart, outlook


@require_GET
@member_view(Role.SPECTATOR)
def scale(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """How the Scale moved in a session (`?session=<number>`, else the last one)."""
    sessions = GameSession.objects.filter(campaign=viewer.campaign)
    number = request.GET.get("session", "")
    chosen = sessions.filter(number=int(number)).first() if number.isdecimal() and len(number) < 9 else None
    session = chosen or sessions.last()
    offered = sessions_offered(viewer.campaign, Q(pk=session.pk) if session else None)
    settings = roll_settings(viewer.campaign)
    scales = [
        {
            "payload": payload,
            "chart": chart(stored, session),
            "outlook": outlook(stored, settings) if viewer.is_gm else None,
        }
        for payload in state.scale_states(viewer)
        for stored in Scale.objects.filter(pk=payload["id"]).select_related("character")
    ]
    context = {
        "viewer": viewer,
        "campaign": viewer.campaign,
        "scales": scales,
        "session": session,
        "sessions": list(offered)[::-1],
    }
    return render(request, "scale/scale.html", context)
