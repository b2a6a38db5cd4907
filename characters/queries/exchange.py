"""Sheets that leave as files, as far as their reader may see them (docs/sheets.md)."""

from __future__ import annotations

from typing import Any

from campaigns.errors import Invalid
from campaigns.models import Seat
from characters.models import Character
from characters.sheets import exchange
from characters.sheets.common import DISPOSITION, LINKS
from characters.sheets.exchange import Head
from characters.sheets.fields import Sight


def sheet_file(character: Character, seat: Seat) -> dict[str, Any]:
    """The file of a character's sheet for this reader: what they may see, and of private notes their own alone.

    Raises Invalid where its rules are not installed, since nobody can say then what of it may be seen.
    """
    if not character.rules.groups:
        raise Invalid(f"The rules of this sheet ({character.system}) are not installed here, so it makes no file.")
    head = Head(character.system, character.name, character.concept, character.is_crew)
    values = character.values | ({DISPOSITION.name: character.disposition} if character.is_npc else {})
    there = Character.objects.seen_by(seat).filter(campaign=character.campaign)
    names = {str(one.pk): one.name for one in there} if _links(character) else {}
    return exchange.written(head, values, names, _exported(character, seat))


def _exported(character: Character, seat: Seat) -> frozenset[Sight]:
    owner = character.owner or (seat.membership if seat.is_gm else None)
    own = seat.membership is not None and seat.real is None and seat.membership == owner
    return character.sights(seat) if own else character.sights(seat) - {Sight.PRIVATE}


def _links(character: Character) -> bool:
    return any(row["to"] for rows in LINKS for row in character.rules.rows(character.values, rows))
