"""The characters in play that a viewer knows: read in one go for a page, however many parts of it ask."""

from __future__ import annotations

from django.db.models import prefetch_related_objects
from django.urls import reverse

from campaigns.models import Viewer
from characters.models import Character


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


def faces_of(viewer: Viewer) -> list[dict[str, str]]:
    """Return the icons of portraits that a page may show beside names: [{"character" (its id), "url", "owner" (the member who
    plays it, or "")}].
    """
    slug = viewer.campaign.slug
    return [
        {
            "character": str(character.pk),
            "url": reverse("portrait_icon", args=[slug, character.pk, character.picture]),
            "owner": str(character.owner_id or ""),
        }
        for character in in_play(viewer)
        if character.picture
    ]
