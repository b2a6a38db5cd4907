"""Marking what the table has in sight of a character, and the party as it is now."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from campaigns.access import member_view, request_key
from campaigns.errors import Invalid
from campaigns.models import Role, Viewer
from campaigns.views.answers import done
from characters.models import Character
from characters.services import mark_resources
from characters.services.lookup import only_players
from characters.sheets import marking
from characters.sheets.fields import Choice, SheetError
from characters.views.in_play import in_full, resource_item
from characters.views.party import party as party_of
from characters.views.sheet import character_at
from characters.views.sheet_page import column_of

AT_ONCE = tuple(str(by) for by in range(1, 13))
"""The amounts by which a click may change a count: up to the most boxes in a row (static/js/marks.js)."""


@require_GET
@member_view(Role.SPECTATOR)
def party(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the content of #party on the table page, for a page that has an outdated one."""
    return render(request, "characters/_party.html", {"party": party_of(viewer), "role": viewer.role.value})


@require_GET
@member_view(Role.PLAYER)
def character_in_play(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Show everything about one of the party in play; without scripts, redirect to the sheet."""
    current = _marked_by(viewer, character_id)
    if not getattr(request, "htmx", None):
        return redirect("character", viewer.campaign.slug, current.pk)
    context = {"panel": in_full(current, viewer), "campaign": viewer.campaign}
    return render(request, "characters/_party_panel.html", context)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_marks(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """POST marks one resource `less`, another `more`, or both, `by` so much (default 1). GET shows the table's dialog
    for a resource that needs a choice; without scripts that is done on the sheet.
    """
    if request.method == "GET":
        return _asked(request, viewer, character_id)
    said = request.POST.get("by", "1")
    by = int(said) if said in AT_ONCE else 0
    named = {way: request.POST.get(way, "") for way in ("less", "more")}
    moves = {name: by if way == "more" else -by for way, name in named.items() if name}
    if not (moves and by):
        raise Invalid(_("This can’t be marked here."))
    # Whose it is and whether they know of it is asked under the lock.
    mark_resources(viewer.by, Character(pk=character_id), moves, key=request_key(request))
    return done(request, "character", viewer.campaign.slug, character_id)


def _asked(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = _marked_by(viewer, character_id)
    if not getattr(request, "htmx", None):
        return redirect("character", viewer.campaign.slug, current.pk)
    try:
        resource = marking.named(current.rules, request.GET.get("resource", ""))
    except SheetError as error:
        raise Invalid(error.message) from None
    item = resource_item(current, replace(resource, figure=""), {})
    rows, field = current.rules.lists.get(resource.name), current.rules.fields.get(resource.name)
    context = {
        "viewer": viewer,
        "character": current,
        "item": item,
        "columns": [column_of(current, column, rows.visibility) for column in rows.columns] if rows else [],
        "singular": rows.singular if rows else "",
        "flags": [current.cell(flag) for flag in resource.flags],
        "choices": field.choices if isinstance(field, Choice) else (),
    }
    return render(request, "characters/_marks.html", context)


def _marked_by(viewer: Viewer, character_id: UUID) -> Character:
    """Return a character that the viewer may write in. Raises NotFound for one hidden from them, Forbidden for somebody
    else's.
    """
    current = character_at(viewer, character_id)
    if not current.written_by(viewer):
        raise only_players(current)
    return current
