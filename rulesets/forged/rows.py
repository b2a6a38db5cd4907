"""What the procedures of the forged rules read and write of sheets (rules/table.py), and what follows from a full track, whoever
filled it: of stress a trauma, of heat a wanted level (public rules, Stress and Trauma, Heat)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from pydantic import BaseModel

from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Mark, Row, Staged
from rules.acting import Procedure, Waits, act, nobody, owner
from rules.messages import Message, Words, joined, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Sheet, Table, add_row
from rulesets.forged.rules import Settings
from rulesets.forged.rules.action import FULL_STRESS, full_words, heal
from rulesets.forged.rules.downtime import HEAT_BOXES, HIGHEST_WANTED
from rulesets.forged.sheet import SHEET, TRAUMA_LABELS, TRAUMAS, trauma_of
from rulesets.forged.sheet import attribute as attribute_of

FULL_HEAT: Final = Reason("forged_full_heat", gettext_lazy("a full heat track raises the wanted level"))


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
        """Mark stress, up to the last box, which brings a trauma (`settle`)."""
        self.stress += min(stress, max(0, self.room(table)))

    def recover(self, ticks: int) -> None:
        """Tick the healing clock: once full, every harm goes down a level and the surplus stays. A clock that was filled by hand
        counts as full."""
        self.healing, down = heal({level: len(rows) for level, rows in self.harm.items()}, 0, self.healing + ticks)
        for level, rows in self.harm.items() if down else ():
            for row in [rows.pop(key) for key in list(rows)]:
                if level > down:
                    add_row(self.harm[level - down], row)

    def room(self, table: Table) -> int:
        """Return how many boxes of the stress track are not marked."""
        boxes: int = table.settings.boxes
        return boxes - self.stress

    def check_room(self, table: Table) -> None:
        """Raise BlockedByState where a full stress track keeps them from going on before a trauma is chosen."""
        if self.room(table) <= 0:
            table.forbid(FULL_STRESS, full_words(self.name))

    def settle(self, table: Table) -> None:
        """Have a trauma chosen for full stress: in one choice for all whom the same step has brought there."""
        if self.room(table) > 0 or not (self.in_play and self.is_played):
            return
        begun = [given["those"] for kind, given in table.begun if kind is Trauma]
        waiting = [one.unchosen for one in table.all(Trauma) if not one.over]
        if any(self.id in those for those in (*begun, *waiting)):
            return
        if begun:
            begun[0].append(self.id)
        else:
            table.begin(Trauma, those=[self.id])


def people(table: Table) -> list[Scoundrel]:
    """Return the player characters in play."""
    return [one for one in table.all(Scoundrel) if one.in_play and one.is_played]


def found(table: Table, ids: Iterable[str]) -> list[Scoundrel]:
    """Return those of these ids whom the readers of the table know."""
    return [who for one in ids if (who := table.find(Scoundrel, one))]


def own(procedure: Procedure, table: Table) -> list[Scoundrel]:
    """Return the player characters in play of whoever presses."""
    return [who for who in people(table) if table.by.plays(who.id)]


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
        """Mark heat: each full track is a wanted level, and the rest begins the next; levels above the highest are lost (our
        decision). Below 0 it is taken off, and the wanted level stays."""
        levels, self.heat = divmod(max(0, self.heat + heat), HEAT_BOXES)
        self.wanted = min(HIGHEST_WANTED, self.wanted + levels)

    def settle(self, table: Table) -> None:
        """Raise the wanted level for full heat. Marking by hand stops at the last box; a larger change rolls over where it is
        made (`mark_heat`)."""
        if self.in_play and self.heat >= HEAT_BOXES:
            table.because(FULL_HEAT)
            self.mark_heat(0)


def check_people(table: Table) -> None:
    """Raise Refused where there is nobody whom this game's procedures could ask."""
    if not people(table):
        raise Refused(_("No character in this campaign has a Forged in the Dark sheet."))


def row_of(who: Sheet, buttons: Sequence[Button], *, words: Words = "", **more: Any) -> Row:
    """Return somebody's row on a card, with what can be pressed for them."""
    own = [button for button in buttons if button.whom == who.id]
    return Row(whose=who.name, character=who.id, words=words, buttons=own, about=who.name, acts_for=who.name, **more)


def crews(table: Table) -> list[Crew]:
    """Return the crew of the table, if there is one."""
    return [one for one in table.all(Crew) if one.in_play and not one.hidden][:1]


def crew_of(table: Table) -> Crew | None:
    """Return the same; None if there is none."""
    return next(iter(crews(table)), None)


# The trauma from a full stress track, as it is chosen at the table


LABELS: Final[Mapping[str, Message]] = {code: worded(label) for code, label in TRAUMA_LABELS.items()}


def choices(procedure: Trauma, table: Table) -> Iterator[tuple[Scoundrel, str]]:
    for who in procedure.choosing(table):
        yield from ((who, trauma) for trauma in TRAUMAS if trauma not in who.traumas)


class Trauma(Procedure):
    """One choice for all whom the same step has brought there. It ends by itself for who is cleared, or leaves play."""

    label = gettext_lazy("Trauma")
    why = Reason("forged_trauma", gettext_lazy("a trauma"))

    those: list[Code] = []
    chosen: dict[Code, Code] = {}
    retired: list[Code] = []

    @act(label, says=gettext_lazy("The stress track is full, which brings a trauma: {names}."), by=nobody)
    def open(self, table: Table, *, those: list[str]) -> None:
        self.those = those

    @act(lambda self, table, who, trauma: LABELS[trauma], by=owner, each=choices)
    def choose(self, table: Table, who: Scoundrel, trauma: str) -> Words:
        """Take a trauma: the track is cleared, the surplus is lost, and the last trauma retires the character."""
        if self._is_last(table, who):
            who.in_play = False
            self.retired.append(who.id)
        setattr(who, trauma_of(trauma), True)
        who.stress = 0
        self.chosen[who.id] = trauma
        return self._took(who)

    def settle(self, table: Table) -> None:
        self.over = not self.choosing(table)

    @property
    def unchosen(self) -> list[str]:
        """Return those who have not chosen, by their ids."""
        return [who for who in self.those if who not in self.chosen]

    def choosing(self, table: Table) -> list[Scoundrel]:
        """Return those who have not chosen, and whose track is still full."""
        return [who for who in found(table, self.unchosen) if who.in_play and who.room(table) <= 0]

    def waits(self, table: Table) -> Sequence[Waits]:
        return [Waits(who.id, _("to choose a trauma")) for who in self.choosing(table)]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(above=_("Trauma"), rows=[self._row(table, who, buttons) for who in found(table, self.those)])

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        settings = Settings(**state["settings"])
        people = {one["character"]: one for one in state["those"]}
        rows = [
            Scoundrel(
                id=who,
                name=one["name"],
                stress=0 if one["chosen"] or one["eased"] else settings.boxes,
                **dict.fromkeys(map(trauma_of, one["had"]), True),  # type: ignore[arg-type]  # none of them is `values`
            )
            for who, one in people.items()
        ]
        told = cls(
            those=[*people],
            chosen={who: one["chosen"] for who, one in people.items() if one["chosen"]},
            retired=[who for who, one in people.items() if one["retired"]],
        )
        table = Table([told, *rows], settings=settings)
        told.settle(table)
        return table

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        took = (self._took(who) for who in found(table, self.those) if act == "choose" and who.name == whom)
        return next(took, super().line_before(table, act, whom))

    def line_names(self, table: Table) -> Mapping[str, Words]:
        return {"names": joined(", ", (who.name for who in found(table, self.those)))}

    def _is_last(self, table: Table, who: Scoundrel) -> bool:
        last: int = table.settings.last_trauma
        return len(who.traumas) + 1 >= last

    def _took(self, who: Scoundrel) -> Words:
        trauma = LABELS[self.chosen[who.id]]
        if who.id in self.retired:
            return _("{name} took a trauma and retired: {trauma}.", name=who.name, trauma=trauma)
        return _("{name} took a trauma: {trauma}.", name=who.name, trauma=trauma)

    def _row(self, table: Table, who: Scoundrel, buttons: Sequence[Button]) -> Row:
        trauma = self.chosen.get(who.id)
        last = who.id in self.retired if trauma else self._is_last(table, who)
        return row_of(
            who,
            buttons,
            words=LABELS[trauma] if trauma else _("out of the scene; comes back with a trauma and no stress"),
            marks=[Mark(_("last trauma: {name} retires", name=who.name), "trouble")] if last else (),
            look="settled" if trauma else "trouble",
        )
