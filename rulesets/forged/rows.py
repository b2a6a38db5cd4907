"""What the procedures of the forged rules read and write of sheets (rules/table.py)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel

from campaigns.schema import Code, Name
from rules.table import Sheet, Table, add_row
from rulesets.forged.rules.consequence import heal
from rulesets.forged.rules.downtime import heat_steps
from rulesets.forged.sheet import SHEET, TRAUMAS, trauma_of
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
    coin: int = 0
    vice_purveyor: str = ""
    healing: int = 0
    harm_1: dict[str, Harm] = {}
    harm_2: dict[str, Harm] = {}
    harm_3: dict[str, Harm] = {}
    playbook_xp: int = 0
    insight_xp: int = 0
    prowess_xp: int = 0
    resolve_xp: int = 0
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

    @property
    def harm(self) -> dict[int, dict[str, Harm]]:
        """Return the rows of their harm, by its level."""
        return {1: self.harm_1, 2: self.harm_2, 3: self.harm_3}

    def harms(self, level: int) -> list[str]:
        """Return the names of harm of a level from 1 to 3."""
        return [harm.name for harm in self.harm[level].values()]

    def suffer(self, level: int, name: str) -> None:
        """Write harm into the row of its level, whose healing begins again."""
        add_row(self.harm[level], Harm(name=name))
        self.healing = 0

    def dots(self, action: str) -> int:
        """Return their rating in an action, as it was read."""
        return SHEET.number(self.values, action)

    def attribute(self, attribute: str) -> int:
        """Return how many actions of an attribute have a dot, as it was read."""
        return attribute_of(self.values, attribute)

    def strain(self, table: Table, stress: int) -> None:
        """Mark stress, up to the last box, which brings a trauma (full_tracks.py)."""
        self.stress += min(stress, max(0, self.room(table)))

    def recover(self, ticks: int) -> None:
        """Tick the healing clock: once full, every harm goes down a level and the surplus stays. A clock that was filled by hand
        counts as full."""
        healed = heal({level: len(rows) for level, rows in self.harm.items()}, 0, self.healing + ticks)
        self.healing = healed.healing
        for level, rows in self.harm.items() if healed.levels_down else ():
            for row in [rows.pop(key) for key in list(rows)]:
                if level > healed.levels_down:
                    add_row(self.harm[level - healed.levels_down], row)

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
    rep: int = 0
    coin: int = 0
    heat: int = 0
    wanted: int = 0
    gambits: int = 0
    crew_xp: int = 0
    cohorts: dict[str, Cohort] = {}

    def mark_heat(self, heat: int) -> None:
        """Mark heat, which may raise the wanted level, or take it off (`heat_steps`)."""
        for step in heat_steps(self.heat, self.wanted, heat):
            setattr(self, step.address, getattr(self, step.address) + step.by)


def crews(table: Table) -> list[Crew]:
    """Return the crew of the table, if there is one."""
    return [one for one in table.all(Crew) if one.in_play and not one.hidden][:1]


def crew_of(table: Table) -> Crew | None:
    """Return the same; None if there is none."""
    return next(iter(crews(table)), None)
