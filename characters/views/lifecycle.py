"""A character's life cycle: taking it out of play, bringing it back, deleting it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns.access import member_view, request_key
from campaigns.models import Role, Viewer
from campaigns.views.answers import done, tried
from characters.forms.cards import DeleteForm
from characters.services import delete_character, kill_character, retire_character, return_character
from characters.views.cards import card_page, writable
from characters.views.sheet import character_at


@require_POST
@member_view(Role.PLAYER)
def character_retire(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    retire_character(viewer.by, character_at(viewer, character_id), key=request_key(request))
    return done(request, "character", viewer.campaign.slug, character_id)


@require_POST
@member_view(Role.PLAYER)
def character_die(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    kill_character(viewer.by, character_at(viewer, character_id), key=request_key(request))
    return done(request, "character", viewer.campaign.slug, character_id)


@require_POST
@member_view(Role.PLAYER)
def character_return(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    return_character(viewer.by, character_at(viewer, character_id), key=request_key(request))
    return done(request, "character", viewer.campaign.slug, character_id)


@require_POST
@member_view(Role.PLAYER)
def character_delete(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    form, key = DeleteForm(request.POST), request_key(request)
    status = tried(request, form, lambda: delete_character(viewer.by, current, form.cleaned_data["name"], key=key))
    if status:
        return card_page(request, viewer, current, status, delete_form=form)
    return redirect("characters", viewer.campaign.slug)
