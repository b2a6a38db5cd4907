"""What the procedures of the Descriptors rules read and write of sheets (rules/table.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from pydantic import BaseModel

from campaigns.schema import Code, Name
from languages.letters import same
from rules.acting import Procedure
from rules.messages import Words
from rules.table import Sheet, Table
from rulesets.descriptors.rules.contest import Fund, fund_of
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import DESCRIPTORS, INJURIES, START_WILL, STUCK, power_box


class Entry(BaseModel):
    """A row of a sheet that gives dice."""

    name: Name
    dice: int


class Stuck(Entry):
    """A Scene Descriptor that stays with somebody; `origin` is who made it, "" if unknown."""

    origin: Name = ""


class Hero(Sheet):
    """Whoever has a Descriptors sheet: a player character, or an NPC of the GM's."""

    sheet: ClassVar[str] = "descriptors"

    will: int = START_WILL
    start_will: int = START_WILL
    out_of_scene: bool = False
    unlimited_will: bool = False
    power_boxes: int = 6
    power_1: bool = False
    power_2: bool = False
    power_3: bool = False
    power_4: bool = False
    power_5: bool = False
    power_6: bool = False
    power_7: bool = False
    power_8: bool = False
    power_9: bool = False
    power_10: bool = False
    power_11: bool = False
    power_12: bool = False
    descriptors: dict[str, Entry] = {}
    injuries: dict[str, Entry] = {}
    stuck: dict[str, Stuck] = {}

    @property
    def plays(self) -> bool:
        """Return whether they are in play and known to players, who share a procedure with them."""
        return self.in_play and not self.hidden

    def fund(self, settings: Settings) -> Fund:
        """Return the Will, None without limit, and the Power track."""
        return fund_of(vars(self), settings)

    def cross_off(self, box: int, *, crossed: bool = True) -> None:
        setattr(self, power_box(box), crossed)

    def refresh(self, settings: Settings) -> None:
        """Free all boxes, bring Will back to its start unless it is higher, and them back into the scene. Injuries stay."""
        fund = self.fund(settings)
        for box in fund.crossed:
            self.cross_off(box, crossed=False)
        if fund.will is not None:
            self.will = max(self.will, self.start_will)
        self.out_of_scene = False


LISTS: Final = (DESCRIPTORS, INJURIES, STUCK)


class Chip(NamedTuple):
    """Something that gives dice, by its `source`: "character/rows/row" on a sheet, "scene/descriptor" on the table."""

    source: str
    name: str
    dice: int


def chips_of(hero: Hero, rows: str) -> list[Chip]:
    """Return what is in this list of a sheet."""
    return [Chip(f"{hero.id}/{rows}/{key}", row.name, row.dice) for key, row in getattr(hero, rows).items()]


class Tells(Procedure):
    """A procedure that tells everyone of entries on sheets."""

    def told(self) -> Iterable[Chip]:
        """Yield what it has told, oldest first. A source without its row means the one of that name."""
        raise NotImplementedError


class Ends(Procedure):
    """A procedure that one act ends: `stage` says how; by default it goes on."""

    stage: Code

    def end_as(self, stage: Code) -> None:
        self.stage, self.over = stage, True

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        goes_on = cls.model_fields["stage"].default
        return Table([cls(**state, over=state.get("stage", goes_on) != goes_on)])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        return super().line_before(table, act, whom) if act in self.acts else self.stands(table)


def known_of(table: Table, *heroes: Hero) -> Iterator[Chip]:
    """Yield what everyone knows to be still on these sheets, with the name and dice that were told last: what is in contests,
    recoveries and Scene Descriptors. An Injury named in the log, a stuck Descriptor, and one used in a pool are no secrets.
    """
    told = [chip for one in table.history(Tells) for chip in one.told()] if heroes else []
    for here in (chip for hero in heroes for rows in LISTS for chip in chips_of(hero, rows.name)):
        listed = here.source[: here.source.rindex("/") + 1]
        for chip in reversed(told):
            if chip.source == here.source or (chip.source == listed and same(chip.name, here.name)):
                yield Chip(here.source, chip.name, chip.dice)
                break


def everyone(procedure: object, table: Table) -> list[Hero]:
    """Return all in play whom players know."""
    return [one for one in table.all(Hero) if one.plays]


def own(procedure: object, table: Table) -> list[Hero]:
    """Return those whom the actor brings into a procedure: their own, for a GM everyone whom players know."""
    return [one for one in everyone(procedure, table) if table.by.plays(one.id)]
