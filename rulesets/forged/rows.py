"""What the procedures of the forged rules read and write of sheets (rules/table.py)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel

from campaigns.schema import Code, Name
from rules.table import Sheet, Table
from rulesets.forged.sheet import TRAUMAS, trauma_of


class Item(BaseModel):
    """Something on the sheet, of so much `load`, that is `carried` into a score once it has turned up."""

    name: Name
    load: int = 1
    carried: bool = False


class Scoundrel(Sheet):
    """A player character; of NPCs it is what the GM has written down."""

    sheet: ClassVar[str] = "forged"

    stress: int = 0
    playbook_xp: int = 0
    insight_xp: int = 0
    prowess_xp: int = 0
    resolve_xp: int = 0
    load: Code = ""
    items: dict[str, Item] = {}
    armor: bool = False
    heavy_armor: bool = False
    special_armor: bool = False
    trauma_cold: bool = False
    trauma_haunted: bool = False
    trauma_obsessed: bool = False
    trauma_paranoid: bool = False
    trauma_reckless: bool = False
    trauma_soft: bool = False
    trauma_unstable: bool = False
    trauma_vicious: bool = False

    @property
    def carried(self) -> int:
        """Return how much they carry."""
        return sum(item.load for item in self.items.values() if item.carried)

    @property
    def traumas(self) -> list[str]:
        """Return the conditions that they have."""
        return [condition for condition in TRAUMAS if getattr(self, trauma_of(condition))]

    def room(self, table: Table) -> int:
        """Return how many boxes of the stress track are not marked."""
        boxes: int = table.settings.boxes
        return boxes - self.stress


def people(table: Table) -> list[Scoundrel]:
    """Return the player characters in play."""
    return [one for one in table.all(Scoundrel) if one.in_play and one.is_played]


class Cohort(BaseModel):
    name: Name
    quality: int


class Crew(Sheet):
    sheet: ClassVar[str] = "crew"

    tier: int = 0
    wanted: int = 0
    crew_xp: int = 0
    cohorts: dict[str, Cohort] = {}
