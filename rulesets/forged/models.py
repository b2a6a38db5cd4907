"""Names of the Forged in the Dark rules for the rows of sheets, and queries of who is at a table with sheets of these rules."""

from __future__ import annotations

from typing import ClassVar

from campaigns.models import Campaign
from characters.models import Character
from characters.models.values import Column, RowManager, SheetRow
from rulesets.forged.rules.consequence import HARM_SLOTS
from rulesets.forged.sheet import SHEET, harm_rows


class Harm(SheetRow):
    """Harm that a scoundrel has suffered, of a level from 1 to 3."""

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


def scoundrels(campaign: Campaign) -> list[Character]:
    """Return the player characters in play that have a sheet of these rules."""
    characters = Character.objects.known_to_all(campaign).filter(system=SHEET.name, is_crew=False).exclude(owner=None)
    return list(characters.with_related().with_rows().order_by("name"))


def crews_at_table(campaign: Campaign) -> list[Character]:
    """Return the crews in play of which players know; the first is that of the table."""
    return list(Character.objects.known_to_all(campaign).filter(system=SHEET.name, is_crew=True).order_by("name"))
