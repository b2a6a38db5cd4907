"""Putting an event under another scene."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound
from campaigns.events import place_words
from campaigns.forms.scene_overrides import RefileForm
from campaigns.models import Event, Role, Viewer
from campaigns.models.play import now_of
from campaigns.models.scene_overrides import place_of
from campaigns.services.scene_overrides import may_refile, refile
from campaigns.views.answers import tried


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def log_refile(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    key = request_key(request) if request.method == "POST" else None
    events = (
        Event.objects.seen_by(viewer).deduplicated(viewer).select_related("session", "scene", "filing__scene__session")
    )
    event = events.filter(uid=uid).first()
    if event is None or viewer.membership is None or not may_refile(event, viewer.membership):
        raise NotFound
    form = RefileForm(event, place_words(now_of(event.session, event.scene)), request.POST or None)
    status = 200
    if key is not None:
        status = tried(form, lambda: refile(viewer.by, uid, form.chosen, reason=form.cleaned_data["reason"], key=key))
        if not status:
            return redirect(f"{reverse('log_event', args=[viewer.campaign.slug, uid])}#event-{uid}")
    context = {"viewer": viewer, "form": form, "event": event, "place": place_words(now_of(*place_of(event)))}
    return render(request, "campaigns/refile.html", context, status=status)
