"""Pictures at the table: themselves, shown to all, and the list of handouts."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import existing
from campaigns.forms.fields import valid
from campaigns.forms.play import CoverForm, HandoutForm, NewHandoutForm, ShowForm, TakeForm
from campaigns.models import Campaign, Cover, Picture, Role, Scene, Viewer
from campaigns.pictures import LARGEST_UPLOAD, too_large
from campaigns.queries.handouts import shelf
from campaigns.services.members import open_invitation
from campaigns.services.pictures import (
    drop_handout,
    keep_handout,
    own_handouts_elsewhere,
    see_picture,
    set_cover,
    show_picture,
    show_scene,
    take_over,
)
from campaigns.services.play import hand_out, show_handout
from campaigns.views.answers import done, picture_answer, tried
from people.context import person_of

MOST_OFFERED = 200
"""How many handouts of other campaigns are offered to take over, the newest of each."""


@require_GET
@member_view(Role.SPECTATOR)
def shared_picture(request: HttpRequest, viewer: Viewer, picture_id: UUID, part: str = "full") -> HttpResponse:
    """Send the picture, `part` "full" or "small", to those who may see its line; others get a 404."""
    image = existing(Picture.objects.seen_by(viewer).filter(pk=picture_id).values_list(part, flat=True).first())
    return picture_answer(image)


@require_GET
@member_view(Role.SPECTATOR)
def handouts(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    return _handouts(request, viewer, NewHandoutForm(viewer.campaign))


@require_POST
@member_view(Role.GM)
def handout_add(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show a picture that stays on the list. A script sends several, one after the other."""
    form, key = NewHandoutForm(viewer.campaign, request.POST, request.FILES), request_key(request)
    if getattr(request, "htmx", None):
        hand_out(viewer.by, **valid(form).handout, key=key)
        return done(request, "handouts", viewer.campaign.slug)
    status = tried(request, form, lambda: hand_out(viewer.by, **form.handout, key=key))
    return _handouts(request, viewer, form, status) if status else redirect("handouts", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def handout_take(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Take handouts over from other campaigns."""
    key, form = request_key(request), valid(TakeForm(own_handouts_elsewhere(viewer.by), request.POST))
    take_over(viewer.by, [Picture(pk=pk) for pk in form.cleaned_data["pictures"]], key=key)
    return done(request, "handouts", viewer.campaign.slug)


def _handouts(request: HttpRequest, viewer: Viewer, form: NewHandoutForm, status: int = 200) -> HttpResponse:
    may_take = viewer.is_gm and not viewer.is_read_only
    context = {
        "viewer": viewer,
        "handouts": shelf(viewer),
        "form": form,
        "elsewhere": own_handouts_elsewhere(viewer.by).defer("full", "small")[:MOST_OFFERED] if may_take else [],
        "largest": LARGEST_UPLOAD,
        "too_large": too_large(),
    }
    return render(request, "campaigns/handouts.html", context, status=status)


@require_POST
@member_view(Role.PLAYER)
def picture_show(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    show_picture(viewer.by, uid, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def picture_scene(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    show_scene(viewer.by, uid, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.SPECTATOR)
def picture_see(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    see_picture(viewer.by, uid, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def handout_keep(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    key, form = request_key(request), valid(HandoutForm(request.POST))
    keep_handout(viewer.by, uid, form.cleaned_data["title"], key=key)
    return done(request, "handouts", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def handout_reveal(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    """Show a handout to the people chosen, without any to everyone."""
    key, form = request_key(request), valid(ShowForm(viewer.campaign, request.POST))
    show_handout(viewer.by, uid, to=list(form.cleaned_data["to"]), key=key)
    return done(request, "handouts", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def handout_drop(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    drop_handout(viewer.by, uid, key=request_key(request))
    return done(request, "handouts", viewer.campaign.slug)


@require_GET
@member_view(Role.SPECTATOR)
def cover(request: HttpRequest, viewer: Viewer, digest: str, part: str = "full") -> HttpResponse:
    """Send the picture, `part` "full", "small" or "icon"."""
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
    scene = existing(scenes.first())
    _set(request, viewer, scene)
    return redirect("scene_title", viewer.campaign.slug, number, scene_number)


def _set(request: HttpRequest, viewer: Viewer, scene: Scene | None) -> None:
    key, form = request_key(request), CoverForm(request.POST, request.FILES)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for error in form.errors["picture"]))
    elif form.cleaned_data["picture"] or "remove" in request.POST:
        set_cover(viewer.by, form.cleaned_data["picture"], scene=scene, key=key)
    else:
        messages.error(request, _("Choose a picture first."))


def _picture(campaign: Campaign, digest: str, part: str) -> HttpResponse:
    image, small = existing(Cover.objects.filter(campaign=campaign, digest=digest).values_list(part, "small").first())
    return picture_answer(image or small)
