"""Pausing play without a name, and the page of lines and veils."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.forms.safety import BoundariesForm, PauseWordsForm
from campaigns.live.presence import follow
from campaigns.models import Boundaries, Role, Viewer
from campaigns.services.safety import (
    boundaries_version,
    choose_pause_words,
    own_boundaries,
    pause_play,
    resume_play,
    write_boundaries,
)
from campaigns.views.answers import beside, done, tried


@require_POST
@member_view(Role.SPECTATOR)
def play_pause(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    pause_play(viewer.by, key=request_key(request))
    # Not the table: others would see who comes to it just now.
    return done(request, "log", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def play_resume(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    resume_play(viewer.by, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_http_methods(["GET", "POST"])
@member_view(Role.SPECTATOR)
def boundaries(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the merged boundaries, and a form for one's own. In a GM's preview nobody's own are shown, and non-members
    see none at all.
    """
    if viewer.is_read_only:
        return _page(request, viewer)
    mine = own_boundaries(viewer.by)
    given = {**mine.texts, "expected": boundaries_version(mine)}
    form = BoundariesForm(request.POST or None, initial=given)
    if request.method != "POST":
        return _page(request, viewer, form=form)
    key = request_key(request)
    status = tried(request, form, lambda: write_boundaries(viewer.by, **form.cleaned_data, key=key))
    if status:
        if status == 409 and not viewer.campaign.archived_at:
            mine = own_boundaries(viewer.by)
            beside(form, mine.texts, boundaries_version(mine))
        return _page(request, viewer, status, form=form)
    messages.success(request, _("Your lines and veils are saved. Others see them without your name."))
    return redirect("boundaries", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def pause_words(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    key = request_key(request)
    form = PauseWordsForm(request.POST)
    status = tried(request, form, lambda: choose_pause_words(viewer.by, form.cleaned_data["words"], key=key))
    if status:
        return _page(request, viewer, status, words_form=form)
    messages.success(request, _("Message saved."))
    return redirect("boundaries", viewer.campaign.slug)


def _page(request: HttpRequest, viewer: Viewer, status: int = 200, **forms: Any) -> HttpResponse:
    following = follow(viewer)
    if "form" not in forms and not viewer.is_read_only:
        mine = own_boundaries(viewer.by)
        forms["form"] = BoundariesForm(initial={**mine.texts, "expected": boundaries_version(mine)})
    if viewer.is_gm:
        forms.setdefault("words_form", PauseWordsForm(initial={"words": viewer.campaign.pause_words}))
    merged = Boundaries.objects.merged(viewer.campaign) if viewer.belongs else None
    context = {"viewer": viewer, "merged": merged, **forms}
    return render(request, "campaigns/boundaries.html", context | following, status=status)
