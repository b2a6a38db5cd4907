"""The table as plain objects: what rules read and write of characters, clocks and procedures, without Django.

    class Scoundrel(Sheet):
        stress: int = 0

    table = Table([Scoundrel(id="moth", name="Moth", stress=7)])
    table.get(Scoundrel, "moth").stress += 2

A row is a pydantic object that stands for something stored. Nobody notes what is written: a table keeps how each row was when it
was read, and `changes` compares. What follows at once from how a row stands, such as a trauma from full stress, is done by its
`settle`, whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from campaigns.schema import Code, Name
from rules.acts import Actor
from rules.errors import Block, BlockedByState, NotPossible
from rules.messages import Words, gettext

A_GM: Final = Actor(is_gm=True)


class Refused(NotPossible):
    """What cannot be done, as a sentence for people; `field` is that of the form at fault."""

    def __init__(self, sentence: Words, field: str = "") -> None:
        super().__init__(field, None, allowed="", message=str(sentence))


class Row(BaseModel):
    """Something that is stored. `hidden` is what players do not know of.

    Its collections are lists and dictionaries, which keep their order.
    """

    model_config = ConfigDict(extra="forbid")

    id: Code = ""
    hidden: bool = False

    def settle(self, table: Table) -> None:
        """Do what follows at once from how the row stands. By default nothing does."""


class Sheet(Row):
    """What rules read and write of a character's sheet: a field has the name of the sheet's, with a default; rows of a list are a
    dictionary by their ids. `sheet` is the name of that sheet; it `is_played` by a player, or the GM's.
    """

    sheet: ClassVar[str]

    name: Name = ""
    in_play: bool = True
    is_played: bool = True


R = TypeVar("R", bound=Row)

Dumped: TypeAlias = dict[str, Any]


class Change(NamedTuple):
    """A row that was written: as it was read, and as it is now."""

    row: Row
    before: Dumped
    after: Dumped


class Table:
    """The rows of one campaign as one operation has them, for whom it is `by`, and by the campaign's `settings` of the game;
    `override` if a GM allows what a state forbids."""

    def __init__(
        self, rows: Iterable[Row] = (), *, by: Actor = A_GM, settings: Any = None, override: bool = False
    ) -> None:
        self.by, self.settings, self.override = by, settings, override
        self._rows: dict[str, Row] = {}
        self._read: dict[str, Dumped] = {}
        for row in rows:
            self._hold(row)

    def find(self, kind: type[R], id: str) -> R | None:
        """Return a row by its id; None if there is none of this kind, or none that may be known here."""
        if id not in self._rows and (found := self._load(kind, id)):
            self._hold(found)
        row = self._rows.get(id)
        return row if isinstance(row, kind) else None

    def get(self, kind: type[R], id: str) -> R:
        """Return a row that has to be there. Raises Refused if it is not."""
        if (row := self.find(kind, id)) is None:
            raise Refused(gettext("That’s no longer there."))
        return row

    def all(self, kind: type[R]) -> list[R]:
        """Return all rows of a kind."""
        for row in self._load_all(kind):
            if row.id not in self._rows:
                self._hold(row)
        return [row for row in self._rows.values() if isinstance(row, kind)]

    def forbid(self, block: Block, sentence: Words, field: str = "") -> None:
        """Refuse what a character's state forbids, unless a GM allows it. Raises BlockedByState."""
        if not self.override:
            raise BlockedByState(block, str(sentence), field=field)

    def settle(self) -> None:
        """Do what follows from all rows that were written, until nothing more does."""
        settled: dict[str, Dumped] = {}
        while due := [
            row for row in self._rows.values() if settled.get(row.id, self._read[row.id]) != row.model_dump()
        ]:
            for row in due:
                settled[row.id] = row.model_dump()
                row.settle(self)

    def changes(self) -> list[Change]:
        """Return what was written since the table was read, or since this was asked last."""
        dumped = ((row, self._read[row.id], row.model_dump()) for row in self._rows.values())
        found = [Change(*one) for one in dumped if one[1] != one[2]]
        self._read |= {change.row.id: change.after for change in found}
        return found

    def trial(self) -> Table:
        """Return a table over the same rows on which something can be tried: nothing of it is stored."""
        return _Over(self)

    def seen(self) -> Table:
        """Return the table as players may know it: without hidden rows."""
        return _Seen(self)

    def _hold(self, row: Row) -> None:
        self._rows[row.id] = row
        self._read[row.id] = row.model_dump()

    def _load(self, kind: type[Row], id: str) -> Row | None:
        """Return a row that was not read yet. None here: all rows were given."""
        return None

    def _load_all(self, kind: type[R]) -> Iterable[R]:
        return ()


class _Over(Table):
    """A table over another one, with copies of its rows."""

    def __init__(self, under: Table) -> None:
        super().__init__(by=under.by, settings=under.settings)
        self._under = under

    def _load(self, kind: type[Row], id: str) -> Row | None:
        row = self._under.find(kind, id)
        return row.model_copy(deep=True) if row else None

    def _load_all(self, kind: type[R]) -> Iterator[R]:
        return (row.model_copy(deep=True) for row in self._under.all(kind) if row.id not in self._rows)


class _Seen(_Over):
    def _load(self, kind: type[Row], id: str) -> Row | None:
        row = self._under.find(kind, id)
        return None if row is None or row.hidden else row

    def _load_all(self, kind: type[R]) -> Iterator[R]:
        return (row for row in self._under.all(kind) if not row.hidden)
