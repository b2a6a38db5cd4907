"""The page on which everything about a character is changed that is not on its sheet."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from campaigns import rulesets
from campaigns.access import member_view, request_key
from campaigns.models import Role, Viewer
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
from characters.services.lookup import only_players
from characters.views.sheet import character_at


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_card(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    if request.method != "POST":
        return card_page(request, viewer, current)
    form, key = CardForm(viewer.by, request.POST, character=current), request_key(request)
    status = tried(
        request,
        form,
        lambda: change_character(viewer.by, current, form.card(), expected=form.cleaned_data["expected"], key=key),
    )
    if not status:
        return redirect("character", viewer.campaign.slug, current.pk)
    if status == 409:
        _beside(form, writable(viewer, character_id))
    return card_page(request, viewer, current, status, form=form)


@require_POST
@member_view(Role.GM)
def character_hand_over(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    given, key = request.POST.copy(), request_key(request)
    form = HandOverForm(viewer.by, current, given)
    status = tried(request, form, lambda: _hand_over(viewer, current, form, key))
    if not status:
        return redirect("character", viewer.campaign.slug, current.pk)
    if status == 409:
        given["expected"] = card_version(writable(viewer, character_id))
    return card_page(request, viewer, current, status, hand_over_form=form)


@require_POST
@member_view(Role.PLAYER)
def character_copy(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    form, key = CopyForm(request.POST), request_key(request)
    status = tried(request, form, lambda: copy_character(viewer.by, current, form.cleaned_data["name"], key=key))
    if not status:
        return redirect("character", viewer.campaign.slug, key)
    return card_page(request, viewer, current, status, copy_form=form)


def writable(viewer: Viewer, character_id: UUID) -> Character:
    """Raises NotFound for what this viewer does not know of, Forbidden for the characters of others."""
    current = character_at(viewer, character_id)
    if not current.written_by(viewer):
        raise only_players(current)
    return current


def card_page(
    request: HttpRequest, viewer: Viewer, character: Character, status: int = 200, **tried_forms: forms.Form
) -> HttpResponse:
    """Return all there is to do with a character, with the form that was tried as it came back."""
    context: dict[str, Any] = {
        "viewer": viewer,
        "character": character,
        "portrait": character.portrait(),
        "system": rulesets.label_of(character.system),
        "known": known_of(card_of(character)),
        "form": CardForm(viewer.by, character=character),
        "portrait_form": PortraitForm(),
        "copy_form": CopyForm(initial={"name": _("Copy of {name}").format(name=character.name)[:LONGEST_NAME]}),
    }
    if viewer.is_gm and not character.is_crew:
        context["hand_over_form"] = HandOverForm(viewer.by, character)
    if viewer.is_gm or character.owner == viewer.by:
        context["delete_form"] = DeleteForm()
    return render(request, "characters/card.html", context | tried_forms, status=status)


def _hand_over(viewer: Viewer, character: Character, form: HandOverForm, key: UUID) -> Character:
    owner, also = form.players
    return hand_over(viewer.by, character, owner, also=also, expected=form.cleaned_data["expected"], key=key)


def _beside(form: CardForm, now: Character) -> None:
    known = known_of(card_of(now))
    fields = {"name": (now.name, now.name), "concept": (now.concept, now.concept), "known": (known, str(known.label))}
    differing = {
        name: words
        for name, (value, words) in fields.items()
        if name in form.fields and form.cleaned_data.get(name) != value
    }
    beside(form, differing, card_version(now))
