"""Who is at this table: the list of characters."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.models import Role, Seat
from characters.models import Character, State

MANY = 12
"""With more than this many there is a field to search them."""

LONGEST_SEARCH = 80


@require_GET
@member_view(Role.SPECTATOR)
def characters(request: HttpRequest, seat: Seat) -> HttpResponse:
    everybody = list(Character.objects.seen_by(seat).order_by("name", "id"))
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    groups: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("mine", "others", "npcs", "crews", "retired", "dead")
    }
    for one in everybody:
        if _matches(one, wanted):
            groups[_group(one, seat)].append(_row(one, seat))
    context = {
        "seat": seat,
        "makes": seat.role.at_least(Role.PLAYER) and not seat.only_looks,
        "searches": len(everybody) > MANY or wanted,
        "wanted": wanted,
        "found": any(groups.values()),
    }
    return render(request, "characters/characters.html", context | groups)


def _matches(one: Character, wanted: str) -> bool:
    words = [one.name, one.concept, *(player.name for player in one.players)]
    return all(part in " ".join(words).casefold() for part in wanted.casefold().split())


def _group(one: Character, seat: Seat) -> str:
    if one.state is not State.IN_PLAY:
        return "dead" if one.state is State.DEAD else "retired"
    if one.is_crew:
        return "crews"
    if one.is_npc:
        return "npcs"
    return "mine" if seat.membership and seat.membership in one.players else "others"


def _row(one: Character, seat: Seat) -> dict[str, Any]:
    """As characters/_cards.html draws it. Whether a sheet is complete or locked, those know who may read it."""
    reads = one.opens_for(seat)
    return {
        "id": one.pk,
        "card": one.card(),
        "portrait": one.portrait(),
        "pronouns": one.public.get("pronouns", ""),
        "marks": reads,
        "complete": reads and one.complete,
        "locked": reads and one.locked,
    }
