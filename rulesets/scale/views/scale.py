"""The Scale's own page: how it has moved, and for GMs what is likely next."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.models import GameSession, Role
from rolls.settings import roll_settings
from rulesets.scale.models import Scale
from rulesets.scale.services import state
from rulesets.scale.services.outlook import chart, outlook


@require_GET
@member_view(Role.SPECTATOR)
def scale(request: HttpRequest, seat: Seat) -> HttpResponse:
    """How the Scale moved in a session (`?session=<number>`, else the last one)."""
    sessions = GameSession.objects.filter(campaign=seat.campaign)
    number = request.GET.get("session", "")
    chosen = sessions.filter(number=int(number)).first() if number.isdecimal() and len(number) < 9 else None
    session = chosen or sessions.last()
    settings = roll_settings(seat.campaign)
    scales = [
        {"facts": facts, "chart": chart(found, session), "outlook": outlook(found, settings) if seat.is_gm else None}
        for facts in state.scale_states(seat)
        for found in Scale.objects.filter(pk=facts["id"]).select_related("character")
    ]
    context = {"seat": seat, "campaign": seat.campaign, "scales": scales, "session": session, "sessions": sessions}
    return render(request, "scale/scale.html", context)
