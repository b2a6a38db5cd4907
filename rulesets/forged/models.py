"""What the Forged in the Dark rules call the rows of sheets."""

from __future__ import annotations

from typing import ClassVar

from characters.models.rows import Column, RowManager, SheetRow
from rulesets.forged.sheet import HARM_SLOTS, SHEET, harm_rows


class Harm(SheetRow):
    """What a scoundrel has suffered, of a level from 1 to 3."""

    name = Column[str]()

    objects: ClassVar[RowManager] = RowManager(SHEET, *(SHEET.lists[harm_rows(level)] for level in HARM_SLOTS))

    class Meta:
        proxy = True

    @property
    def level(self) -> int:
        return next(level for level in HARM_SLOTS if harm_rows(level) == self.group)


class Item(SheetRow):
    """A thing that a scoundrel has, with its load, carried or not."""

    name, load, carried = Column[str](), Column[int](), Column[bool]()

    objects: ClassVar[RowManager] = RowManager(SHEET, SHEET.lists["items"])

    class Meta:
        proxy = True
