"""The next scene: a form of the table's dialog, with the characters who may be in it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from campaigns.access import member_view, request_key
from campaigns.forms.fields import valid
from campaigns.forms.play import SceneForm
from campaigns.models import Role, Viewer
from campaigns.queries.play import ClosingAction, session_at
from campaigns.services.play import open_scene, scene_version
from campaigns.views.answers import done
from campaigns.views.play import ask_first, is_asking, seen_listed
from characters.queries.in_play import in_play


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def scene_open(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the form of the next scene, and open it. Whoever the players don't know of can't be announced in it."""
    known = [character for character in in_play(viewer) if character.owner_id or character.shown]
    if request.method == "GET":
        session = session_at(viewer)
        expected = scene_version(session, getattr(session, "open_scene", None))
        form = SceneForm(initial={"expected": expected})
        return render(request, "characters/_scene_form.html", {"form": form, "characters": known})
    form = valid(SceneForm(request.POST, request.FILES, characters=[character.subject for character in known]))
    ask, seen = is_asking(request), seen_listed(request)
    opened = open_scene(viewer.by, **form.scene, ask=ask, seen=seen, key=request_key(request))
    if opened is None:
        return ask_first(request, viewer, ClosingAction.NEXT)
    return done(request, "sessions", viewer.campaign.slug)
