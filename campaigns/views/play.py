"""Game sessions and scenes: the GM's operations at the table, and the page that lists them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound
from campaigns.forms.fields import valid
from campaigns.forms.play import CoverForm, StorylineForm, TitleForm
from campaigns.live.presence import token
from campaigns.models import GameSession, Role, Scene, Storyline, Viewer
from campaigns.models.members import TABLE
from campaigns.queries.play import (
    ClosingAction,
    about_to_close,
    closing,
    endings,
    listed,
    next_meeting,
    row,
    session_at,
    storyline_at,
)
from campaigns.services import play
from campaigns.services import play as services
from campaigns.services.log import version
from campaigns.views.answers import beside, done, formed, page_of_list, tried

PAGE = 8  # sessions
LONGEST_NUMBER = 9  # digits


@require_GET
@member_view(Role.SPECTATOR)
def sessions(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the sessions, the newest first; `before` in the query string is the number of the session to go on from."""
    listed = GameSession.objects.filter(campaign=viewer.campaign).order_by("-number").prefetch_related("scenes")
    before = request.GET.get("before", "")
    if before.isdecimal() and len(before) < LONGEST_NUMBER:
        listed = listed.filter(number__lt=int(before))
    page = list(listed[: PAGE + 1])
    context = {
        "viewer": viewer,
        "next": next_meeting(viewer.campaign, session_at(viewer)),
        "sessions": page[:PAGE],
        "further": f"?before={page[PAGE - 1].number}" if len(page) > PAGE else "",
        "later_page": "before" in request.GET,
    }
    return page_of_list(request, "campaigns/sessions.html", "campaigns/_sessions.html", context)


@require_POST
@member_view(Role.GM)
def session_start(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    form = valid(TitleForm(request.POST))
    play.start_session(viewer.by, form.cleaned_data["title"], key=request_key(request))
    return done(request, "sessions", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def session_end(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    named = valid(TitleForm(request.POST)).cleaned_data
    ask, seen = is_asking(request), seen_listed(request)
    ended = play.end_session(viewer.by, **named, ask=ask, seen=seen, key=request_key(request))
    if ended:
        return done(request, "session", viewer.campaign.slug, ended.number)
    session = session_at(viewer)
    now = session.title if session else ""
    typed = {"expected": named["expected"] or version({"title": now})}
    typed["title"] = named["title"] if named["expected"] else now
    if session:
        typed["draft"] = token(viewer.campaign.pk, f"session:{session.number}", [TABLE])
    return ask_first(request, viewer, ClosingAction.SESSION, **typed)


@require_POST
@member_view(Role.GM)
def scene_close(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    closed = play.close_scene(viewer.by, ask=is_asking(request), seen=seen_listed(request), key=request_key(request))
    return (
        done(request, "sessions", viewer.campaign.slug) if closed else ask_first(request, viewer, ClosingAction.SCENE)
    )


@require_POST
@member_view(Role.GM)
def scene_keep(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Call off the end of a scene or session."""
    play.keep_open(viewer.by, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_GET
@member_view(Role.SPECTATOR)
def scene_closing(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show what is about to end, to everyone at the table; nothing if there is nothing.

    `asks` in the query string names what a GM is about to close, and shows the dialog's list for it.
    """
    asks = request.GET.get("asks")
    if viewer.is_gm and asks in list(ClosingAction):
        return render(request, "campaigns/_closing_list.html", _listed(viewer, ClosingAction(asks)))
    return render(request, "campaigns/_closing.html", {"closing": closing(viewer), "role": viewer.role.value})


def is_asking(request: HttpRequest) -> bool:
    """Return whether the table's dialog is to list first what would end; without scripts there is no dialog."""
    return bool(getattr(request, "htmx", None)) and "anyway" not in request.POST


def seen_listed(request: HttpRequest) -> str:
    """Return which list of what would end was confirmed, "" for none."""
    return request.POST.get("listed", "")[:16]


def ask_first(request: HttpRequest, viewer: Viewer, closes: ClosingAction, **typed: str) -> HttpResponse:
    """Return what would end, for the table's dialog, with what was `typed` there: before the next scene it stands in the form
    that is open there."""
    into, part = ("#desk-ask", "#asked") if closes is ClosingAction.NEXT else ("#desk", "")
    drawn = _listed(viewer, closes) | {"changed": seen_listed(request)} | typed
    answer = render(request, f"campaigns/_closing_desk.html{part}", drawn)
    answer["HX-Retarget"], answer["HX-Reswap"] = into, "innerHTML"
    return answer


def _listed(viewer: Viewer, closes: ClosingAction) -> dict[str, Any]:
    items = endings(viewer, closes)
    announced = about_to_close(session_at(viewer)) == closes
    own = {"closes": closes, "endings": items, "listed": listed(items)}
    return {**own, "told": announced, "role": viewer.role.value}


@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Request")
@member_view(Role.GM)
def session_title(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    session = GameSession.objects.filter(campaign=viewer.campaign, number=number).first()
    return _title(request, viewer, session)


@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Request")
@member_view(Role.GM)
def scene_title(request: HttpRequest, viewer: Viewer, number: int, scene_number: int) -> HttpResponse:
    scenes = Scene.objects.select_related("session")
    scene = scenes.filter(session__campaign=viewer.campaign, session__number=number, number=scene_number).first()
    return _title(request, viewer, scene)


def _title(request: HttpRequest, viewer: Viewer, thing: GameSession | Scene | None) -> HttpResponse:
    """Show the one field of a title, on a page or in the table's dialog, and save it."""
    if thing is None:
        raise NotFound
    form = TitleForm(request.POST or None, initial={"title": thing.title, "expected": version({"title": thing.title})})
    status = tried(request, form, lambda: _save_title(viewer, thing, form, request))
    if not status:
        return done(request, "sessions", viewer.campaign.slug)
    if status == 409:
        thing.refresh_from_db()
        beside(form, {"title": thing.title}, version({"title": thing.title}))
    context: dict[str, Any] = {"viewer": viewer, "thing": thing}
    if isinstance(thing, Scene):
        context["cover_form"] = CoverForm()
    page, submit = "campaigns/title.html", _("Save title")
    return formed(request, form, page, context, status, heading=str(thing), submit=submit)


def _save_title(viewer: Viewer, thing: GameSession | Scene, form: TitleForm, request: HttpRequest) -> None:
    title, seen, key = form.cleaned_data["title"], form.cleaned_data["expected"], request_key(request)
    if isinstance(thing, Scene):
        play.title_scene(viewer.by, thing, title, expected=seen, key=key)
    else:
        play.title_session(viewer.by, thing, title, expected=seen, key=key)


# The storylines of a campaign: a page for everyone, where the GM also writes them.


@require_GET
@member_view(Role.SPECTATOR)
def storylines(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    rows = [_row(storyline, viewer) for storyline in Storyline.objects.of(viewer.campaign)]
    context = {
        "viewer": viewer,
        "open": [row for row in rows if row["open"]],
        "resolved": [row for row in rows if not row["open"]],
        "actions": "campaigns/_storyline_actions.html" if viewer.is_gm else None,
    }
    return render(request, "campaigns/storylines.html", context)


@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Request")
@member_view(Role.GM)
def storyline_new(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    form = StorylineForm(viewer.campaign, request.POST or None)
    status = tried(request, form, lambda: services.add_storyline(viewer.by, **form.written, key=request_key(request)))
    if not status:
        return done(request, "storylines", viewer.campaign.slug)
    page, submit = "campaigns/storyline.html", _("Save storyline")
    return formed(request, form, page, {"viewer": viewer}, status, heading=_("New storyline"), submit=submit)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def storyline(request: HttpRequest, viewer: Viewer, storyline_id: UUID) -> HttpResponse:
    current = storyline_at(viewer, storyline_id)
    initial = {"title": current.title, "whose": current.whose, "gm_notes": current.gm_notes}
    seen = services.storyline_version(current)
    form = StorylineForm(
        viewer.campaign, request.POST or None, left=current.whose, initial=initial | {"expected": seen}
    )
    status = tried(request, form, lambda: _save(request, viewer, current, form))
    if not status:
        return redirect("storylines", viewer.campaign.slug)
    if status == 409:
        _beside(form, storyline_at(viewer, storyline_id))
    context = {"viewer": viewer, "form": form, "storyline": current}
    return render(request, "campaigns/storyline.html", context, status=status)


@require_POST
@member_view(Role.GM)
def storyline_resolve(request: HttpRequest, viewer: Viewer, storyline_id: UUID) -> HttpResponse:
    return _do(request, viewer, storyline_id, services.resolve_storyline)


@require_POST
@member_view(Role.GM)
def storyline_reopen(request: HttpRequest, viewer: Viewer, storyline_id: UUID) -> HttpResponse:
    return _do(request, viewer, storyline_id, services.reopen_storyline)


@require_POST
@member_view(Role.GM)
def storyline_move(request: HttpRequest, viewer: Viewer, storyline_id: UUID) -> HttpResponse:
    return _do(request, viewer, storyline_id, services.move_storyline, up=request.POST.get("to") == "up")


def _row(storyline: Storyline, viewer: Viewer) -> dict[str, Any]:
    """Return the public fields of a storyline, and its notes for a GM."""
    return row(storyline) | ({"notes": storyline.gm_notes} if viewer.is_gm else {})


def _do(
    request: HttpRequest, viewer: Viewer, storyline_id: UUID, operation: Callable[..., Any], **how: bool
) -> HttpResponse:
    operation(viewer.by, storyline_at(viewer, storyline_id), **how, key=request_key(request))
    return done(request, "storylines", viewer.campaign.slug)


def _save(request: HttpRequest, viewer: Viewer, current: Storyline, form: StorylineForm) -> None:
    services.change_storyline(
        viewer.by, current, **form.written, expected=form.cleaned_data["expected"], key=request_key(request)
    )


def _beside(form: StorylineForm, now: Storyline) -> None:
    typed = {name: form.cleaned_data.get(name) for name in ("title", "whose", "gm_notes")}
    words = {"title": now.title, "gm_notes": now.gm_notes, "whose": now.whose.name if now.whose else _("Everyone")}
    differing = {name: text for name, text in words.items() if typed[name] != getattr(now, name)}
    beside(form, differing, services.storyline_version(now))
