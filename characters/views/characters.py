"""Who is at this table: the list of characters."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.models import Role, Viewer
from characters.models import Character, State

MANY = 12
"""With more than this many there is a field to search them."""

LONGEST_SEARCH = 80


@require_GET
@member_view(Role.SPECTATOR)
def characters(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    everybody = list(Character.objects.seen_by(viewer).order_by("name", "id"))
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    groups: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("mine", "others", "npcs", "crews", "retired", "dead")
    }
    for one in everybody:
        if _matches(one, wanted):
            groups[_group(one, viewer)].append(_row(one, viewer))
    context = {
        "viewer": viewer,
        "makes": viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only,
        "searches": len(everybody) > MANY or wanted,
        "wanted": wanted,
        "found": any(groups.values()),
    }
    return render(request, "characters/characters.html", context | groups)


def _matches(one: Character, wanted: str) -> bool:
    words = [one.name, one.concept, *(player.name for player in one.players)]
    return all(part in " ".join(words).casefold() for part in wanted.casefold().split())


def _group(one: Character, viewer: Viewer) -> str:
    if one.state is not State.IN_PLAY:
        return "dead" if one.state is State.DEAD else "retired"
    if one.is_crew:
        return "crews"
    if one.is_npc:
        return "npcs"
    return "mine" if viewer.membership and viewer.membership in one.players else "others"


def _row(one: Character, viewer: Viewer) -> dict[str, Any]:
    """As characters/_cards.html draws it. Whether a sheet is complete or locked, those know who may read it."""
    reads = one.opens_for(viewer)
    return {
        "id": one.pk,
        "card": one.card(),
        "portrait": one.portrait(),
        "pronouns": one.public_fields.get("pronouns", ""),
        "marks": reads,
        "complete": reads and one.complete,
        "locked": reads and one.locked,
    }
