"""Resources marked at the table: by how much, rather than what they are then, so that two who press at once both count."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from characters.models import Character
from characters.services.fields import writable
from characters.services.lookup import get_writable
from characters.services.sheet_writes import ChangeReason, write
from characters.sheets.fields import SheetError
from characters.sheets.marking import marked


@service(Role.PLAYER)
def mark_resources(work: UnitOfWork, character: Character, moves: Mapping[str, int], *, key: UUID) -> Character:
    """Move resources of the sheet (characters/sheets/sheet.py) up or down by so much, in this order: numbers, the next boxes
    of a track, or a flag by its own name.

    Raises Invalid for what is no resource, what the field cannot hold and a locked sheet; nothing is changed then.
    """
    current = get_writable(work, character)
    try:
        for name, by in moves.items():
            for address, value in list(marked(current.rules, current.values, name, by)):
                writable(work, current, address)
                write(work, current, address, current.clean_value(address, value), ChangeReason(by_hand=True))
    except SheetError as error:
        raise Invalid(error.message) from None
    return current
