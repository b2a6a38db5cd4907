"""Sheets as files: taking one with oneself, and making a character of one."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods

from campaigns.access import member_view, request_key
from campaigns.models import Role, Viewer
from campaigns.views.answers import tried
from characters.forms.exchange import BringForm, ConfirmForm, ImportForm
from characters.queries.exchange import sheet_file
from characters.services.exchange import import_character
from characters.sheets.conversion import Conversion
from characters.views.creation import made
from characters.views.sheet import character_at


@require_GET
@member_view(Role.SPECTATOR)
def character_export(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = character_at(viewer, character_id)
    file = JsonResponse(sheet_file(current, viewer), json_dumps_params={"indent": 2, "ensure_ascii": False})
    name = content_disposition_header(as_attachment=True, filename=f"{current.name}.json".replace("/", "-"))
    file["Content-Disposition"] = name or "attachment"
    file["Cache-Control"] = "private, no-store"
    return file


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_import(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a character of a file. For another program's, first show what is left out; `sheet` is the converted one."""
    form, status = ImportForm(viewer.by), 200
    if request.method == "POST":
        key = request_key(request)
        bring: BringForm
        if "sheet" in request.POST:
            bring = ConfirmForm(viewer.by, key, request.POST)
        else:
            bring = form = ImportForm(viewer.by, key, request.POST, request.FILES)
            if form.is_valid() and form.conversion:
                return _left_out(request, viewer, form.conversion, form.confirming())
        status = tried(request, bring, lambda: import_character(viewer.by, bring.card(), bring.brought, key=key))
        if not status:
            return made(request, viewer, key)
        if bring is not form:
            return _left_out(request, viewer, None, bring, status)
    return render(request, "characters/import.html", {"viewer": viewer, "form": form}, status=status)


def _left_out(
    request: HttpRequest, viewer: Viewer, conversion: Conversion | None, form: BringForm, status: int = 200
) -> HttpResponse:
    context = {"viewer": viewer, "conversion": conversion, "form": form}
    return render(request, "characters/import_other.html", context, status=status)
