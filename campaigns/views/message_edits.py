"""Putting right what was said."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound
from campaigns.forms.message_edits import AmendForm
from campaigns.models import Event, Role, Viewer
from campaigns.services.message_edits import amend_words, last_words, may_amend
from campaigns.views.answers import tried


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
