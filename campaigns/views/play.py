"""Game sessions and scenes: the GM's deeds at the table, and the page that lists them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import Missing
from campaigns.forms.play import TitleForm
from campaigns.models import GameSession, Role, Scene, Seat
from campaigns.services import play
from campaigns.services.edits import version
from campaigns.views.answers import beside, done, refused, tried


@require_GET
@member_view(Role.SPECTATOR)
def sessions(request: HttpRequest, seat: Seat) -> HttpResponse:
    found = GameSession.objects.filter(campaign=seat.campaign).order_by("-number").prefetch_related("scenes")
    return render(request, "campaigns/sessions.html", {"seat": seat, "sessions": found})


@require_POST
@member_view(Role.GM)
def session_start(request: HttpRequest, seat: Seat) -> HttpResponse:
    form = TitleForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    play.start_session(seat.by, form.cleaned_data["title"], key=request_key(request))
    return done(request, "sessions", seat.campaign.slug)


@require_POST
@member_view(Role.GM)
def session_end(request: HttpRequest, seat: Seat) -> HttpResponse:
    play.end_session(seat.by, key=request_key(request))
    return done(request, "sessions", seat.campaign.slug)


@require_POST
@member_view(Role.GM)
def scene_open(request: HttpRequest, seat: Seat) -> HttpResponse:
    form = TitleForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    play.open_scene(seat.by, form.cleaned_data["title"], key=request_key(request))
    return done(request, "sessions", seat.campaign.slug)


@require_POST
@member_view(Role.GM)
def scene_close(request: HttpRequest, seat: Seat) -> HttpResponse:
    play.close_scene(seat.by, key=request_key(request))
    return done(request, "sessions", seat.campaign.slug)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def session_title(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    found = GameSession.objects.filter(campaign=seat.campaign, number=number).first()
    return _title(request, seat, found)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def scene_title(request: HttpRequest, seat: Seat, number: int, scene_number: int) -> HttpResponse:
    scenes = Scene.objects.select_related("session")
    found = scenes.filter(session__campaign=seat.campaign, session__number=number, number=scene_number).first()
    return _title(request, seat, found)


def _title(request: HttpRequest, seat: Seat, thing: GameSession | Scene | None) -> HttpResponse:
    """The page with the one field of a title, and its saving."""
    if thing is None:
        raise Missing
    form = TitleForm(request.POST or None, initial={"title": thing.title, "seen": version({"title": thing.title})})
    status = 200
    if request.method == "POST":
        status = tried(form, lambda: _save_title(seat, thing, form, request))
        if not status:
            return redirect("sessions", seat.campaign.slug)
        if status == 409:
            thing.refresh_from_db()
            beside(form, {"title": thing.title}, version({"title": thing.title}))
    return render(request, "campaigns/title.html", {"seat": seat, "thing": thing, "form": form}, status=status)


def _save_title(seat: Seat, thing: GameSession | Scene, form: TitleForm, request: HttpRequest) -> None:
    title, seen, key = form.cleaned_data["title"], form.cleaned_data["seen"], request_key(request)
    if isinstance(thing, Scene):
        play.title_scene(seat.by, thing, title, seen=seen, key=key)
    else:
        play.title_session(seat.by, thing, title, seen=seen, key=key)
