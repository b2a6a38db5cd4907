"""The character at hand: what the left side of the table page shows, and what the composer rolls and speaks with."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.urls import reverse

from campaigns.access import Seat
from campaigns.models import Role
from characters.models import Character
from characters.sheets.fields import Number
from characters.sheets.storyteller import ABILITIES, ATTRIBUTES, SHEET

ALSO_AT_HAND = ("virtues", "willpower", "humanity", "blood", "health")
CHOSEN = "character"  # of the query string of the table page


def playable(seat: Seat) -> QuerySet[Character]:
    """The characters that may be at hand here, the own ones before the NPCs."""
    if seat.membership is None:
        return Character.objects.none()
    mine = Character.objects.played_by(seat.membership).select_related("owner__user")
    return mine.order_by(F("owner").asc(nulls_last=True), "name", "id")


def hand_of(seat: Seat, chosen: str = "") -> dict[str, Any] | None:
    """The character whose id is `chosen`, else the first that may be at hand, as characters/_at_hand.html draws it.

    None for those who have none. What is no id of theirs counts as nothing chosen.
    """
    mine = list(playable(seat))
    if not mine:
        return None
    wanted = _id(chosen)
    character = next((one for one in mine if one.pk == wanted), mine[0])
    return {
        "id": str(character.pk),
        "name": character.name,
        "system": character.system,
        "url": reverse("character", args=[seat.campaign.slug, character.pk]),
        "card": character.card(),
        "colour": character.owner.colour if character.owner else "sand",
        "rolls": seat.role.at_least(Role.PLAYER) and not seat.only_looks,
        "others": [_switch(seat, one, character) for one in mine] if len(mine) > 1 else [],
        "groups": _groups(character),
        "willpower": character.value("willpower_now"),
    }


def _groups(character: Character) -> list[dict[str, Any]]:
    """[{"name", "words", "marks": [{"field", "label", "value", "of", "marks", "rollable"}]}]; all Abilities in one, by name."""
    groups = [(group, [field.name for field in group.fields if isinstance(field, Number)]) for group in SHEET.groups]
    abilities = sorted(name for group, names in groups if group.name in ABILITIES for name in names)
    attributes = [(group.name, group.label, names) for group, names in groups if group.name in ATTRIBUTES]
    others = [(group.name, group.label, names) for group, names in groups if group.name in ALSO_AT_HAND]
    return [
        {"name": name, "words": words, "marks": [_mark(character, field) for field in fields]}
        for name, words, fields in (*attributes, ("abilities", "Abilities", abilities), *others)
    ]


def _mark(character: Character, name: str) -> dict[str, Any]:
    field = character.field(name)
    return character.mark(name) | {"rollable": isinstance(field, Number) and field.rollable}


def _switch(seat: Seat, one: Character, current: Character) -> dict[str, Any]:
    return {
        "name": one.name,
        "url": f"{reverse('table', args=[seat.campaign.slug])}?{CHOSEN}={one.pk}",
        "current": one == current,
    }


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
