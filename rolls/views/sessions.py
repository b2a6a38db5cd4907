"""The page of one session, and the recap that a GM writes of it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from campaigns.access import Seat, member_view, request_key
from campaigns.errors import Missing
from campaigns.forms.moments import RecapForm
from campaigns.live.render import render_line
from campaigns.models import GameSession, Role
from campaigns.queries.moments import pins_of
from campaigns.services import recaps, visits
from campaigns.views.answers import beside, tried
from rolls.context import Panels
from rolls.services.recap import recap_draft
from rolls.services.sessions import missed, told


@require_GET
@member_view(Role.SPECTATOR)
def session(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """What happened in a session, as this viewer may see it."""
    visits.look(seat)
    found = _session(seat, number)
    known = told(seat, found)
    removable = pins_of(seat, found)
    moments = [(event.uid, render_line(event, Role.SPECTATOR), event.uid in removable) for event in known.moments]
    context = {
        "seat": seat,
        "session": found,
        "told": known,
        "panels": Panels(seat, found),
        "moments": [moment for moment in moments if moment[1]],
        "recap": recaps.recap_of(found),
        "missed": missed(seat, found),
        "was_here": seat.membership in known.who,
    }
    return render(request, "rolls/session.html", context)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def recap(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Write on the recap: `publish` in the form shows it to all."""
    found = _session(seat, number)
    now = recaps.recap_of(found)
    first = {"draft": now.draft or recap_draft(seat, found), "seen": recaps.recap_version(now)}
    form = RecapForm(request.POST or None, initial=first)
    status = 200
    if request.method == "POST":
        status = tried(form, lambda: _write(request, seat, found, form))
        if not status:
            return redirect("session", seat.campaign.slug, number)
        if status == 409:
            now = recaps.recap_of(found)
            beside(form, {"draft": now.draft}, recaps.recap_version(now))
    context = {"seat": seat, "session": found, "form": form, "recap": now}
    return render(request, "rolls/recap.html", context, status=status)


def _write(request: HttpRequest, seat: Seat, found: GameSession, form: RecapForm) -> None:
    recaps.write_recap(
        seat.by,
        found,
        form.cleaned_data["draft"],
        publish="publish" in request.POST,
        seen=form.cleaned_data["seen"],
        key=request_key(request),
    )


def _session(seat: Seat, number: int) -> GameSession:
    found = GameSession.objects.filter(campaign=seat.campaign, number=number).prefetch_related("scenes").first()
    if found is None:
        raise Missing
    return found
