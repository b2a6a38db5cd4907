"""The Scale's own page: how it has moved, and for GMs what is likely next; and what a campaign decides about its rolls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from campaigns.access import Seat, member_view, request_key
from campaigns.models import GameSession, Role
from campaigns.views.answers import tried
from rolls.forms.settings import RulesForm
from rolls.models import Scale
from rolls.services import state
from rolls.services.outlook import chart, outlook
from rolls.services.settings import change_settings
from rolls.settings import roll_settings


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
    return render(request, "rolls/scale.html", context)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def rules(request: HttpRequest, seat: Seat) -> HttpResponse:
    """What this table decides where the rules leave it open."""
    now = roll_settings(seat.campaign)
    form = RulesForm(request.POST or None, now=now, systems=seat.campaign.systems)
    status = 200
    if request.method == "POST":
        status = tried(form, lambda: change_settings(seat.by, form.settings(), key=request_key(request)))
        if not status:
            return redirect("rules_settings", seat.campaign.slug)
    return render(request, "rolls/rules.html", {"seat": seat, "campaign": seat.campaign, "form": form}, status=status)
