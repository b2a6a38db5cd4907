"""The table's panels of Descriptors: Keys that come up, Injuries and what sticks."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.forms.fields import valid
from campaigns.models import Role, Viewer
from campaigns.views.answers import done
from characters.views.sheet import character_at
from rulesets.descriptors import panels
from rulesets.descriptors.forms import ClingingForm, KeyForm
from rulesets.descriptors.rules.keys import Level
from rulesets.descriptors.services import Does, change_clinging, hit_key


@require_GET
@member_view(Role.SPECTATOR)
def keys(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the Keys of the viewer's own characters."""
    return render(request, "descriptors/_keys.html", {"panel": {"those": panels.keys_of(viewer)}})


@require_POST
@member_view(Role.PLAYER)
def key_hit(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    key, form = request_key(request), valid(KeyForm(request.POST))
    given, character = form.cleaned_data, character_at(viewer, character_id)
    hit_key(viewer.by, character, given["row"], Level(given["level"]), words=given["words"], key=key)
    return done(request, "table", viewer.campaign.slug)


@require_GET
@member_view(Role.SPECTATOR)
def clinging(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the burdens of all characters."""
    return render(request, "descriptors/_clinging.html", {"panel": panels.clinging(viewer)})


@require_POST
@member_view(Role.PLAYER)
def clinging_change(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Do what a press at one of these rows says."""
    by, key, form = viewer.by, request_key(request), valid(ClingingForm(request.POST))
    does, character, rows, row_id, dice = form.cleaned_data["row"].split(":")
    why = form.cleaned_data["why"]
    change_clinging(by, UUID(character), rows, row_id, Does(does), dice=int(dice), why=why, key=key)
    return done(request, "table", viewer.campaign.slug)
