"""A GM's page asks for a witness of the roll that it is about to make; players' pages answer by themselves (witness.js)."""

from __future__ import annotations

from uuid import UUID, uuid5

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from campaigns.access import member_view, request_key
from campaigns.forms.fields import valid
from campaigns.models import Role, Viewer
from rolls.forms.base import WitnessForm
from rolls.registry import commands_of
from rolls.services.witness import ask_witness, give_witness
from rolls.slash import is_roll
from rolls.views.compose import slash_form
from rolls.views.rolls import roll_form

ASKED, NOBODY = 202, 204


@require_POST
@member_view(Role.GM)
def ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Sent with the fields and the key of a roll that is not made yet. 202: wait for a witness; 204: there will be none."""
    roll_id = request_key(request)
    if "text" in request.POST and not is_roll(request.POST["text"], commands_of(viewer.campaign.systems)):
        return HttpResponse(status=NOBODY)
    form = valid(
        slash_form(viewer, request.POST) if "text" in request.POST else roll_form(request.POST, viewer.campaign)
    )
    given = form.cleaned_data
    seeds = {"faces": given["faces"], "client_seed": given["client_seed"]}
    key = uuid5(roll_id, "witness")
    asked = ask_witness(viewer.by, form.ask(), audience=form.seen_by, roll_id=roll_id, key=key, **seeds)
    return HttpResponse(status=ASKED if asked and not asked.seed else NOBODY)


@require_POST
@member_view(Role.PLAYER)
def give(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Witness a roll."""
    key, form = request_key(request), valid(WitnessForm(request.POST))
    give_witness(viewer.by, roll_id, seed=form.cleaned_data["seed"], key=key)
    return HttpResponse(status=204)
