"""What the procedures of the forged rules read and write of sheets (rules/table.py)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel

from campaigns.schema import Code, Name
from rules.table import Sheet, Table, add_row
from rulesets.forged.rules.downtime import HEAT_BOXES, HIGHEST_WANTED
from rulesets.forged.sheet import TRAUMAS, trauma_of
from rulesets.forged.sheet import action as action_of
from rulesets.forged.sheet import attribute as attribute_of


class Item(BaseModel):
    """Something on the sheet, of so much `load`, that is `carried` into a score once it has turned up."""

    name: Name
    load: int = 1
    carried: bool = False


class Harm(BaseModel):
    """A harm, in a row of the sheet by its level."""

    name: Name = ""


class Scoundrel(Sheet):
    """A player character; of NPCs it is what the GM has written down."""

    sheet: ClassVar[str] = "forged"

    stress: int = 0
    playbook_xp: int = 0
    insight_xp: int = 0
    prowess_xp: int = 0
    resolve_xp: int = 0
    coin: int = 0
    healing: int = 0
    harm_1: dict[str, Harm] = {}
    harm_2: dict[str, Harm] = {}
    harm_3: dict[str, Harm] = {}
    armor_boxes: int = 0
    special_boxes: int = 0
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

    @property
    def free_armor(self) -> list[str]:
        """Return the boxes that there are and that can be marked: the second of heavy armour after the first."""
        worn = [box for box in ("armor", "heavy_armor")[: self.armor_boxes] if not getattr(self, box)]
        return [*worn[:1], *(["special_armor"] if self.special_boxes and not self.special_armor else [])]

    def harms(self, level: int) -> list[str]:
        """Return the names of harm of a level from 1 to 3."""
        return [harm.name for harm in self._row(level).values()]

    def suffer(self, level: int, name: str) -> None:
        """Write harm into the row of its level, which begins its healing anew."""
        add_row(self._row(level), Harm(name=name))
        self.healing = 0

    def rating(self, action: str) -> int:
        """Return the dots of an action."""
        return action_of(self.values, action).rating

    def attribute(self, attribute: str) -> int:
        """Return how many actions of an attribute have a dot."""
        return attribute_of(self.values, attribute)

    def _row(self, level: int) -> dict[str, Harm]:
        row: dict[str, Harm] = getattr(self, f"harm_{level}")
        return row

    def room(self, table: Table) -> int:
        """Return how many boxes of the stress track are not marked."""
        boxes: int = table.settings.boxes
        return boxes - self.stress


def people(table: Table) -> list[Scoundrel]:
    """Return the player characters in play."""
    return [one for one in table.all(Scoundrel) if one.in_play and one.is_played]


class Cohort(BaseModel):
    """A gang or an expert of the crew. By its `state` it has less effect (weakened), a die less (impaired), or does nothing
    (broken; public rules)."""

    name: Name
    quality: int = 0
    state: Code = "fine"


class Crew(Sheet):
    sheet: ClassVar[str] = "crew"

    tier: int = 0
    heat: int = 0
    wanted: int = 0
    gambits: int = 0
    crew_xp: int = 0
    cohorts: dict[str, Cohort] = {}

    def draw_heat(self, heat: int) -> None:
        """Mark heat: each full track is a wanted level, and the rest begins the next. Levels above the highest are lost (our
        decision)."""
        levels, self.heat = divmod(self.heat + heat, HEAT_BOXES)
        self.wanted = min(HIGHEST_WANTED, self.wanted + levels)


def crews(table: Table) -> list[Crew]:
    """Return the crew of the table, if there is one."""
    return [one for one in table.all(Crew) if one.in_play and not one.hidden][:1]
