"""Sheets that leave as files, as far as their reader may see them (docs/sheets.md)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.models import Viewer
from characters.models import Character
from characters.sheets import exchange
from characters.sheets.common import DISPOSITION, LINKS
from characters.sheets.exchange import Head
from characters.sheets.fields import Visibility


def sheet_file(character: Character, viewer: Viewer) -> dict[str, Any]:
    """Return the file of a character's sheet for this reader: what they may see, and only their own private notes.

    Raises Invalid if its rules are not installed, since visibility is unknown then.
    """
    if not character.rules.groups:
        message = _("This sheet can’t be exported: its rules ({system}) aren’t installed here.")
        raise Invalid(message.format(system=character.system))
    head = Head(character.system, character.name, character.concept, character.is_crew)
    values = character.values | ({DISPOSITION.name: character.disposition} if character.is_npc else {})
    characters = Character.objects.seen_by(viewer).filter(campaign=character.campaign)
    names = {str(other.pk): other.name for other in characters} if _links(character) else {}
    return exchange.written(head, values, names, _exported(character, viewer))


def _exported(character: Character, viewer: Viewer) -> frozenset[Visibility]:
    owner = character.owner or (viewer.membership if viewer.is_gm else None)
    own = viewer.membership is not None and viewer.real is None and viewer.membership == owner
    return character.visibilities(viewer) if own else character.visibilities(viewer) - {Visibility.PRIVATE}


def _links(character: Character) -> bool:
    return any(row["to"] for rows in LINKS for row in character.rules.rows(character.values, rows))
