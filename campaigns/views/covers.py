"""Covers: the pictures themselves, and choosing one for the campaign or a scene."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound
from campaigns.forms.pictures import CoverForm
from campaigns.models import Campaign, Cover, Role, Scene, Viewer
from campaigns.pictures import CACHED, CONTENT_TYPE
from campaigns.services.covers import set_cover
from campaigns.services.invitations import open_invitation
from people.access import person_of


@require_GET
@member_view(Role.SPECTATOR)
def cover(request: HttpRequest, viewer: Viewer, digest: str, part: str = "full") -> HttpResponse:
    """Send the picture, `part` "full" or "small"."""
    return _picture(viewer.campaign, digest, part)


@require_GET
def join_cover(request: HttpRequest, token: str) -> HttpResponse:
    """Send the cover of the campaign that an invitation is for."""
    asks = person_of(request) if request.user.is_authenticated else None
    campaign = open_invitation(token, asks).campaign
    return _picture(campaign, campaign.cover, "full")


@require_POST
@member_view(Role.GM)
def campaign_cover(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Set the cover of the campaign; without a picture it is removed."""
    _set(request, viewer, None)
    return redirect("campaign_settings", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def scene_cover(request: HttpRequest, viewer: Viewer, number: int, scene_number: int) -> HttpResponse:
    """Set the picture of a scene; without one it is removed."""
    scenes = Scene.objects.filter(session__campaign=viewer.campaign, session__number=number, number=scene_number)
    scene = scenes.first()
    if scene is None:
        raise NotFound
    _set(request, viewer, scene)
    return redirect("scene_title", viewer.campaign.slug, number, scene_number)


def _set(request: HttpRequest, viewer: Viewer, scene: Scene | None) -> None:
    key, form = request_key(request), CoverForm(request.POST, request.FILES)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for error in form.errors["picture"]))
    elif form.cleaned_data["picture"] or "remove" in request.POST:
        set_cover(viewer.by, form.cleaned_data["picture"], scene=scene, key=key)
    else:
        messages.error(request, "Choose a picture first.")


def _picture(campaign: Campaign, digest: str, part: str) -> HttpResponse:
    image = Cover.objects.filter(campaign=campaign, digest=digest).values_list(part, flat=True).first()
    if image is None:
        raise NotFound
    return HttpResponse(
        bytes(image),
        content_type=CONTENT_TYPE,
        headers={
            "Cache-Control": CACHED,
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
        },
    )
