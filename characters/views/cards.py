"""Who is at this table: the list of characters, and the making, changing, retiring and bringing back of one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import Seat, member_view, request_key
from campaigns.errors import Forbidden
from campaigns.models import Role
from campaigns.views.answers import beside, done, tried
from characters.forms import CardForm
from characters.models import Character, State
from characters.services import card_version, change_character, make_character, retire_character, return_character
from characters.views.sheet import character_at


@require_GET
@member_view(Role.SPECTATOR)
def characters(request: HttpRequest, seat: Seat) -> HttpResponse:
    groups: dict[str, list[dict[str, Any]]] = {"mine": [], "others": [], "npcs": [], "retired": []}
    for one in Character.objects.seen_by(seat).order_by("name", "id"):
        groups[_group(one, seat)].append({"card": one.card(), "id": one.pk})
    makes = seat.role.at_least(Role.PLAYER) and not seat.only_looks
    return render(request, "characters/characters.html", {"seat": seat, "makes": makes, **groups})


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_new(request: HttpRequest, seat: Seat) -> HttpResponse:
    form = CardForm(seat.by, request.POST or None)
    status = 200
    if request.method == "POST":
        key = request_key(request)
        status = tried(form, lambda: make_character(seat.by, form.card(), system=form.played_by, key=key))
        if not status:
            return redirect("character", seat.campaign.slug, key)
    return render(request, "characters/card.html", {"seat": seat, "form": form}, status=status)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_card(request: HttpRequest, seat: Seat, character_id: UUID) -> HttpResponse:
    found = _writable(seat, character_id)
    form = CardForm(seat.by, request.POST or None, character=found)
    status = 200
    if request.method == "POST":
        key = request_key(request)
        status = tried(
            form, lambda: change_character(seat.by, found, form.card(), seen=form.cleaned_data["seen"], key=key)
        )
        if not status:
            return redirect("character", seat.campaign.slug, found.pk)
        if status == 409:
            _beside(form, _writable(seat, character_id))
    context = {"seat": seat, "form": form, "character": found}
    return render(request, "characters/card.html", context, status=status)


@require_POST
@member_view(Role.PLAYER)
def character_retire(request: HttpRequest, seat: Seat, character_id: UUID) -> HttpResponse:
    retire_character(seat.by, character_at(seat, character_id), key=request_key(request))
    return done(request, "character", seat.campaign.slug, character_id)


@require_POST
@member_view(Role.PLAYER)
def character_return(request: HttpRequest, seat: Seat, character_id: UUID) -> HttpResponse:
    return_character(seat.by, character_at(seat, character_id), key=request_key(request))
    return done(request, "character", seat.campaign.slug, character_id)


def _group(one: Character, seat: Seat) -> str:
    if one.state is not State.IN_PLAY:
        return "retired"
    if one.is_npc:
        return "npcs"
    return "mine" if seat.membership and seat.membership in one.players else "others"


def _writable(seat: Seat, character_id: UUID) -> Character:
    found = character_at(seat, character_id)
    if not found.written_by(seat):
        raise Forbidden(f"Only the GM and whoever plays {found.name} can do that.")
    return found


def _beside(form: CardForm, now: Character) -> None:
    told = {
        "name": now.name,
        "concept": now.concept,
        "owner": now.owner.name if now.owner else "nobody: an NPC",
        "shown": "yes" if now.shown else "no",
    }
    differing = {
        name: text
        for name, text in told.items()
        if name in form.fields and form.cleaned_data.get(name) != getattr(now, name)
    }
    beside(form, differing, card_version(now))
