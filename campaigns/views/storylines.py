"""The storylines of a campaign: a page for everyone, where the GM also writes them."""

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
from campaigns.errors import existing
from campaigns.forms.play import StorylineForm
from campaigns.models import Role, Storyline, Viewer
from campaigns.queries.play import row
from campaigns.services import storylines as services
from campaigns.views.answers import beside, done, formed, tried


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
    status = tried(request, form, lambda: services.add_storyline(viewer.by, **_written(form), key=request_key(request)))
    if not status:
        return done(request, "storylines", viewer.campaign.slug)
    page, submit = "campaigns/storyline.html", _("Save storyline")
    return formed(request, form, page, {"viewer": viewer}, status, heading=_("New storyline"), submit=submit)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def storyline(request: HttpRequest, viewer: Viewer, storyline_id: UUID) -> HttpResponse:
    current = _found(viewer, storyline_id)
    initial = {"title": current.title, "whose": current.whose, "gm_notes": current.gm_notes}
    seen = services.storyline_version(current)
    form = StorylineForm(
        viewer.campaign, request.POST or None, left=current.whose, initial=initial | {"expected": seen}
    )
    status = tried(request, form, lambda: _save(request, viewer, current, form))
    if not status:
        return redirect("storylines", viewer.campaign.slug)
    if status == 409:
        _beside(form, _found(viewer, storyline_id))
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
    operation(viewer.by, _found(viewer, storyline_id), **how, key=request_key(request))
    return done(request, "storylines", viewer.campaign.slug)


def _found(viewer: Viewer, storyline_id: UUID) -> Storyline:
    return existing(Storyline.objects.of(viewer.campaign).filter(pk=storyline_id).first())


def _written(form: StorylineForm) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in ("title", "whose", "gm_notes")}


def _save(request: HttpRequest, viewer: Viewer, current: Storyline, form: StorylineForm) -> None:
    services.change_storyline(
        viewer.by, current, **_written(form), expected=form.cleaned_data["expected"], key=request_key(request)
    )


def _beside(form: StorylineForm, now: Storyline) -> None:
    typed = {name: form.cleaned_data.get(name) for name in ("title", "whose", "gm_notes")}
    words = {"title": now.title, "gm_notes": now.gm_notes, "whose": now.whose.name if now.whose else _("Everyone")}
    differing = {name: text for name, text in words.items() if typed[name] != getattr(now, name)}
    beside(form, differing, services.storyline_version(now))
