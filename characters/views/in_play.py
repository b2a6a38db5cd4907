"""A character in play (characters/sheets/sheet.py): beside its name in the party, and in full with the character at
hand and in the dialog that a GM opens from the party.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from django.urls import reverse

from campaigns.models import Role, Viewer
from characters.events import shown_cells
from characters.models import Character
from characters.rulesets import drawn_figure, figures_of
from characters.sheets import marking
from characters.sheets.fields import Flag, Rows, Visibility
from characters.sheets.sheet import Resource

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


def beside_the_name(character: Character) -> list[Item]:
    """Return the resources that the party list shows of it, each as `resource_item`."""
    figures = figures_now(character)
    wanted = (resource for resource in open_resources(character) if not resource.own)
    return [resource_item(character, resource, figures) for resource in wanted]


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
        return item | {"list": listed(character, character.rules.lists[resource.name], figures, slot)}
    return item | _flags(character, resource) if resource.flags else item


def _flags(character: Character, resource: Resource) -> Item:
    length = character.number(resource.length) if resource.length else len(resource.flags)
    flags = []
    for name in resource.flags:
        field = character.rules.fields[name]
        box = field.box if isinstance(field, Flag) else 0
        flags.append({"cell": character.cell(name), "box": box, "there": box <= length})
    return {"flags": flags, "length": character.cell(resource.length) if resource.length else None}


def listed(character: Character, rows: Rows, figures: dict[str, Item], slot: str) -> Item:
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
    sheet, kind = character.rules, marking.kind_of(character.rules, resource)
    item: Item = {
        "name": resource.name,
        "label": marking.label_of(sheet, resource),
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
