"""What we know: the list of pages, a page with what goes with it, and all that is done with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from campaigns.access import member_view, request_key
from campaigns.errors import existing
from campaigns.forms.fields import valid
from campaigns.forms.play import CoverForm
from campaigns.live.presence import follow
from campaigns.live.render import render_line
from campaigns.models import Role, Viewer
from campaigns.queries.clocks import clock_payload, owners_of
from campaigns.replica import reads_past
from campaigns.views.answers import beside, picture_answer, tried
from languages.letters import fold
from world import services
from world.events import PAGE_NOTED, PAGE_WRITTEN
from world.forms import PageForm, PageLineForm, ParagraphForm
from world.models import Page, PageKind, PagePicture, paragraphs_of
from world.queries import (
    MOST_LINES,
    Names,
    all_pages,
    clocks_about,
    find_page,
    lines_about,
    storylines_about,
    versions,
)

HEADINGS = {
    PageKind.PERSON: pgettext_lazy("pages", "People"),
    PageKind.PLACE: pgettext_lazy("pages", "Places"),
    PageKind.FACTION: pgettext_lazy("pages", "Factions"),
    PageKind.THING: pgettext_lazy("pages", "Things"),
}


def _groups(pages: list[Page]) -> list[tuple[str, str, list[Page]]]:
    """Return each kind, its heading and its pages."""
    return [(kind.value, str(words), [one for one in pages if one.kind == kind]) for kind, words in HEADINGS.items()]


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def pages(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    return _list(request, viewer, PageLineForm(initial={"name": request.GET.get("name", "")}))


def _list(request: HttpRequest, viewer: Viewer, form: PageLineForm, status: int = 200) -> HttpResponse:
    found, wanted = all_pages(viewer), request.GET.get("q", "").strip()
    if wanted:
        found = [page for page in found if any(fold(wanted) in fold(name) for name in page.names)]
    context = {"viewer": viewer, "form": form, "groups": _groups(found), "wanted": wanted, "any": bool(found)}
    return render(request, "world/pages.html", context, status=status)


@require_POST
@member_view(Role.PLAYER)
def page_new(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a page of one line, and go there."""
    form = PageLineForm(request.POST)
    key = request_key(request)
    status = tried(
        request,
        form,
        lambda: services.make_page(viewer.by, form.cleaned_data["name"], form.kind, shown=not form.hidden, key=key),
    )
    return _list(request, viewer, form, status) if status else redirect("page_edit", viewer.campaign.slug, key)


@require_GET
@member_view(Role.SPECTATOR)
def page_names(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return all names of pages with their addresses, for links while they are typed and for names in the feed. Player characters
    on whose pages nobody has written are not to be found in the feed: they are in every line of it.
    """
    there = all_pages(viewer)
    named = [
        {"name": name, "url": page.url, "told": not (page._state.adding and page.character and page.character.owner_id)}
        for page in there
        for name in page.names
    ]
    return JsonResponse({"names": named})


@require_GET
@vary_on_headers("HX-Request")
@reads_past(but_live=True)
@member_view(Role.SPECTATOR)
def page(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    """Show a page; to htmx, when somebody has written on one, only what may be other then."""
    live = follow(viewer)
    current, names = find_page(viewer, page_id), Names(viewer)
    context = _read(viewer, current, names)
    if getattr(request, "htmx", None):
        return render(request, "world/_page.html", context | {"part": True})
    return render(request, "world/page.html", context | live | _around(viewer, current, names))


def _read(viewer: Viewer, page: Page, names: Names) -> dict[str, Any]:
    """Return the context of world/_page.html."""
    gm_parts = [(part, names.html(part)) for part in paragraphs_of(page.gm_note)] if viewer.is_gm else []
    written = versions(viewer, page)
    shared = [event for event in written if event.kind == PAGE_WRITTEN]
    writers = list(dict.fromkeys(event.actor_name for event in shared))
    return {
        "viewer": viewer,
        "page": page,
        "note": names.html(page.note),
        "journal": names.html(page.character.public_fields.get("journal", "")) if page.character else "",
        "gm_parts": gm_parts,
        "last": next(iter(shared), None),
        "earlier": writers[1:],
        "versions": len(written),
        "links": names.linked(page.note),
        "linking": names.linking(page),
    }


def _around(viewer: Viewer, page: Page, names: Names) -> dict[str, Any]:
    """Return what stands around a page: the list of all, the log, storylines and clocks."""
    owners = owners_of(viewer.campaign)
    lines = lines_about(viewer, page)
    return {
        "groups": _groups(names.pages),
        "lines": [line for event in lines if (line := render_line(event, viewer.role))],
        "more": len(lines) == MOST_LINES,
        "storylines": storylines_about(viewer, page),
        "clocks": [clock_payload(clock, owners, whole=viewer.is_gm) for clock in clocks_about(viewer, page)],
        "picture_form": CoverForm(),
    }


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def page_card(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    """Return the small card that opens where a name stands."""
    current = find_page(viewer, page_id)
    first = next(iter(paragraphs_of(current.note)), "")
    note = Names(viewer).html(first)
    return render(request, "world/_card.html", {"viewer": viewer, "page": current, "note": note})


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def page_edit(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    live = follow(viewer)
    current = find_page(viewer, page_id)
    form = PageForm(current, viewer, request.POST or None)
    status = tried(request, form, lambda: _save(request, viewer, current, form))
    if not status:
        return redirect(current.url)
    if status == 409:
        now = PageForm(find_page(viewer, page_id), viewer)
        beside(form, now.now_beside(form.draft), now.initially["expected"])
    context = {"viewer": viewer, "page": current, "form": form}
    return render(request, "world/edit.html", live | context, status=status)


def _save(request: HttpRequest, viewer: Viewer, page: Page, form: PageForm) -> None:
    seen = form.cleaned_data["expected"]
    services.write_page(viewer.by, page, form.draft, expected=seen, key=request_key(request))


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def page_versions(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    """Show how a page was written, newest first, with what each has added."""
    current, names = find_page(viewer, page_id), Names(viewer)
    told = [
        (event, event.kind == PAGE_NOTED, list(_paragraphs(names, event.payload)))
        for event in versions(viewer, current)
    ]
    return render(request, "world/versions.html", {"viewer": viewer, "page": current, "told": told})


def _paragraphs(names: Names, payload: dict[str, Any]) -> Iterator[tuple[bool, str]]:
    for number, part in enumerate(payload["note"]):
        yield number in payload["new"], names.html(part)


@require_POST
@member_view(Role.GM)
def page_tell(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    current = find_page(viewer, page_id)
    paragraph = valid(ParagraphForm(request.POST)).cleaned_data["paragraph"]
    services.tell_page(viewer.by, current, paragraph, key=request_key(request))
    return redirect(current.url)


@require_POST
@member_view(Role.GM)
def page_show(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    current = find_page(viewer, page_id)
    services.show_page(viewer.by, current, key=request_key(request))
    messages.success(request, _("Everyone at the table sees it now."))
    return redirect(current.url)


@require_POST
@member_view(Role.GM)
def page_hide(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    current = find_page(viewer, page_id)
    services.hide_page(viewer.by, current, key=request_key(request))
    return redirect(current.url)


@require_POST
@member_view(Role.GM)
def page_remove(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    services.remove_page(viewer.by, find_page(viewer, page_id), key=request_key(request))
    return redirect("pages", viewer.campaign.slug)


@require_POST
@member_view(Role.PLAYER)
def page_picture_set(request: HttpRequest, viewer: Viewer, page_id: UUID) -> HttpResponse:
    """Set the picture of a page; without one, "remove" takes it away."""
    current, key, form = find_page(viewer, page_id), request_key(request), CoverForm(request.POST, request.FILES)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for error in form.errors["picture"]))
    elif form.cleaned_data["picture"] or "remove" in request.POST:
        services.set_picture(viewer.by, current, form.cleaned_data["picture"], key=key)
    else:
        messages.error(request, _("Choose a picture first."))
    return redirect(current.url)


@require_GET
@member_view(Role.SPECTATOR)
def page_picture(
    request: HttpRequest, viewer: Viewer, page_id: UUID, picture: str, part: str = "image"
) -> HttpResponse:
    current = find_page(viewer, page_id)
    kept = existing(PagePicture.objects.filter(page=current.pk).first() if picture == current.picture else None)
    return picture_answer(getattr(kept, part))
