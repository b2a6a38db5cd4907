"""A character's page, and its edits: each field saves by itself, and so does each row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import Conflict, Invalid, NotFound
from campaigns.live.presence import follow
from campaigns.models import Role, Viewer
from campaigns.views.answers import done
from characters import services
from characters.models import Character, character_of, read_rows
from characters.queries.undo import can_undo
from characters.services.fields import row_as_seen
from characters.sheets.fields import SheetError
from characters.views.sheet_page import sheet_of

COLUMN = "column-"  # before the names of columns, which may be any word

MARKS: dict[str, tuple[Callable[..., Character], object]] = {
    "locked": (services.lock_sheet, gettext_lazy("Lock sheet")),
    "unlocked": (services.unlock_sheet, gettext_lazy("Unlock sheet")),
    "complete": (partial(services.mark_complete, complete=True), gettext_lazy("Mark as complete")),
    "incomplete": (partial(services.mark_complete, complete=False), gettext_lazy("Mark as incomplete")),
}
OF_GMS = ("locked", "unlocked")


@require_GET
@member_view(Role.SPECTATOR)
def character(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Show as much of the sheet as this viewer may see: all of it, or only the card."""
    following = follow(viewer)
    current = character_at(viewer, character_id)
    acts = current.written_by(viewer) and not viewer.is_read_only and viewer.role.at_least(Role.PLAYER)
    writes = acts and current.plays
    context = {
        "viewer": viewer,
        "role": viewer.role.value,
        "character": current,
        "card": current.card(),
        "opens": current.opens_for(viewer),
        "acts": acts,
        "writes": writes,
        "undoes": writes and can_undo(viewer.by, current),
        "marks": [(mark, words) for mark, (operation, words) in MARKS.items() if viewer.is_gm or mark not in OF_GMS],
    }
    sheet = sheet_of(current, viewer, writes=writes) if context["opens"] else {}
    return render(request, "characters/character.html", context | sheet | following)


@require_POST
@member_view(Role.PLAYER)
def character_field(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Save one field. If somebody else was faster, show both values and the choice between them (409); with `briefly`
    only that.
    """
    # Whose it is and whether they know of it is asked under the lock.
    current, post = Character(pk=character_id), request.POST
    field, value, seen, why = (post.get(name, "") for name in ("field", "value", "expected", "why"))
    try:
        services.set_field(viewer.by, current, field, value, expected=seen, why=why, key=request_key(request))
    except Conflict as stale:
        if not getattr(request, "htmx", None) or "briefly" in post:
            raise
        context = {"stale": stale, "cell": _cell_now(viewer, character_id, field), "value": value}
        return render(request, "characters/_both_values.html", context, status=409)
    return done(request, "character", viewer.campaign.slug, current.pk)


@require_POST
@member_view(Role.PLAYER)
def row_add(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current, post = Character(pk=character_id), request.POST
    rows, why = post.get("rows", ""), post.get("why", "")
    services.add_row(viewer.by, current, rows, {**_columns(request)}, why=why, key=request_key(request))
    return done(request, "character", viewer.campaign.slug, current.pk)


@require_POST
@member_view(Role.PLAYER)
def row_remove(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Remove a row, as it was seen: the columns name the seen values."""
    current, post = character_at(viewer, character_id), request.POST
    rows, row, why = (post.get(name, "") for name in ("rows", "row", "why"))
    seen = row_as_seen(current, rows, row, _columns(request))
    services.remove_row(viewer.by, current, rows, row, expected=seen, why=why, key=request_key(request))
    return done(request, "character", viewer.campaign.slug, current.pk)


@require_POST
@member_view(Role.PLAYER)
def character_undo(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Undo one's last change of the sheet. The answer to the page, {"more"}, says whether there is another one to undo."""
    current = character_at(viewer, character_id)
    services.undo_change(viewer.by, current, key=request_key(request))
    if not getattr(request, "htmx", None):
        return done(request, "character", viewer.campaign.slug, character_id)
    return JsonResponse({"more": can_undo(viewer.by, current)})


@require_POST
@member_view(Role.PLAYER)
def character_mark(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Lock the sheet, unlock it, or say that it is complete or not: `mark` is one of MARKS."""
    current, key = character_at(viewer, character_id), request_key(request)
    mark = request.POST.get("mark", "")
    if mark not in MARKS:
        raise Invalid(_("A sheet can’t be marked like that."), field="mark")
    operation = MARKS[mark][0]
    operation(viewer.by, current, key=key)
    return done(request, "character", viewer.campaign.slug, character_id)


def character_at(viewer: Viewer, character_id: UUID) -> Character:
    """Return a character. Raises NotFound for those hidden from this viewer, of other campaigns, and unknown ones alike."""
    current = character_of(viewer.campaign, character_id)
    if current is None or not current.known_to(viewer):
        raise NotFound
    read_rows(viewer, [current])
    return current


def _columns(request: HttpRequest) -> dict[str, str]:
    return {name.removeprefix(COLUMN): str(value) for name, value in request.POST.items() if name.startswith(COLUMN)}


def _cell_now(viewer: Viewer, character_id: UUID, field: str) -> dict[str, object] | None:
    """Return the field as it is now; None where its row is gone."""
    try:
        return character_at(viewer, character_id).cell(field)
    except SheetError:
        return None
