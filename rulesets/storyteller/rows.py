"""What the procedures of these rules read and write of sheets (rules/table.py)."""

from __future__ import annotations

from typing import ClassVar, Final

from pydantic import PrivateAttr

from rules.table import Held, Row, Sheet, Table

LONGEST_NAME: Final = 80


class Person(Sheet):
    """A character; an NPC that is no more than a number rolls its `pool` for anything. Its sheet is veiled from those who may not
    read it."""

    sheet: ClassVar[str] = "storyteller"

    pool: int = 0
    _is_veiled: bool = PrivateAttr(False)

    def shown(self) -> Row | None:
        if not self.opened:
            self._is_veiled, self.values, self.pool = True, Held(), 0
        return super().shown()

    @property
    def is_veiled(self) -> bool:
        return self._is_veiled

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
