"""A Scene Descriptor while its scene goes on: it is on the table, anybody may use it or pay to make it stick to a character, and
otherwise it ends with the scene (descriptors.txt, "What does success do?", the second).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Row, Staged
from rules.acting import Between, Like, OneOf, Text, act, anyone
from rules.messages import Message, Words, joined
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Table, add_row
from rulesets.descriptors.rows import Chip, Ends, Hero, Stuck, Tells, everyone, own
from rulesets.descriptors.rules.contest import is_out, spend
from rulesets.descriptors.sheet import LONGEST_NAME, MOST_DICE, STUCK
from rulesets.descriptors.terms import rated

STICKING_COST: Final = 1
"""Will that makes a Scene Descriptor stick to a character; anyone may pay it, at any moment of the scene (our decision)."""


class Stage(StrEnum):
    LIES = "lies"
    """On the table."""
    STUCK = "stuck"
    TAKEN_OFF = "taken_off"
    """Removed by the GM, because someone dealt with it."""
    VANISHED = "vanished"
    """Removed with the end of its scene."""


def sticks_to(procedure: SceneDescriptor, table: Table) -> Message:
    return _("After the scene {descriptor} stays with", descriptor=procedure.title)


class SceneDescriptor(Ends, Tells):
    """A Descriptor of 1 to 100 dice that belongs to nobody. `made_by` is the id of the character who won the roll, if any;
    `made_by_name` their name or "". `stuck_to` is who bears it once somebody has paid."""

    label = gettext_lazy("Scene Descriptor")
    why = Reason("scene_descriptor_sticks", gettext_lazy("a Scene Descriptor sticks"))
    token = True
    chip_template = "descriptors/scene_descriptor_chip.html"

    name: Name = ""
    dice: int = 1
    made_by: Code | None = None
    made_by_name: Name = ""
    stage: Stage = Stage.LIES
    stuck_to: Code | None = None
    stuck_to_name: Name = ""
    paid_by_name: Name = ""

    @act(label)
    def open(
        self,
        table: Table,
        *,
        name: Annotated[
            str, Text(LONGEST_NAME), Like(gettext_lazy("the hall is on fire")), gettext_lazy("Scene Descriptor")
        ],
        dice: Annotated[int, Between(1, MOST_DICE), gettext_lazy("Dice")] = 1,
        **made: str,
    ) -> Words:
        self.name, self.dice = name, dice
        self.made_by, self.made_by_name = made.get("made_by"), made.get("made_by_name", "")
        return self._opened(table)

    @act(
        gettext_lazy("Make it stick"),
        says=gettext_lazy("{descriptor} stuck to {bearer}. {payer} paid {cost} Will."),
        by=anyone,
        terms=lambda self, table: self.dice,
    )
    def stick(
        self,
        table: Table,
        *,
        to: Annotated[Hero, OneOf(everyone), sticks_to],
        payer: Annotated[Hero, OneOf(own), gettext_lazy("Pays 1 Will")],
    ) -> None:
        left = spend(payer.fund(table.settings).will, STICKING_COST)
        if left is not None:
            payer.will = left
            payer.out_of_scene |= is_out(left)
        add_row(to.stuck, Stuck(name=self.name, dice=self.dice, origin=self.made_by_name[:LONGEST_NAME]))
        self.stuck_to, self.stuck_to_name, self.paid_by_name = to.id, to.name, payer.name
        self.end_as(Stage.STUCK)

    @act(gettext_lazy("Remove 1 die"), terms=lambda self, table: self.dice)
    def reduce(self, table: Table) -> Words:
        if self.dice == 1:
            return self.end(table)
        self.dice -= 1
        return self._reduced()

    @act(gettext_lazy("Remove"))
    def end(self, table: Table) -> Words:
        self.end_as(Stage.TAKEN_OFF)
        return self._reduced()

    def scene_ended(self, table: Table) -> Words:
        """Let it vanish with the scene."""
        self.end_as(Stage.VANISHED)
        return _("{descriptor} ended with the scene.", descriptor=self.title)

    def stands(self, table: Table) -> Message:
        return _("Scene Descriptor: {descriptor}.", descriptor=self.title)

    @property
    def title(self) -> Message:
        """Return words such as "“Tied up” 3D"."""
        return _("“{name}” {dice}D", name=self.name, dice=self.dice)

    def chip_words(self, table: Table) -> Message:
        return rated(self.name, self.dice)

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        """Return what opens from the token; `joins` is its spelling in a typed pool, where plus signs separate Descriptors."""
        by = [_("by {name}", name=self.made_by_name)] if self.made_by_name else []
        detail = joined(" ", [_("{dice}D", dice=self.dice), *by])
        joins = f"{self.name.replace('+', ' ')} {self.dice}"
        return Staged(
            title=self.title,
            rows=[Row(words=self.name, detail=detail, buttons=buttons, about=self.name)],
            more={"name": self.name, "dice": self.dice, "joins": joins},
        )

    def told(self) -> Iterator[Chip]:
        if self.stuck_to:
            yield Chip(f"{self.stuck_to}/{STUCK.name}/", self.name, self.dice)

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        match act:
            case "open":
                return self._opened(table)
            case "reduce" | "end":
                return self._reduced()
            case "scene_ended":
                return _("{descriptor} ended with the scene.", descriptor=self.title)
        return super().line_before(table, act, whom)

    def _opened(self, table: Table) -> Message:
        if not self.made_by_name:
            return self.stands(table)
        return _("{maker} made a Scene Descriptor: {descriptor}.", maker=self.made_by_name, descriptor=self.title)

    def _reduced(self) -> Message:
        if self.over:
            return _("Someone did something about {descriptor}, and it’s gone.", descriptor=self.title)
        return _("Someone did something about it and it lost 1 die: {descriptor}.", descriptor=self.title)

    def line_names(self, table: Table) -> Mapping[str, Any]:
        names = {"bearer": self.stuck_to_name, "payer": self.paid_by_name}
        return {"descriptor": self.title, "cost": STICKING_COST, **names}
