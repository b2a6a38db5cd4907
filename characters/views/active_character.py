"""The character at hand: what the left side of the table page shows, and what the composer rolls and speaks with."""

from __future__ import annotations

from typing import Any, TypeAlias
from uuid import UUID

from django.urls import reverse

from campaigns.access import id_or_none
from campaigns.models import Role, Viewer
from characters.models import Character, read_rows
from characters.queries.in_play import in_play, own_of
from characters.sheets.fields import Number, Rows, Visibility
from characters.sheets.sheet import Group
from characters.views.in_play import Item, figures_now, in_full, listed, open_resources
from languages.letters import fold

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
    read_rows(viewer, [character])
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
        "others": [_switch(viewer, other, character) for other in mine]
        if [other for other in mine if other != character]
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
    lists = [listed(character, rows, figures, slots[1]) for rows in wanted if isinstance(rows, Rows) and rows.trait]
    return group.name, group.label, cells, lists


def _of_another(viewer: Viewer, wanted: UUID | None) -> Character | None:
    """Return a player's character, for a GM who rolls for it; None otherwise."""
    if not viewer.is_gm or viewer.membership is None:
        return None
    return next((other for other in in_play(viewer) if other.pk == wanted and not other.is_crew), None)


def _switch(viewer: Viewer, character: Character, current: Character) -> dict[str, Any]:
    return {
        "name": character.name,
        "url": f"{reverse('table', args=[viewer.campaign.slug])}?{CHOSEN}={character.pk}",
        "current": character == current,
        "portrait": character.portrait(),
    }
