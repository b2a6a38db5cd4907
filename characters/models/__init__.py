from characters.models.characters import Character, CharacterQuerySet, Portrait, State, owners_of, rows_of
from characters.models.ledger import Claim, LedgerEntry
from characters.models.rows import SheetRow
from characters.models.templates import CharacterTemplate

__all__ = [
    "Character",
    "CharacterQuerySet",
    "CharacterTemplate",
    "Claim",
    "LedgerEntry",
    "Portrait",
    "SheetRow",
    "State",
    "owners_of",
    "rows_of",
]
