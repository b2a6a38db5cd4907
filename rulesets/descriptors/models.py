"""The Descriptors rules' names for rows of sheets, and the Descriptors in a scene."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import models

from campaigns.models import Campaign
from campaigns.models.members import TABLE
from characters.models.values import Column, RowManager, SheetRow
from rolls.models import Procedure
from rulesets.descriptors.sheet import DESCRIPTORS, INJURIES, KEYS, SHEET, STUCK

SCENE_DESCRIPTOR: Final = "scene_descriptor"
"""The kind of procedure that is a Scene Descriptor on the table."""


class Descriptor(SheetRow):
    """Something about a character that gives dice."""

    name, dice, category = Column[str](), Column[int](), Column[str]()

    objects: ClassVar[RowManager] = RowManager(SHEET, DESCRIPTORS)

    class Meta:
        proxy = True


class Injury(SheetRow):
    """Holds what a character has suffered; either side of a roll may use its dice."""

    name, dice = Column[str](), Column[int]()

    objects: ClassVar[RowManager] = RowManager(SHEET, INJURIES)

    class Meta:
        proxy = True


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


class PoolEntry(SheetRow):
    """An entry of a pool: a Descriptor, an Injury, or a stuck Scene Descriptor."""

    name, dice = Column[str](), Column[int]()

    objects: ClassVar[RowManager] = RowManager(SHEET, DESCRIPTORS, INJURIES, STUCK)

    class Meta:
        proxy = True


class Key(SheetRow):
    """Holds what a character gains Advances by; `framework` is "dramatic" or "motivation"."""

    name, framework, words = Column[str](), Column[str](), Column[str]()

    objects: ClassVar[RowManager] = RowManager(SHEET, KEYS)

    class Meta:
        proxy = True


class SceneDescriptorManager(models.Manager["SceneDescriptor"]):
    def get_queryset(self) -> models.QuerySet[SceneDescriptor]:
        return super().get_queryset().filter(system=SHEET.name, kind=SCENE_DESCRIPTOR)

    def lying_in(self, campaign: Campaign) -> models.QuerySet[SceneDescriptor]:
        """Return the Scene Descriptors on the table, which everyone may use."""
        return self.filter(campaign=campaign, closed_at=None, stream=TABLE)


class SceneDescriptor(Procedure):
    """A Descriptor that belongs to nobody, from when it is made until it sticks to a character or is gone."""

    objects: ClassVar[SceneDescriptorManager] = SceneDescriptorManager()

    class Meta:
        proxy = True

    @property
    def name(self) -> str:
        return str(self._told("name"))

    @property
    def dice(self) -> int:
        return int(self._told("dice"))

    @property
    def stuck_to(self) -> str | None:
        """Return the id of the character to whom it sticks; None while it is on the table."""
        bearer: str | None = self._told("stuck_to")
        return bearer

    def _told(self, name: str) -> Any:
        return self.state.get(name)
