"""A character's page, and its fields, each of which saves by itself."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import Seat, member_view, request_key
from campaigns.errors import Missing, Stale
from campaigns.live.follow import follow
from campaigns.models import Role
from campaigns.views.answers import done
from characters.figures import figures_of
from characters.hand import CHOSEN, playable
from characters.models import Character, State
from characters.services import set_field
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Number, Sight
from characters.sheets.sheet import Group
from characters.slots import slot


@require_GET
@member_view(Role.SPECTATOR)
def character(request: HttpRequest, seat: Seat, character_id: UUID) -> HttpResponse:
    """The sheet to those it opens for, the card to all others who know of the character."""
    following = follow(seat)
    found = character_at(seat, character_id)
    opens = found.opens_for(seat)
    acts = found.written_by(seat) and not seat.only_looks and seat.role.at_least(Role.PLAYER)
    context = {
        "seat": seat,
        "role": seat.role.value,
        "character": found,
        "card": found.card(),
        "groups": _groups(found, found.sights(seat)) if opens else [],
        "figures": figures_of(found) if opens else [],
        "writes": acts and found.state is State.IN_PLAY and (seat.is_gm or not found.locked),
        "acts": acts,
        "table_url": _table_url(seat, found) if acts and playable(seat).filter(pk=found.pk).exists() else "",
    }
    return render(request, "characters/character.html", context | following)


@require_POST
@member_view(Role.PLAYER)
def character_field(request: HttpRequest, seat: Seat, character_id: UUID) -> HttpResponse:
    """Save one field. Where somebody else was faster: both values, and the choice between them (409)."""
    found = character_at(seat, character_id)
    field, value, seen = (request.POST.get(name, "") for name in ("field", "value", "seen"))
    try:
        set_field(seat.by, found, field, value, seen=seen, key=request_key(request))
    except Stale as stale:
        if not getattr(request, "htmx", None):
            raise
        return _both(request, found, stale, value)
    return done(request, "character", seat.campaign.slug, found.pk)


def character_at(seat: Seat, character_id: UUID) -> Character:
    """Raises Missing alike for what is hidden from this seat, what is elsewhere and what never was."""
    found = Character.objects.seen_by(seat).filter(pk=character_id).first()
    if found is None:
        raise Missing
    return found


def _table_url(seat: Seat, character: Character) -> str:
    """The table with this character at hand."""
    return f"{reverse('table', args=[seat.campaign.slug])}?{CHOSEN}={character.pk}"


def _both(request: HttpRequest, character: Character, stale: Stale, value: str) -> HttpResponse:
    context = {"stale": stale, "label": character.field(stale.field or "").label, "value": value.strip()}
    response = render(request, "characters/_both_values.html", context, status=409)
    response["HX-Retarget"] = f"#set-{slot(stale.field or '')}-errors"
    response["HX-Reswap"] = "innerHTML"
    return response


def _groups(character: Character, sights: frozenset[Sight]) -> list[dict[str, Any]]:
    """[{"name", "words", "fields": [{"mark", "steps"}]}]; steps: the values one may press."""
    groups = [(group.name, group.label, _numbers(group)) for group in character.rules.groups]
    if character.is_npc:
        groups.append((DISPOSITION.name, DISPOSITION.label, (DISPOSITION,)))
    return [
        {"name": name, "words": words, "fields": [_field(character, field) for field in fields]}
        for name, words, fields in groups
        if fields and character.place(fields[0].name).sight in sights
    ]


def _numbers(group: Group) -> tuple[Number, ...]:
    return tuple(field for field in group.fields if isinstance(field, Number))


def _field(character: Character, field: Number) -> dict[str, Any]:
    steps = [step for step in range(field.minimum, field.maximum + 1) if step or field.minimum < 0]
    return {"mark": character.mark(field.name), "none": field.minimum == 0, "steps": steps}
