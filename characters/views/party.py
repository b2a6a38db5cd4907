"""The party: who is played at this table, and what of them it keeps in sight (characters/sheets/resources.py)."""

from __future__ import annotations

from typing import Any, TypeAlias

from django.db.models import Prefetch
from django.urls import reverse

from campaigns.models import Membership, Role, Viewer
from characters.events import shown_cells
from characters.figures import drawn, figures_of
from characters.models import Character
from characters.sheets import marking
from characters.sheets.fields import Visibility
from characters.sheets.resources import Resource
from characters.views.active_character import CHOSEN

Item: TypeAlias = dict[str, Any]


def party(viewer: Viewer) -> list[Item]:
    """Those who are played, the own ones first, then by name, as characters/_party.html draws them: {"id", "name", "url",
    "portrait", "whose", "players", "mark_url", "asks", "hand_url", "resources"}; an address is "" where it is not for this viewer
    to do, and `asks` says whether they may ask for a roll.

    `players` are the members whose being here makes it present. `resources` are those of its sheet, where the sheet opens for
    this viewer: {"name", "label", "kind", "figure", "cell", "rows"}.
    """
    others = Prefetch("co_owners", Membership.objects.select_related("user"))
    played = Character.objects.active().filter(campaign=viewer.campaign, owner__isnull=False)
    found = played.select_related("owner__user").prefetch_related(others).order_by("name", "id")
    return [_one(character, viewer) for character in sorted(found, key=lambda one: not _plays(one, viewer))]


def _one(character: Character, viewer: Viewer) -> Item:
    character.campaign = viewer.campaign
    slug, acts = viewer.campaign.slug, _acts(viewer)
    table = reverse("table", args=[slug])
    return {
        "id": str(character.pk),
        "name": character.name,
        "url": reverse("character", args=[slug, character.pk]),
        "portrait": character.portrait(),
        "whose": " and ".join(player.name for player in character.players),
        "players": " ".join(str(player.pk) for player in character.players),
        "mark_url": reverse("character_marks", args=[slug, character.pk]) if acts and _marks(character, viewer) else "",
        "asks": acts and viewer.is_gm,
        "hand_url": f"{table}?{CHOSEN}={character.pk}" if acts and viewer.is_gm else "",
        "resources": _resources(character) if character.opens_for(viewer) else [],
    }


def _plays(character: Character, viewer: Viewer) -> bool:
    return viewer.membership in character.players


def _acts(viewer: Viewer) -> bool:
    return viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only and not viewer.campaign.archived_at


def _marks(character: Character, viewer: Viewer) -> bool:
    return character.written_by(viewer) and (viewer.is_gm or not character.locked)


def _resources(character: Character) -> list[Item]:
    figures = {one["name"]: drawn(character.rules.name, one) for one in figures_of(character)}
    wanted = [one for one in character.rules.layout.resources if _is_open(character, one)]
    return [resource_item(character, one, figures) for one in wanted]


def resource_item(character: Character, resource: Resource, figures: dict[str, Item]) -> Item:
    """What is shown of one."""
    sheet, kind = character.rules, marking.kind_of(character.rules, resource)
    item = {"name": resource.name, "label": marking.label_of(sheet, resource), "kind": kind}
    if resource.figure:
        return item | {"figure": figures.get(resource.figure)}
    return item | ({"rows": _rows(character, resource)} if kind == "rows" else {"cell": character.cell(resource.name)})


def _rows(character: Character, resource: Resource) -> list[Item]:
    """Each with what is shown of it (`cells`), and all of it (`whole`)."""
    sheet, drawn_rows = character.rules, []
    rows = sheet.lists[resource.name]
    for row in sheet.rows(character.values, rows.name):
        whole = character.row_cells(rows, row["id"])["cells"]
        shown = shown_cells(sheet, rows.name, whole)
        drawn_rows.append({"id": row["id"], "at": row["at"], "cells": shown, "whole": whole})
    return drawn_rows


def _is_open(character: Character, resource: Resource) -> bool:
    """The figures that stand for a resource follow from the open sheet; so whatever is shown here has to stand on it."""
    names = [
        name
        for name in (resource.name, *resource.flags)
        if name in character.rules.fields or name in character.rules.lists
    ]
    return all(character.rules.visibility_of(name) is Visibility.SHEET for name in names)
