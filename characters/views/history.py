"""The history of one field of a sheet: who set it, when, from what to what, and why."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from campaigns.access import id_or_none, member_view
from campaigns.errors import Invalid
from campaigns.models import Event, Role, Viewer
from characters.models import Character
from characters.sheets.fields import SheetError
from characters.sheets.told import title
from characters.views.sheet import character_at

PAGE = 10  # changes


@require_GET
@member_view(Role.SPECTATOR)
def field_history(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Show the changes of a field, newest first. `field` is the address of a field, a row ("skills/4f2a") or a list;
    `before` the change to continue from.
    """
    current, address = character_at(viewer, character_id), request.GET.get("field", "")
    label = _label(current, viewer, address)
    events = Event.objects.seen_by(viewer).deduplicated(viewer).about(current.field_subject(address).key)
    uid = id_or_none(request.GET.get("before", ""))
    since = events.filter(uid=uid).first() if uid else None
    page = list(events.before(since.pk if since else None).select_related("stored")[: PAGE + 1])
    further = urlencode({"field": address, "before": page[PAGE - 1].uid}) if len(page) > PAGE else ""
    context = {
        "label": label,
        "changes": [_change(event) for event in page[:PAGE] if event.is_readable],
        "further": f"{request.path}?{further}" if further else "",
    }
    return render(request, "characters/_history.html", context)


def _change(event: Event) -> dict[str, Any]:
    """Return {"who", "at", "why", "was", "now"}; for an added or removed row {"operation", "title"} instead of the last two."""
    payload = event.described
    fields = {"who": event.actor_name, "at": event.at, "why": payload.get("why", "")}
    if "cell" not in payload:
        operation = "added" if event.kind.endswith("row_added") else "removed"
        return fields | {"operation": operation, "title": payload["title"] or payload["rows"]["singular"]}
    cell = payload["cell"]
    fields |= {"long": cell["style"] == "long", "label": cell["label"]}
    return fields | {"was": payload["was"], "now": cell["words"] or cell["value"]}


def _label(character: Character, viewer: Viewer, address: str) -> str:
    """Return the label of the field, row or list. Raises Invalid for unknown ones, and the same for those the viewer
    may not see.
    """
    unknown = Invalid(_("This sheet has no such field."), field="field")
    rows, row = address.partition("/")[::2]
    kind = character.rules.lists.get(rows)
    try:
        visibility = kind.visibility if kind else character.place(address).visibility
        if visibility not in character.visibilities(viewer):
            raise unknown
        if kind and "/" not in row:
            return title(kind, character.rules.row(character.values, rows, row)[kind.title]) if row else str(kind.label)
        return character.label(address)
    except SheetError:
        raise unknown from None
