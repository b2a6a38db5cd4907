"""Pin entries of the log, put their words right, put them under another scene."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound
from campaigns.events import place_words
from campaigns.forms.log_entries import AmendForm, RefileForm
from campaigns.models import Event, Role, Viewer
from campaigns.models.log import place_of
from campaigns.models.play import now_of
from campaigns.services import log_entries as moments
from campaigns.services.log_entries import amend_words, last_words, may_amend, may_refile, refile
from campaigns.views.answers import tried


@require_POST
@member_view(Role.PLAYER)
def moment_pin(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    """Pin a moment. Not every page with such a line follows the table, so the answer itself shows that it is done."""
    held = moments.pin(viewer.by, uid, key=request_key(request))
    if getattr(request, "htmx", None):
        return render(request, "campaigns/_pin.html", {"uid": uid, "pinned": True, "done": True})
    return redirect("session", viewer.campaign.slug, held.session.number)


@require_POST
@member_view(Role.PLAYER)
def moment_unpin(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    moments.unpin(viewer.by, uid, key=request_key(request))
    return redirect("log_event", viewer.campaign.slug, uid)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def log_amend(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    key = request_key(request) if request.method == "POST" else None
    event = Event.objects.seen_by(viewer).select_related("stored").filter(uid=uid).order_by("pk").first()
    if event is None or viewer.membership is None or not may_amend(event, viewer.membership):
        raise NotFound
    form = AmendForm(request.POST or None, initial={"words": last_words(event)})
    status = 200
    if key is not None:
        status = tried(form, lambda: amend_words(viewer.by, uid, **form.cleaned_data, key=key))
        if not status:
            return redirect(f"{reverse('log_event', args=[viewer.campaign.slug, uid])}#event-{uid}")
    return render(request, "campaigns/amend.html", {"viewer": viewer, "form": form, "event": event}, status=status)


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
