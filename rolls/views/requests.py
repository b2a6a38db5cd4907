"""Rolls that the GM calls for."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import Seat, member_view, request_key
from campaigns.errors import Missing
from campaigns.models import Membership, Role
from campaigns.views.answers import done, refused
from rolls.forms.requests import CallForm
from rolls.forms.storyteller import KINDS
from rolls.models import Audience, RollRequest
from rolls.services.requests import ask_for_roll, change_request, close_request

AUDIENCES = [
    (Audience.TABLE.value, "everybody"),
    (Audience.SELF.value, "whoever rolls, and the GM"),
    (Audience.GM.value, "the GM alone"),
]


@require_GET
@member_view(Role.GM)
def form(request: HttpRequest, seat: Seat, request_id: UUID | None = None) -> HttpResponse:
    """The form to call for a roll, or to change one that is called for."""
    asked = (
        RollRequest.objects.filter(campaign=seat.campaign, pk=request_id, closed_at=None).first()
        if request_id
        else None
    )
    if request_id and asked is None:
        raise Missing
    members = Membership.objects.here().filter(campaign=seat.campaign).select_related("user").order_by("pk")
    context = {"campaign": seat.campaign, "asked": asked, "members": members, "kinds": KINDS, "audiences": AUDIENCES}
    return render(request, "rolls/_request_form.html", context)


@require_POST
@member_view(Role.GM)
def ask(request: HttpRequest, seat: Seat) -> HttpResponse:
    form = CallForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    given = form.cleaned_data
    audience = Audience(given["audience"] or Audience.TABLE)
    ask_for_roll(seat.by, form.call(), member=given["member"], audience=audience, key=request_key(request))
    return done(request, "table", seat.campaign.slug)


@require_POST
@member_view(Role.GM)
def change(request: HttpRequest, seat: Seat, request_id: UUID) -> HttpResponse:
    """Change it before the dice fall."""
    form = CallForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    change_request(seat.by, request_id, form.call(), key=request_key(request))
    return done(request, "table", seat.campaign.slug)


@require_POST
@member_view(Role.GM)
def close(request: HttpRequest, seat: Seat, request_id: UUID) -> HttpResponse:
    close_request(seat.by, request_id, key=request_key(request))
    return done(request, "table", seat.campaign.slug)
