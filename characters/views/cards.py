"""The page on which everything about a character is changed that is not on its sheet."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaigns import rulesets
from campaigns.access import member_view, request_key
from campaigns.errors import Forbidden
from campaigns.models import Role, Seat
from campaigns.views.answers import beside, tried
from characters.forms.cards import LONGEST_NAME, CardForm, CopyForm, DeleteForm, HandOverForm, PortraitForm, known_of
from characters.models import Character
from characters.services import (
    card_of,
    card_version,
    change_character,
    copy_character,
    hand_over,
)
from characters.views.sheet import character_at


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_card(request: HttpRequest, seat: Seat, character_id: UUID) -> HttpResponse:
    found = writable(seat, character_id)
    if request.method != "POST":
        return card_page(request, seat, found)
    form, key = CardForm(seat.by, request.POST, character=found), request_key(request)
    status = tried(form, lambda: change_character(seat.by, found, form.card(), seen=form.cleaned_data["seen"], key=key))
    if not status:
        return redirect("character", seat.campaign.slug, found.pk)
    if status == 409:
        _beside(form, writable(seat, character_id))
    return card_page(request, seat, found, status, form=form)


@require_POST
@member_view(Role.GM)
def character_hand_over(request: HttpRequest, seat: Seat, character_id: UUID) -> HttpResponse:
    found = writable(seat, character_id)
    given, key = request.POST.copy(), request_key(request)
    form = HandOverForm(seat.by, found, given)
    status = tried(form, lambda: _hand_over(seat, found, form, key))
    if not status:
        return redirect("character", seat.campaign.slug, found.pk)
    if status == 409:
        given["seen"] = card_version(writable(seat, character_id))
    return card_page(request, seat, found, status, hand_over_form=form)


@require_POST
@member_view(Role.PLAYER)
def character_copy(request: HttpRequest, seat: Seat, character_id: UUID) -> HttpResponse:
    found = writable(seat, character_id)
    form, key = CopyForm(request.POST), request_key(request)
    status = tried(form, lambda: copy_character(seat.by, found, form.cleaned_data["name"], key=key))
    if not status:
        return redirect("character", seat.campaign.slug, key)
    return card_page(request, seat, found, status, copy_form=form)


def writable(seat: Seat, character_id: UUID) -> Character:
    """Raises Missing for what this seat does not know of, Forbidden for the characters of others."""
    found = character_at(seat, character_id)
    if not found.written_by(seat):
        raise Forbidden(f"Only the GM and whoever plays {found.name} can do that.")
    return found


def card_page(
    request: HttpRequest, seat: Seat, character: Character, status: int = 200, **tried_forms: forms.Form
) -> HttpResponse:
    """All there is to do with a character, with the form that was tried as it came back."""
    context: dict[str, Any] = {
        "seat": seat,
        "character": character,
        "portrait": character.portrait(),
        "system": rulesets.label_of(character.system),
        "known": known_of(card_of(character)),
        "form": CardForm(seat.by, character=character),
        "portrait_form": PortraitForm(),
        "copy_form": CopyForm(initial={"name": f"Copy of {character.name}"[:LONGEST_NAME]}),
    }
    if seat.is_gm and not character.is_crew:
        context["hand_over_form"] = HandOverForm(seat.by, character)
    if seat.is_gm or character.owner == seat.by:
        context["delete_form"] = DeleteForm()
    return render(request, "characters/card.html", context | tried_forms, status=status)


def _hand_over(seat: Seat, character: Character, form: HandOverForm, key: UUID) -> Character:
    owner, also = form.players
    return hand_over(seat.by, character, owner, also=also, seen=form.cleaned_data["seen"], key=key)


def _beside(form: CardForm, now: Character) -> None:
    known = known_of(card_of(now))
    told = {"name": (now.name, now.name), "concept": (now.concept, now.concept), "known": (known, str(known.label))}
    differing = {
        name: words
        for name, (value, words) in told.items()
        if name in form.fields and form.cleaned_data.get(name) != value
    }
    beside(form, differing, card_version(now))
