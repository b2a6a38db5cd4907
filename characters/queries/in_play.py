"""The characters in play that a viewer knows: read in one go for a page, however many parts of it ask."""

from __future__ import annotations

from typing import Any

from django.db.models import F, prefetch_related_objects

from campaigns.models import Viewer
from characters.models import Character
from characters.models.values import FIELD_COLUMNS


def in_play(viewer: Viewer) -> list[Character]:
    """Return the characters in play that this viewer knows, by name, with their players. They are read once for a page."""
    return viewer.once(_read)


def _read(viewer: Viewer) -> list[Character]:
    active = Character.objects.active().filter(campaign=viewer.campaign).select_related("owner__user")
    characters = list(active if viewer.is_gm else active.shown())
    for character in characters:
        character.campaign = viewer.campaign
    prefetch_related_objects([character for character in characters if character.owner], "co_owners__user")
    return characters


def own_of(viewer: Viewer) -> list[Character]:
    """Return the characters this viewer may roll and speak for (`CharacterQuerySet.controlled_by`), their own before NPCs."""
    member = viewer.membership
    if member is None:
        return []
    own = [
        character for character in in_play(viewer) if member in character.players or (member.is_gm and character.is_npc)
    ]
    return sorted(own, key=lambda character: (character.owner_id is None, character.owner_id))


def faces_of(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the portraits that a page may show beside names, as `Character.portrait` has them, each with its "owner": the
    member who plays it, or None. Those out of play, who have spoken too, come last.
    """
    known = Character.objects.filter(campaign=viewer.campaign, deleted_at=None).select_related(
        "owner__user", "campaign"
    )
    out = [F("died_at").desc(nulls_first=True), F("retired_at").desc(nulls_first=True)]
    faces = (known if viewer.is_gm else known.shown()).defer(*FIELD_COLUMNS).order_by(*out, "name", "id")
    return [character.portrait() | {"owner": character.owner_id} for character in faces]
