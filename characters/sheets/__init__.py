"""The sheets of the systems, as plain Python: what fields there are, what they may hold, what they give to a roll."""

from characters.sheets import storyteller
from characters.sheets.fields import Sheet

SHEETS: dict[str, Sheet] = {sheet.system: sheet for sheet in (storyteller.SHEET,)}
