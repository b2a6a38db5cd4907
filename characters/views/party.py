"""The party: who is played at this table, and what of them it keeps in sight (characters/sheets/sheet.py)."""

from __future__ import annotations

from collections.abc import Set

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import Viewer
from campaigns.text import listed
from characters.models import Character, read_rows
from characters.queries.in_play import in_play
from characters.views.active_character import CHOSEN
from characters.views.in_play import Item, acts, beside_the_name, mark_url


def party(viewer: Viewer) -> list[Item]:
    """Return the played characters, by name, then crews, as characters/_party.html draws them; a player's own are shown
    as their hand instead.

    Each is {"id", "name", "system", "url", "portrait", "whose", "players", "faces", "asks", "hand_url", "panel_url",
    "resources"}; an address is "" if this viewer may not use it, `faces` says whether they may act against it by its
    rules, and `asks` whether they may request a roll. `players` are the members whose presence makes it present; a crew
    has none. `resources` are those of its sheet, if this viewer may read it (characters/views/in_play.py).
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
        "resources": beside_the_name(character) if character.opens_for(viewer) else [],
    }


def _plays(character: Character, viewer: Viewer) -> bool:
    return viewer.membership in character.players
