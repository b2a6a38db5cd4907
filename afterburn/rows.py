"""For the `models.py` of a game: names and types for the rows of its sheets."""

from characters.models.values import Column, RowManager, SheetRow
