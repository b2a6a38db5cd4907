"""What follows from a won roll of pool against pool, from its card."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from campaigns.access import member_view, request_key
from campaigns.errors import Invalid
from campaigns.models import Role, Viewer
from campaigns.views.answers import done, refused
from characters.models import Character
from rulesets.descriptors.forms import FollowsForm
from rulesets.descriptors.table.ask import NAME
from rulesets.descriptors.table.follows import make_descriptor, make_stick, open_for, take_hit
from rulesets.descriptors.table.words import HIT, MADE


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def follows(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """GET: the forms of what is still open to this person. POST: one of them."""
    if request.method == "GET":
        return render(
            request, "descriptors/_follows_form.html", {"campaign": viewer.campaign} | _shown(viewer, roll_id)
        )
    form, key = FollowsForm(request.POST), request_key(request)
    if not form.is_valid():
        return refused(request, form)
    _follow(viewer, roll_id, form.cleaned_data, key)
    return done(request, "table", viewer.campaign.slug)


def _shown(viewer: Viewer, roll_id: UUID) -> dict[str, Any]:
    known = Character.objects.seen_by(viewer).active().filter(system=NAME).order_by("name")
    mine = Character.objects.controlled_by(viewer.by).filter(system=NAME).order_by("name")
    return {"roll_id": roll_id, "open": open_for(viewer, roll_id), "known": known, "mine": mine}


def _follow(viewer: Viewer, roll_id: UUID, given: dict[str, Any], key: UUID) -> None:
    if given["what"] == HIT:
        take_hit(viewer.by, roll_id, injury=given["injury"], name=given["name"] or "Injury", key=key)
    elif given["what"] == MADE:
        make_descriptor(viewer.by, roll_id, given["name"], key=key)
    elif given["to"] and given["payer"]:
        make_stick(viewer.by, roll_id, to=given["to"], payer=given["payer"], key=key)
    else:
        raise Invalid("Choose to whom it sticks, and who pays for it.", field="to")
