"""Sheets that come in as files (docs/sheets.md)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Forbidden, Invalid
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from characters.models import Character
from characters.services.cards import Card, drafted, introduce
from characters.sheets.exchange import EVERYTHING, Brought
from characters.sheets.fields import Visibility


def may_bring(by_gm: bool, *, for_oneself: bool) -> frozenset[Visibility]:
    """Return the visibilities that may be imported: a GM's include secrets, and private notes only go to oneself."""
    may = EVERYTHING if by_gm else EVERYTHING - {Visibility.SECRET}
    return may if for_oneself else may - {Visibility.PRIVATE}


@service(Role.PLAYER)
def import_character(work: UnitOfWork, card: Card, brought: Brought, *, key: UUID) -> Character:
    """Make a new character with the sheet of a file. `card` names the owner; who may make it is as for `make_character`.

    Links go to characters of the same name, if all readers of the link know them; else to nobody. Raises Forbidden for
    secrets brought by anyone but a GM, Invalid for values that cannot be on the sheet.
    """
    head = brought.head
    may = may_bring(work.by.is_gm, for_oneself=card.owner in (work.by, None))
    if not {head.sheet.visibility_of(name) for name in brought.values} <= may:
        raise Forbidden(_("This file contains something only a GM or its author can import."))
    character = drafted(work, card, system=head.system, is_crew=head.is_crew)
    if brought.disposition is not None:
        if not character.is_npc:
            raise Invalid(_("disposition: Only NPCs have one. Remove it from the file."), field="file")
        character.disposition = brought.disposition
    character.hold(_linked(work, character, brought))
    introduce(work, character, card)
    return character


def _linked(work: UnitOfWork, character: Character, brought: Brought) -> dict[str, Any]:
    """Return the values, with the links to those there are; an NPC's own sheet, which GMs alone read, may name hidden ones."""
    characters = Character.objects.filter(campaign=work.campaign, deleted_at=None, name__in=set(brought.links.values()))
    gms_alone = character.is_npc and not character.opened
    by_name = {linked.name: linked for linked in characters.order_by("-id") if gms_alone or not linked.is_hidden}
    values, sheet = brought.values, brought.head.sheet
    for address, name in brought.links.items():
        to = by_name.get(name)
        if to and to.is_hidden and sheet.place(address).visibility is Visibility.PUBLIC:
            to = None
        values = sheet.put(values, address, str(to.pk) if to else "")
    return values
