from characters.models.characters import (
    Character,
    CharacterQuerySet,
    CharacterTemplate,
    Portrait,
    State,
    character_of,
    owners_of,
    prefetch_rows,
    read_rows,
)
from characters.models.ledger import Claim, LedgerEntry
from characters.models.values import SheetRow

__all__ = [
    "Character",
    "CharacterQuerySet",
    "CharacterTemplate",
    "Claim",
    "LedgerEntry",
    "Portrait",
    "SheetRow",
    "State",
    "character_of",
    "owners_of",
    "prefetch_rows",
    "read_rows",
]
