"""The Descriptors rules' names for rows of sheets."""

from __future__ import annotations

from typing import ClassVar

from characters.models.values import Column, RowManager, SheetRow
from rulesets.descriptors.sheet import INJURIES, KEYS, SHEET, STUCK


class Burden(SheetRow):
    """Traits that end as the story demands: an Injury, or a Scene Descriptor that stays with a character."""

    name, dice = Column[str](), Column[int]()

    objects: ClassVar[RowManager] = RowManager(SHEET, STUCK, INJURIES)

    class Meta:
        proxy = True

    @property
    def sticks(self) -> bool:
        return self.group == STUCK.name

    @property
    def origin(self) -> str:
        """Return who made the stuck Descriptor; "" if unknown, and for Injuries."""
        return str(self.values.get("origin", ""))


class Key(SheetRow):
    """Holds what a character gains Advances by; `framework` is "dramatic" or "motivation"."""

    name, framework, words = Column[str](), Column[str](), Column[str]()

    objects: ClassVar[RowManager] = RowManager(SHEET, KEYS)

    class Meta:
        proxy = True
