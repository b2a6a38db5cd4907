"""Portraits: the pictures themselves, and choosing one."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import existing
from campaigns.models import Role, Viewer
from campaigns.views.answers import picture_answer, tried
from characters.forms.cards import PortraitForm
from characters.models import Portrait
from characters.services import remove_portrait, set_portrait
from characters.views.cards import card_page, writable
from characters.views.sheet import character_at


@require_GET
@member_view(Role.SPECTATOR)
def portrait(
    request: HttpRequest, viewer: Viewer, character_id: UUID, picture: str, part: str = "image"
) -> HttpResponse:
    """Return the picture, `part` "image" or "icon", to those who may see the card; raise NotFound for all others, and for a
    picture that was replaced.
    """
    current = character_at(viewer, character_id)
    kept = existing(Portrait.objects.filter(character=current).first() if picture == current.picture else None)
    return picture_answer(getattr(kept, part) or kept.image)


@require_POST
@member_view(Role.PLAYER)
def character_portrait(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    key = request_key(request)
    form = PortraitForm(request.POST, request.FILES)
    status = tried(request, form, lambda: set_portrait(viewer.by, current, form.portrayal, key=key))
    if status:
        return card_page(request, viewer, current, status, portrait_form=form)
    return redirect("character_card", viewer.campaign.slug, current.pk)


@require_POST
@member_view(Role.PLAYER)
def character_portrait_remove(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    remove_portrait(viewer.by, writable(viewer, character_id), key=request_key(request))
    return redirect("character_card", viewer.campaign.slug, character_id)
