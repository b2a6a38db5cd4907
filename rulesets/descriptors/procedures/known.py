"""What everyone at the table knows of a sheet that not all may read: the content of contests, recoveries and Scene
Descriptors. An Injury named in the log, a stuck Descriptor, and one used in a pool are no secrets any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from languages.letters import same
from rules.acting import Procedure
from rules.table import Table
from rulesets.descriptors.rows import Hero
from rulesets.descriptors.sheet import DESCRIPTORS, INJURIES, STUCK

LISTS: Final = (DESCRIPTORS, INJURIES, STUCK)


@dataclass(frozen=True, slots=True)
class Told:
    """An entry on the sheet of a character, by its id, as it was last told: its list, its name, and its dice. `row` is
    its id there, "" if that was not told: then the name is used.
    """

    character: str
    rows: str
    name: str
    dice: int
    row: str = ""


class Tells(Procedure):
    """A procedure that tells everyone of entries on sheets."""

    def told(self) -> Iterable[Told]:
        """Yield what it has told, oldest first."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Known:
    """A Descriptor that is still on the sheet, in this list and row, with the name and dice that all know, without secret changes
    since."""

    rows: str
    row: str
    name: str
    dice: int


def known_of(table: Table, *heroes: Hero) -> dict[str, list[Known]]:
    """Return by id of a character the Descriptors that everyone knows to be still on its sheet."""
    mentions = [told for one in table.history(Tells) for told in one.told()] if heroes else []
    known: dict[str, list[Known]] = {}
    for hero in heroes:
        theirs = [told for told in reversed(mentions) if told.character == hero.id]
        found = known.setdefault(hero.id, [])
        for rows in LISTS:
            for key, entry in getattr(hero, rows.name).items():
                those = (told for told in theirs if told.rows == rows.name)
                last = next(
                    (told for told in those if told.row == key or (not told.row and same(told.name, entry.name))), None
                )
                if last:
                    found.append(Known(rows.name, key, last.name, last.dice))
    return known
