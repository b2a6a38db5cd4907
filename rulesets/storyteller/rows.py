"""What the procedures of these rules read and write of sheets (rules/table.py)."""

from __future__ import annotations

from typing import ClassVar, Final

from pydantic import PrivateAttr

from rules.table import Held, Row, Sheet, Table
from rulesets.storyteller.rules.damage import Body
from rulesets.storyteller.sheet import ARMOUR, FORTITUDE, MORTAL, SHEET, discipline

LONGEST_NAME: Final = 80


class Person(Sheet):
    """A character; an NPC that is no more than a number rolls its `pool` for anything. Its sheet is veiled from those who may not
    read it."""

    sheet: ClassVar[str] = "storyteller"

    pool: int = 0
    bashing: int = 0
    lethal: int = 0
    aggravated: int = 0
    _is_told: bool = PrivateAttr(False)

    def shown(self) -> Row | None:
        self._is_told = True
        if not self.opened:
            self.values, self.pool = Held(), 0
        if not self.shared:
            self.bashing = self.lethal = self.aggravated = 0
        return super().shown()

    @property
    def is_told(self) -> bool:
        """Return whether this is what players may know of the character."""
        return self._is_told

    @property
    def is_veiled(self) -> bool:
        return self.is_told and not self.opened

    @property
    def body(self) -> Body:
        """Return what they soak with."""
        return Body(
            stamina=SHEET.number(self.values, "stamina"),
            fortitude=discipline(self.values, FORTITUDE),
            armour=SHEET.number(self.values, ARMOUR),
            mortal=SHEET.value(self.values, "being") == MORTAL,
        )

    @property
    def quick(self) -> int:
        """Return the dice of an NPC that rolls one number for anything; 0 for all others."""
        return 0 if self.is_played else self.pool


def known(procedure: Row, table: Table) -> list[Person]:
    """Return the characters in play that players know, against whom anyone may act."""
    return [one for one in table.all(Person) if one.in_play and not one.hidden]


def own(procedure: Row, table: Table) -> list[Person]:
    """Return those of them with whom whoever asks may act."""
    return [one for one in known(procedure, table) if table.by.plays(one.id)]
