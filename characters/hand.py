"""The character at hand: what the left side of the table page shows, and what the composer rolls and speaks with."""

from __future__ import annotations

from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import F, QuerySet
from django.urls import reverse

from campaigns.access import Seat
from campaigns.models import Role
from characters.models import Character
from characters.sheets import storyteller
from characters.sheets.fields import Number, Rows, Sight
from characters.sheets.sheet import Group
from characters.sheets.storyteller import ABILITIES, ATTRIBUTES

NOT_AT_HAND = ("about", "merits", "experience", "coin")
SLOTS = {"forged": ("action", "pool"), "arc": ("stat", "skill")}
"""Which field of its system's roll form a trait goes into when it is pressed, and which one a row; "pool" unless said here."""
Marked: TypeAlias = tuple[str, str, list[dict[str, Any]]]
CHOSEN = "character"  # of the query string of the table page


def playable(seat: Seat) -> QuerySet[Character]:
    """The characters that may be at hand here, the own ones before the NPCs."""
    if seat.membership is None:
        return Character.objects.none()
    mine = Character.objects.played_by(seat.membership).select_related("owner__user", "campaign")
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
        "portrait": character.portrait(),
        "rolls": seat.role.at_least(Role.PLAYER) and not seat.only_looks,
        "others": [_switch(seat, one, character) for one in mine] if len(mine) > 1 else [],
        "groups": _groups(character, character.sights(seat)),
        "willpower": _willpower(character),
    }


def _groups(character: Character, sights: frozenset[Sight]) -> list[dict[str, Any]]:
    """[{"name", "words", "marks": [mark with "rollable", "trait", "slot"]}]: numbers, and rows that can be rolled.

    `trait` is what a press writes into the field `slot` of the roll form: rows go by their name, which people can read.
    """
    groups = [group for group in character.rules.groups if group.name not in NOT_AT_HAND]
    found = [(group.name, group.label, _marks(character, group, sights)) for group in groups]
    if character.system == storyteller.SHEET.name:
        found = _abilities_together(found)
    return [{"name": name, "words": words, "marks": marks} for name, words, marks in found if marks]


def _abilities_together(groups: list[Marked]) -> list[Marked]:
    """All Abilities in one group, by name, after the Attributes."""
    abilities = [mark for name, _, marks in groups if name in ABILITIES for mark in marks]
    one = ("abilities", "Abilities", sorted(abilities, key=lambda mark: str(mark["label"])))
    attributes = [group for group in groups if group[0] in ATTRIBUTES]
    return [*attributes, one, *(group for group in groups if group[0] not in ATTRIBUTES and group[0] not in ABILITIES)]


def _marks(character: Character, group: Group, sights: frozenset[Sight]) -> list[dict[str, Any]]:
    slots, marks = SLOTS.get(character.system, ("pool", "pool")), []
    for field in group.fields:
        if isinstance(field, Number) and field.sight in sights:
            picked = {"rollable": field.rollable, "trait": field.name, "slot": slots[0]}
            marks.append(character.mark(field.name) | picked)
        elif isinstance(field, Rows) and field.trait and field.sight in sights:
            for row in character.rules.rows(character.values, field.name):
                mark = character.mark(f"{field.name}/{row['id']}/{field.trait}")
                name = row[field.title]
                marks.append(mark | {"rollable": True, "label": name, "trait": name, "slot": slots[1]})
    return marks


def _switch(seat: Seat, one: Character, current: Character) -> dict[str, Any]:
    return {
        "name": one.name,
        "url": f"{reverse('table', args=[seat.campaign.slug])}?{CHOSEN}={one.pk}",
        "current": one == current,
    }


def _willpower(character: Character) -> int | None:
    """The points that can be spent; None in systems that have none."""
    return character.number("willpower_now") if "willpower_now" in character.rules.fields else None


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
