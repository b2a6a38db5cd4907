"""Who is at this table: the list of characters."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.models import Role, Viewer
from characters.models import Character, State
from languages.letters import fold

MANY = 12
"""With more characters than this there is a search field."""

LONGEST_SEARCH = 80


@require_GET
@member_view(Role.SPECTATOR)
def characters(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    everybody = list(Character.objects.seen_by(viewer).order_by("name", "id"))
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    groups: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("mine", "others", "npcs", "crews", "retired", "dead")
    }
    for character in everybody:
        if _matches(character, wanted):
            groups[_group(character, viewer)].append(_row(character, viewer))
    context = {
        "viewer": viewer,
        "makes": viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only,
        "searches": len(everybody) > MANY or wanted,
        "wanted": wanted,
        "found": any(groups.values()),
    }
    return render(request, "characters/characters.html", context | groups)


def _matches(character: Character, wanted: str) -> bool:
    words = [character.name, character.concept, *(player.name for player in character.players)]
    return all(part in fold(" ".join(words)) for part in fold(wanted).split())


def _group(character: Character, viewer: Viewer) -> str:
    if character.state is not State.IN_PLAY:
        return "dead" if character.state is State.DEAD else "retired"
    if character.is_crew:
        return "crews"
    if character.is_npc:
        return "npcs"
    return "mine" if viewer.membership and viewer.membership in character.players else "others"


def _row(character: Character, viewer: Viewer) -> dict[str, Any]:
    """Return a row of characters/_cards.html. Only readers of the sheet see whether it is complete or locked."""
    reads = character.opens_for(viewer)
    return {
        "id": character.pk,
        "card": character.card(),
        "portrait": character.portrait(),
        "pronouns": character.cell("pronouns")["value"]
        if character.rules.fields
        else character.public_fields.get("pronouns", ""),
        "marks": reads,
        "complete": reads and character.complete,
        "locked": reads and character.locked,
    }
