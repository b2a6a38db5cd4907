"""The rolls offered for a character: saved ones, and the last that were made."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound, existing
from campaigns.forms.fields import valid
from campaigns.models import Role, Viewer
from campaigns.views.answers import done
from characters.models import Character
from rolls.forms.base import KeptForm, RollForm
from rolls.queries.kept import kept_rolls
from rolls.services.kept import forget_roll, save_roll
from rolls.views.rolls import roll_form

FOR_ONE_ROLL = ("faces", "note", "announce", "client_seed")
"""Fields that saved rolls leave out; they also leave out references to existing things: a character, a request, another roll.
"""


@require_GET
@member_view(Role.PLAYER)
def kept(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    character = existing(Character.objects.controlled_by(viewer.by).filter(pk=character_id).first())
    context: dict[str, Any] = {"campaign": viewer.campaign, "kept": kept_rolls(viewer.by, character)}
    return render(request, "rolls/_kept_rolls.html", context)


@require_POST
@member_view(Role.PLAYER)
def save(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Save the fields of the roll form by a name."""
    named, rolled = valid(KeptForm(request.POST)), valid(roll_form(request.POST, viewer.campaign))
    character, name = rolled.cleaned_data["character"], named.cleaned_data["called"]
    if character is None:
        raise NotFound
    save_roll(viewer.by, character, name, rolled.system, _fields(rolled), key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.PLAYER)
def forget(request: HttpRequest, viewer: Viewer, saved_id: UUID) -> HttpResponse:
    forget_roll(viewer.by, saved_id, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


def _fields(form: RollForm) -> dict[str, str]:
    """Return the typed and chosen fields that are not for one roll only."""
    lasting = {
        name
        for name, field in form.fields.items()
        if name not in FOR_ONE_ROLL and not isinstance(field, forms.UUIDField)
    }
    return {name: str(form.data[name]) for name in sorted(lasting) if form.data.get(name)}
