"""Who is at this table: the list of characters."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns import rulesets
from campaigns.access import member_view, request_key
from campaigns.errors import existing
from campaigns.models import Role, Viewer
from campaigns.views.answers import beside, done, picture_answer, tried
from characters.forms.cards import LONGEST_NAME, CardForm, CopyForm, DeleteForm, HandOverForm, PortraitForm, known_of
from characters.models import Character, Portrait, State
from characters.services import cards
from characters.views.in_play import CHOSEN
from characters.views.sheet import character_at, writable
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
        name: [] for name in ("mine", "free", "others", "npcs", "crews", "retired", "dead")
    }
    for character in everybody:
        if _matches(character, wanted):
            groups[_group(character, viewer)].append(row_of(character, viewer))
    context = {
        "viewer": viewer,
        "makes": viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only,
        "takes": viewer.role == Role.PLAYER and not viewer.is_read_only,
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
        return "free" if character.free else "npcs"
    return "mine" if viewer.membership and viewer.membership in character.players else "others"


def row_of(character: Character, viewer: Viewer) -> dict[str, Any]:
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


# The page on which everything about a character is changed that is not on its sheet.


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
        lambda: cards.change_character(
            viewer.by, current, form.card(), expected=form.cleaned_data["expected"], key=key
        ),
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
        given["expected"] = cards.card_version(writable(viewer, character_id))
    return card_page(request, viewer, current, status, hand_over_form=form)


@require_POST
@member_view(Role.PLAYER)
def character_take(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Play a character that is free, and go to the table with it."""
    taken = cards.take_character(viewer.by, character_at(viewer, character_id), key=request_key(request))
    return redirect(f"{viewer.campaign.url}?{CHOSEN}={taken.pk}")


@require_POST
@member_view(Role.PLAYER)
def character_copy(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    form, key = CopyForm(request.POST), request_key(request)
    status = tried(request, form, lambda: cards.copy_character(viewer.by, current, form.cleaned_data["name"], key=key))
    if not status:
        return redirect("character", viewer.campaign.slug, key)
    return card_page(request, viewer, current, status, copy_form=form)


def card_page(
    request: HttpRequest, viewer: Viewer, character: Character, status: int = 200, **tried_forms: forms.Form
) -> HttpResponse:
    """Return all there is to do with a character, with the form that was tried as it came back."""
    context: dict[str, Any] = {
        "viewer": viewer,
        "character": character,
        "portrait": character.portrait(),
        "system": rulesets.label_of(character.system),
        "known": known_of(cards.card_of(character)),
        "form": CardForm(viewer.by, character=character),
        "copy_form": CopyForm(initial={"name": _("Copy of {name}").format(name=character.name)[:LONGEST_NAME]}),
    }
    if viewer.is_gm and not character.is_crew:
        context["hand_over_form"] = HandOverForm(viewer.by, character)
    if viewer.is_gm or character.owner == viewer.by:
        context["delete_form"] = DeleteForm()
    return render(request, "characters/card.html", context | tried_forms, status=status)


def _hand_over(viewer: Viewer, character: Character, form: HandOverForm, key: UUID) -> Character:
    owner, also = form.players
    return cards.hand_over(viewer.by, character, owner, also=also, expected=form.cleaned_data["expected"], key=key)


def _beside(form: CardForm, now: Character) -> None:
    known = known_of(cards.card_of(now))
    fields = {"name": (now.name, now.name), "concept": (now.concept, now.concept), "known": (known, str(known.label))}
    differing = {
        name: words
        for name, (value, words) in fields.items()
        if name in form.fields and form.cleaned_data.get(name) != value
    }
    beside(form, differing, cards.card_version(now))


# A character's life cycle: taking it out of play, bringing it back, deleting it.


@require_POST
@member_view(Role.PLAYER)
def character_retire(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    cards.retire_character(viewer.by, character_at(viewer, character_id), key=request_key(request))
    return done(request, "character", viewer.campaign.slug, character_id)


@require_POST
@member_view(Role.PLAYER)
def character_die(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    cards.kill_character(viewer.by, character_at(viewer, character_id), key=request_key(request))
    return done(request, "character", viewer.campaign.slug, character_id)


@require_POST
@member_view(Role.PLAYER)
def character_return(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    cards.return_character(viewer.by, character_at(viewer, character_id), key=request_key(request))
    return done(request, "character", viewer.campaign.slug, character_id)


@require_POST
@member_view(Role.PLAYER)
def character_delete(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    form, key = DeleteForm(request.POST), request_key(request)
    status = tried(
        request, form, lambda: cards.delete_character(viewer.by, current, form.cleaned_data["name"], key=key)
    )
    if status:
        return card_page(request, viewer, current, status, delete_form=form)
    return redirect("characters", viewer.campaign.slug)


# Portraits: the pictures themselves, and choosing one.


@require_GET
@member_view(Role.SPECTATOR)
def portrait(
    request: HttpRequest, viewer: Viewer, character_id: UUID, picture: str, part: str = "image"
) -> HttpResponse:
    """Return the picture, `part` "image" or "icon", to those who may see the card; raise NotFound for all others, and for a
    picture that was replaced.
    """
    current = character_at(viewer, character_id)
    kept = existing(Portrait.objects.filter(character=current).first() if picture == current.picture else None)
    return picture_answer(getattr(kept, part) or kept.image)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_portrait(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    form = PortraitForm(current, request.POST or None, request.FILES or None)
    status = tried(
        request,
        form,
        lambda: cards.set_portrait(viewer.by, current, form.cleaned_data["portrait"], key=request_key(request)),
    )
    if not status:
        return redirect("character", viewer.campaign.slug, current.pk)
    context = {"viewer": viewer, "character": current, "form": form}
    return render(request, "characters/portrait.html", context, status=status)
