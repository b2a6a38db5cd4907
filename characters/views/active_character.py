"""The character at hand: what the left side of the table page shows, and what the composer rolls and speaks with."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

from django.db import models
from django.db.models import F, QuerySet
from django.urls import reverse

from campaigns.models import Role, Viewer
from characters.figures import drawn, figures_of
from characters.models import Character
from characters.sheets.fields import Number, Rows, Visibility
from characters.sheets.sheet import Group
from database.compiled import Parameter, compiled

Marked: TypeAlias = tuple[str, str, list[dict[str, Any]]]
CHOSEN = "character"  # of the query string of the table page


def playable(viewer: Viewer) -> QuerySet[Character]:
    """The characters that may be at hand here, the own ones before the NPCs."""
    if viewer.membership is None:
        return Character.objects.none()
    mine = Character.objects.controlled_by(viewer.membership).select_related("owner__user", "campaign")
    return mine.order_by(F("owner").asc(nulls_last=True), "name", "id")


def _playable(viewer: Viewer) -> list[Character]:
    if viewer.membership is None:
        return []
    query = _of_a_gm if viewer.membership.is_gm else _of_a_player
    return query.rows(campaign=viewer.membership.campaign_id, member=viewer.membership.pk)


def _in_order(campaign: Parameter, member: Parameter, *, is_gm: bool) -> QuerySet[Character]:
    mine = Character.objects.controlled(member, is_gm=is_gm).filter(campaign=campaign)
    return mine.select_related("owner__user", "campaign").order_by(F("owner").asc(nulls_last=True), "name", "id")


_of_a_member = compiled(campaign=models.UUIDField(), member=models.BigAutoField())
_of_a_gm, _of_a_player = (_of_a_member(partial(_in_order, is_gm=is_gm)) for is_gm in (True, False))


def hand_of(viewer: Viewer, chosen: str = "") -> dict[str, Any] | None:
    """The character whose id is `chosen`, else the first that may be at hand, as characters/_at_hand.html draws it.

    None for those who have none. What is no id of theirs counts as nothing chosen; a GM may choose anybody's.
    """
    mine = _playable(viewer)
    wanted = _id(chosen)
    character = (
        next((one for one in mine if one.pk == wanted), None) or _of_another(viewer, wanted) or next(iter(mine), None)
    )
    if character is None:
        return None
    return {
        "id": str(character.pk),
        "character": character,
        "name": character.name,
        "system": character.system,
        "url": reverse("character", args=[viewer.campaign.slug, character.pk]),
        "card": character.card(),
        "portrait": character.portrait(),
        "rolls": viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only,
        "others": [_switch(viewer, one, character) for one in mine]
        if [one for one in mine if one != character]
        else [],
        "groups": _groups(character, character.visibilities(viewer)),
    }


def _groups(character: Character, visibilities: frozenset[Visibility]) -> list[dict[str, Any]]:
    """[{"name", "words", "cells": [cell with "rollable", "trait", "slot"], "figure"}]: numbers, and rows that can be rolled.

    `trait` is what a press writes into the field `slot` of the roll form: rows go by their name, which people can read. Where
    a figure of the group's name is drawn, it stands for what it follows from.
    """
    groups = [group for group in character.rules.groups if group.at_hand]
    found = [(group.name, group.label, _cells(character, group, visibilities)) for group in groups]
    for gathered in character.rules.layout.gathers:
        found = _gathered(found, *gathered)
    shown = {
        one["name"]: figure for one in figures_of(character) if (figure := drawn(character.rules.name, one))["template"]
    }
    return [
        {"name": name, "words": words, "cells": [] if name in shown else cells, "figure": shown.get(name)}
        for name, words, cells in found
        if cells
    ]


def _gathered(groups: list[Marked], name: str, label: str, members: tuple[str, ...]) -> list[Marked]:
    """Several groups as one, where the first of them stood, with their cells by name."""
    cells = [cell for group, _, cells in groups if group in members for cell in cells]
    one = (name, label, sorted(cells, key=lambda cell: str(cell["label"])))
    at = next((at for at, group in enumerate(groups) if group[0] in members), len(groups))
    before, after = groups[:at], [group for group in groups[at:] if group[0] not in members]
    return [*before, one, *after]


def _cells(character: Character, group: Group, visibilities: frozenset[Visibility]) -> list[dict[str, Any]]:
    slots, cells = character.rules.layout.slots, []
    for field in group.fields:
        if isinstance(field, Number) and field.visibility in visibilities:
            picked = {"rollable": field.rollable, "trait": field.name, "slot": slots[0]}
            cells.append(character.cell(field.name) | picked)
        elif isinstance(field, Rows) and field.trait and field.visibility in visibilities:
            for row in character.rules.rows(character.values, field.name):
                cell = character.cell(f"{field.name}/{row['id']}/{field.trait}")
                name = row[field.title]
                cells.append(cell | {"rollable": True, "label": name, "trait": name, "slot": slots[1]})
    return cells


def _of_another(viewer: Viewer, wanted: UUID | None) -> Character | None:
    """A player's character, for whom a GM rolls."""
    if wanted is None or not viewer.is_gm or viewer.membership is None:
        return None
    return (
        Character.objects.rolled_by(viewer.membership)
        .select_related("owner__user", "campaign")
        .filter(pk=wanted)
        .first()
    )


def _switch(viewer: Viewer, one: Character, current: Character) -> dict[str, Any]:
    return {
        "name": one.name,
        "url": f"{reverse('table', args=[viewer.campaign.slug])}?{CHOSEN}={one.pk}",
        "current": one == current,
    }


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
