"""A character in play (characters/sheets/sheet.py): beside its name in the party, and in full with the character at
hand and in the dialog that a GM opens from the party.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, TypeAlias
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.access import id_or_none
from campaigns.models import Role, Viewer
from campaigns.text import listed
from characters.events import shown_cells
from characters.models import Character, read_rows
from characters.queries.in_play import in_play, own_of
from characters.rulesets import drawn_figure, figures_of
from characters.sheets import told
from characters.sheets.fields import Flag, Number, Rows, Visibility
from characters.sheets.sheet import STATE, Group, Resource
from languages.letters import fold

Item: TypeAlias = dict[str, Any]
BOXES = ("boxes", "dots")
OPEN = (Visibility.PUBLIC, Visibility.SHEET)
MOST_BOXES = 12
"""Counts above this are shown as a number instead of boxes."""


def acts(viewer: Viewer) -> bool:
    """Return whether the viewer may do anything at this table now."""
    return viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only and not viewer.campaign.archived_at


def mark_url(character: Character, viewer: Viewer) -> str:
    """Return the address for marking its resources; "" for viewers who may not."""
    may = acts(viewer) and character.written_by(viewer) and (viewer.is_gm or not character.locked)
    return reverse("character_marks", args=[viewer.campaign.slug, character.pk]) if may else ""


def beside_the_name(character: Character) -> Item:
    """Return what characters/_glance.html and lists show of it: {"id", "state": a figure or None, "resources"}, these as
    `resource_item`."""
    figures = figures_now(character)
    wanted = (resource for resource in open_resources(character) if not resource.own)
    return {
        "id": str(character.pk),
        "state": figures.get(STATE),
        "resources": [resource_item(character, resource, figures) for resource in wanted],
    }


def in_full(character: Character, viewer: Viewer, slot: str = "") -> Item:
    """Return the whole character, as characters/_in_play.html draws it: {"id", "name", "mark_url", "take_url",
    "resources", "own"}; `own` are shown below the traits.

    Besides what `resource_item` has, flags have {"flags": [{"cell", "box", "there"}], "length": a cell or None} and
    rows {"list"}: as `listed`, with `slot`.
    """
    figures, url, resources = figures_now(character), mark_url(character, viewer), open_resources(character)
    return {
        "id": str(character.pk),
        "name": character.name,
        "mark_url": url,
        "take_url": reverse("row_remove", args=[viewer.campaign.slug, character.pk]) if url else "",
        "resources": [_in_full(character, resource, figures, slot) for resource in resources if not resource.own],
        "own": [_in_full(character, resource, figures, slot) for resource in resources if resource.own],
    }


def _in_full(character: Character, resource: Resource, figures: dict[str, Item], slot: str) -> Item:
    item = resource_item(character, resource, figures)
    if item.pop("rows", None) is not None:
        return item | {"list": listed_resources(character, character.rules.lists[resource.name], figures, slot)}
    return item | _flags(character, resource) if resource.flags else item


def _flags(character: Character, resource: Resource) -> Item:
    length = character.number(resource.length) if resource.length else len(resource.flags)
    flags = []
    for name in resource.flags:
        field = character.rules.fields[name]
        box = field.box if isinstance(field, Flag) else 0
        flags.append({"cell": character.cell(name), "box": box, "there": box <= length})
    return {"flags": flags, "length": character.cell(resource.length) if resource.length else None}


def listed_resources(character: Character, rows: Rows, figures: dict[str, Item], slot: str) -> Item:
    """Return a list of the sheet as characters/_hand_rows.html draws it: {"rows", "label", "title", "trait", "slot", "list"};
    `slot` is the field of the roll form into which what a row gives goes, "" for rows that give a roll nothing."""
    return {
        "rows": rows.name,
        "label": rows.label,
        "singular": rows.singular,
        "title": rows.title,
        "trait": rows.trait,
        "slot": slot if rows.trait else "",
        "list": [
            character.row_cells(rows, row["id"])
            | {"at": row.get("at", 0), "figure": figures.get(f"{rows.name}/{row['id']}", {}).get("words", "")}
            for row in character.rules.rows(character.values, rows.name)
        ],
    }


def resource_item(character: Character, resource: Resource, figures: dict[str, Item]) -> Item:
    """Return a resource as templates draw it: {"name", "label", "kind", "note", "drops", "figure", "cell", "boxes",
    "rows"}, of the last four those that it has; `boxes`: whether its value is a row of boxes to press.
    """
    sheet, kind = character.rules, told.kind_of(character.rules, resource)
    item: Item = {
        "name": resource.name,
        "label": told.label_of(sheet, resource),
        "kind": kind,
        "note": resource.note,
        "drops": resource.drops,
    }
    if resource.figure:
        item["figure"] = figures.get(resource.figure)
    if kind == "rows":
        item["rows"] = _rows(character, resource)
    elif kind == "number" or not (resource.figure or resource.flags):
        item["cell"] = character.cell(resource.name)
        item["boxes"] = kind == "number" and item["cell"]["style"] in BOXES and item["cell"]["of"] <= MOST_BOXES
    return item


def _rows(character: Character, resource: Resource) -> list[Item]:
    """Return each row with its shown cells (`cells`), and all of them (`whole`)."""
    sheet, drawn_rows = character.rules, []
    rows = sheet.lists[resource.name]
    for row in sheet.rows(character.values, rows.name):
        whole = character.row_cells(rows, row["id"])["cells"]
        shown = shown_cells(sheet, rows.name, whole)
        drawn_rows.append({"id": row["id"], "at": row.get("at", 0), "cells": shown, "whole": whole})
    return drawn_rows


def figures_now(character: Character) -> dict[str, Item]:
    """Return the derived figures of its sheet, by name, as templates draw them."""
    return {figure["name"]: drawn_figure(character.rules.name, figure) for figure in figures_of(character)}


def open_resources(character: Character) -> list[Resource]:
    """Return the resources whose values are all on the open sheet."""
    return [resource for resource in character.rules.layout.resources if _is_open(character, resource)]


def _is_open(character: Character, resource: Resource) -> bool:
    known = (*character.rules.fields, *character.rules.lists)
    return all(character.rules.visibility_of(name) in OPEN for name in resource.shows & frozenset(known))


# The character at hand: what the left side of the table page shows, and what the composer rolls and speaks with.


Marked: TypeAlias = tuple[str, str, list[Item], list[Item]]
CHOSEN = "character"  # of the query string of the table page


def hand_of(viewer: Viewer, chosen: str = "") -> dict[str, Any] | None:
    """Return the character whose id is `chosen`, else the viewer's first, as characters/_at_hand.html draws it.

    None for viewers without one. Ids that are not theirs are ignored; a GM may choose anyone's.
    """
    mine = own_of(viewer)
    wanted = id_or_none(chosen)
    character = (
        next((other for other in mine if other.pk == wanted), None)
        or _of_another(viewer, wanted)
        or next(iter(mine), None)
    )
    if character is None:
        return None
    read_rows(viewer, {character, *mine})
    return {
        "id": str(character.pk),
        "character": character,
        "playable": mine,
        "name": character.name,
        "system": character.system,
        "url": reverse("character", args=[viewer.campaign.slug, character.pk]),
        "card": character.card(),
        "portrait": character.portrait(),
        "rolls": viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only,
        "others": [_switch(viewer, other, str(character.pk)) for other in mine]
        if character.is_npc or [other for other in mine if other != character]
        else [],
        "in_play": in_full(character, viewer, character.rules.layout.slots[1]),
        "groups": _groups(character, character.visibilities(viewer)),
    }


def hand_by_rules(viewer: Viewer, hand: dict[str, Any] | None, system: str) -> dict[str, Any] | None:
    """Return the character at hand, or, if that one has other rules, the viewer's only one of these."""
    if hand is None or hand["system"] == system:
        return hand
    fitting = [character for character in hand["playable"] if character.system == system]
    return hand_of(viewer, str(fitting[0].pk)) if len(fitting) == 1 else hand


def _groups(character: Character, visibilities: frozenset[Visibility]) -> list[Item]:
    """Return [{"name", "words", "cells": [cell with "rollable", "trait", "slot"], "lists": [rows as `listed`]}]:
    numbers and rollable rows, without those that are already shown as resources.

    `trait` is what a press writes into the roll form's field `slot`: for rows their name, which people can read.
    """
    groups = [group for group in character.rules.groups if group.at_hand]
    shown = {name for resource in open_resources(character) for name in resource.shows}
    figures = figures_now(character)
    marked = [_marked(character, group, visibilities, shown, figures) for group in groups]
    for gathered in character.rules.layout.gathers:
        marked = _gathered(marked, *gathered)
    return [
        {"name": name, "words": words, "cells": cells, "lists": lists}
        for name, words, cells, lists in marked
        if cells or lists
    ]


def _gathered(groups: list[Marked], name: str, label: str, members: tuple[str, ...]) -> list[Marked]:
    """Merge several groups into one at the place of the first, with their cells by name."""
    gathered = [group for group in groups if group[0] in members]
    cells = sorted((cell for _, _, cells, _ in gathered for cell in cells), key=lambda cell: fold(str(cell["label"])))
    whole = (name, label, cells, [rows for *_, lists in gathered for rows in lists])
    at = next((at for at, group in enumerate(groups) if group[0] in members), len(groups))
    before, after = groups[:at], [group for group in groups[at:] if group[0] not in members]
    return [*before, whole, *after]


def _marked(
    character: Character,
    group: Group,
    visibilities: frozenset[Visibility],
    shown: set[str],
    figures: dict[str, Item],
) -> Marked:
    slots = character.rules.layout.slots
    wanted = [number for number in group.in_order if number.visibility in visibilities and number.name not in shown]
    cells = [
        character.cell(field.name) | {"rollable": field.rollable, "trait": field.name, "slot": slots[0]}
        for field in wanted
        if isinstance(field, Number)
    ]
    lists = [
        listed_resources(character, rows, figures, slots[1]) for rows in wanted if isinstance(rows, Rows) and rows.trait
    ]
    return group.name, group.label, cells, lists


def _of_another(viewer: Viewer, wanted: UUID | None) -> Character | None:
    """Return a player's character, for a GM who rolls for it; None otherwise."""
    if not viewer.is_gm or viewer.membership is None:
        return None
    return next((other for other in in_play(viewer) if other.pk == wanted and not other.is_crew), None)


def npcs_of(viewer: Viewer, at_hand: str) -> list[Item]:
    """Return those a GM may have at hand, as rolls/_npcs.html draws them. `at_hand` is the id of who is."""
    mine = own_of(viewer)
    read_rows(viewer, mine)
    return [_switch(viewer, other, at_hand) for other in mine]


def _switch(viewer: Viewer, character: Character, at_hand: str) -> Item:
    return {
        "name": character.name,
        "url": f"{reverse('table', args=[viewer.campaign.slug])}?{CHOSEN}={character.pk}",
        "current": str(character.pk) == at_hand,
        "portrait": character.portrait(),
        # A GM's own characters stand in the party.
        "glance": beside_the_name(character) if viewer.is_gm and character.is_npc else None,
    }


# The party: who is played at this table, and what of them it keeps in sight (characters/sheets/sheet.py).


def party(viewer: Viewer) -> list[Item]:
    """Return the played characters, by name, then crews, as characters/_party.html draws them; a player's own are shown
    as their hand instead.

    Each is {"id", "name", "system", "url", "portrait", "whose", "players", "faces", "asks", "hand_url", "panel_url",
    "state", "resources"}; an address is "" if this viewer may not use it, `faces` says whether they may act against it by its
    rules, and `asks` whether they may request a roll. `players` are the members whose presence makes it present; a crew
    has none. `state` and `resources` are those of its sheet, if this viewer may read it (`beside_the_name`).
    """
    played_here = [character for character in in_play(viewer) if not character.is_npc]
    read_rows(viewer, played_here)
    own = {character.system for character in played_here if _plays(character, viewer)}
    others = [character for character in played_here if viewer.is_gm or not _plays(character, viewer)]
    return [_one(character, viewer, own) for character in sorted(others, key=lambda character: character.is_crew)]


def _one(character: Character, viewer: Viewer, own: Set[str]) -> Item:
    """Return one entry of the party. `own` are the systems of the characters this viewer plays."""
    slug, is_person = viewer.campaign.slug, acts(viewer) and not character.is_crew
    rolls = is_person and viewer.is_gm
    return {
        "id": str(character.pk),
        "state": None,
        "resources": [],
        "name": character.name,
        "system": character.system,
        "url": reverse("character", args=[slug, character.pk]),
        "portrait": character.portrait(),
        "whose": _("crew") if character.is_crew else listed([player.name for player in character.players]),
        "players": " ".join(str(player.pk) for player in character.players),
        "faces": is_person and (viewer.is_gm or character.system in own),
        "asks": rolls,
        "hand_url": f"{reverse('table', args=[slug])}?{CHOSEN}={character.pk}" if rolls else "",
        "panel_url": reverse("character_in_play", args=[slug, character.pk]) if mark_url(character, viewer) else "",
        **(beside_the_name(character) if character.opens_for(viewer) else {}),
    }


def _plays(character: Character, viewer: Viewer) -> bool:
    return viewer.membership in character.players
