"""Putting right what was said."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns.access import member_view, request_key
from campaigns.errors import Missing
from campaigns.forms.wording import AmendForm
from campaigns.models import Event, Role, Seat
from campaigns.services.wording import amend_words, last_words, may_amend
from campaigns.views.answers import tried


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def log_amend(request: HttpRequest, seat: Seat, uid: UUID) -> HttpResponse:
    key = request_key(request) if request.method == "POST" else None
    event = Event.objects.seen_by(seat).select_related("payload").filter(uid=uid).order_by("pk").first()
    if event is None or seat.membership is None or not may_amend(event, seat.membership):
        raise Missing
    form = AmendForm(request.POST or None, initial={"words": last_words(event)})
    status = 200
    if key is not None:
        status = tried(form, lambda: amend_words(seat.by, uid, **form.cleaned_data, key=key))
        if not status:
            return redirect(f"{reverse('log_event', args=[seat.campaign.slug, uid])}#event-{uid}")
    return render(request, "campaigns/amend.html", {"seat": seat, "form": form, "event": event}, status=status)
