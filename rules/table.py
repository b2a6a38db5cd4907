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

from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from campaigns.schema import Code, Name
from characters.reasons import Reason
from rules.acts import Actor
from rules.dice import D10, Dice, Die, Faces, draw
from rules.errors import Block, BlockedByState, NotPossible
from rules.messages import Words, gettext

A_GM: Final = Actor(is_gm=True)


class Refused(NotPossible):
    """What cannot be done, as a sentence for people; `field` is that of the form at fault."""

    def __init__(self, sentence: Words, field: str = "") -> None:
        super().__init__(field, None, allowed="", message=str(sentence))


class Row(BaseModel):
    """Something that is stored. `hidden` is what players do not know of.

    Its collections are lists, and dictionaries, which do not keep their order when they are stored.
    """

    model_config = ConfigDict(extra="forbid")

    id: Code = ""
    hidden: bool = False

    def settle(self, table: Table) -> None:
        """Do what follows at once from how the row stands. By default nothing does."""

    def shown(self) -> Row | None:
        """Return this copy of the row as players may know it, None if they do not know of it: by default all of what is not
        hidden."""
        return None if self.hidden else self


class Held(dict[str, Any]):
    """Values that are read and never written, which copies share."""

    def __deepcopy__(self, memo: Any) -> Held:
        return self


class Sheet(Row):
    """What rules read and write of a character's sheet: a field has the name of the sheet's, with a default; rows of a list are a
    dictionary by their ids (`add_row`). `sheet` is the name of that sheet; it `is_played` by a player, or the GM's, and `opened`
    where everyone reads it; `shared`, where that is the whole sheet. Who is set `in_play` no more retires, or is `dead`. `values`
    are all of the sheet as it was read, to look up what a roll names.
    """

    sheet: ClassVar[str]

    name: Name = ""
    in_play: bool = True
    dead: bool = False
    is_played: bool = True
    opened: bool = True
    shared: bool = False
    values: SkipValidation[Mapping[str, Any]] = Field(default_factory=Held, exclude=True)


class Clock(Row):
    """A running clock: so many of its `segments` are `filled`, which players do not know if it is `untold`. A new one's `kind` is
    that of a stored clock, and it is the `whose` of a character, by its id, or the GM's."""

    name: Name = ""
    segments: int = 4
    filled: int = 0
    untold: bool = False
    kind: Code = "progress"
    whose: Code = ""

    @property
    def is_full(self) -> bool:
        return self.filled >= self.segments

    def shown(self) -> Row | None:
        if self.untold:
            self.filled = 0
        return super().shown()


R = TypeVar("R", bound=Row)
Listed = TypeVar("Listed", bound=BaseModel)


def add_row(rows: dict[str, Listed], row: Listed) -> None:
    """Put a row more into a list of a sheet; it gets its id when it is stored."""
    rows[f"new{len(rows)}"] = row


Dumped: TypeAlias = dict[str, Any]


class Change(NamedTuple):
    """A row that was written, as it was read and as it is now; `why`, where that is not the reason of the procedure; or `new`."""

    row: Row
    before: Dumped
    after: Dumped
    why: Reason | None = None
    new: bool = False


class Table:
    """The rows of one campaign as one operation has them, for whom it is `by`, and by the campaign's `settings` of the game;
    `override` if a GM allows what a state forbids, `in_scene` while a scene goes on. `faces` are those of dice that fall.

    Beside what is written on its rows, `begun` are the procedures that begin, `said` what is said in the story, `told` what
    follows by itself and is told with the step; `why` is the reason of what is written, where it is not the procedure's.
    """

    def __init__(
        self,
        rows: Iterable[Row] = (),
        *,
        by: Actor = A_GM,
        settings: Any = None,
        override: bool = False,
        in_scene: bool = True,
        faces: Iterable[int] = (),
    ) -> None:
        self.by, self.settings, self.override = by, settings, override
        self._in_scene = in_scene
        self.begun: list[tuple[type[Row], dict[str, Any]]] = []
        self.said: list[str] = []
        self.told: list[Words] = []
        self.gms_line: Words = ""
        self.why: Reason | None = None
        self._faces = iter(faces)
        self._new: set[str] = set()
        self._changed: list[Change] = []
        self._complete: set[type[Row]] = set()
        self._rows: dict[str, Row] = {}
        self._read: dict[str, Dumped] = {}
        self._settled: dict[str, Dumped] = {}
        for row in rows:
            self._hold(row)

    @property
    def in_scene(self) -> bool:
        """Return whether a scene goes on."""
        return self._in_scene

    def find(self, kind: type[R], id: str | None) -> R | None:
        """Return a row by its id; None without an id, if there is none of this kind, or none that may be known here."""
        if id and id not in self._rows and (found := self._load(kind, id)):
            self._hold(found)
        row = self._rows.get(id or "")
        return row if isinstance(row, kind) else None

    def get(self, kind: type[R], id: str) -> R:
        """Return a row that has to be there. Raises Refused if it is not."""
        if (row := self.find(kind, id)) is None:
            raise Refused(gettext("That’s no longer there."))
        return row

    def all(self, kind: type[R]) -> list[R]:
        """Return all rows of a kind."""
        for row in () if kind in self._complete else self._load_all(kind):
            if row.id not in self._rows:
                self._hold(row)
        self._complete.add(kind)
        return [row for row in self._rows.values() if isinstance(row, kind)]

    def history(self, *kinds: type[R]) -> list[R]:
        """Return all procedures of these kinds that everyone was told of, those that are over too, the oldest first."""
        return [row for row in self._rows.values() if isinstance(row, kinds)]

    def forbid(self, block: Block, sentence: Words, field: str = "") -> None:
        """Refuse what a character's state forbids, unless a GM allows it. Raises BlockedByState."""
        if not self.override:
            raise BlockedByState(block, str(sentence), field=field)

    def begin(self, kind: type[Row], **given: Any) -> None:
        """Begin another procedure of the game once the step is done: its act `open` is taken with what is given."""
        self.begun.append((kind, given))

    def add(self, row: Row) -> None:
        """Put a new clock on the table, which gives it an id."""
        row.id = row.id or f"new{len(self._rows)}"
        self._hold(row)
        self._new.add(row.id)

    def because(self, why: Reason) -> None:
        """Say why what is written from here on is written."""
        self._changed, self.why = self.changes(), why

    def say(self, words: str) -> None:
        """Say something as whoever acts: a GM's is part of the story, a player's out of character. It is struck out when the
        step is undone."""
        self.said.append(words)

    def tell(self, line: Words) -> None:
        """Have a line told with the step: of what followed by itself (`settle`)."""
        self.told.append(line)

    def tell_gms(self, line: Words) -> None:
        """Have GMs read another line of the step than players, who must not know all of it."""
        self.gms_line = line

    def throw(self, count: int, die: Die = D10) -> tuple[int, ...]:
        """Throw dice that are no roll of a member's, such as for whose turn is first: their proof is told with the step. More
        thrown in the same step are of the same throw."""
        return draw(count, die, self._fall(Dice(count=count, die=die)))

    def extra_dice(self, who: str, rolls: str) -> int:
        """Return the dice that Burns put into the next roll of this kind of a character, as far as all may know."""
        return 0

    def settle(self) -> None:
        """Do what follows from all rows that were written, until nothing more does."""
        while due := [row for row in self._rows.values() if self._settled[row.id] != row.model_dump()]:
            for row in due:
                self._settled[row.id] = row.model_dump()
                row.settle(self)

    def changes(self) -> list[Change]:
        """Return what was written since the table was read, or since this was asked last."""
        dumped = ((row, self._read[row.id], row.model_dump()) for row in self._rows.values())
        found = [
            Change(*one, self.why, one[0].id in self._new)
            for one in dumped
            if one[1] != one[2] or one[0].id in self._new
        ]
        self._read |= {change.row.id: change.after for change in found}
        earlier, self._changed, self._new = self._changed, [], set()
        return [*earlier, *found]

    def trial(self) -> Table:
        """Return a table over the same rows on which something can be tried: nothing of it is stored."""
        return _Over(self)

    def seen(self) -> Table:
        """Return the table as players may know it: without hidden rows."""
        return _Seen(self)

    def _hold(self, row: Row) -> None:
        self._rows[row.id] = row
        self._read[row.id] = self._settled[row.id] = row.model_dump()

    def _fall(self, dice: Dice) -> Faces:
        return self._faces

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
        self._tried: dict[Die, Faces] = {}

    @property
    def in_scene(self) -> bool:
        return self._under.in_scene

    def extra_dice(self, who: str, rolls: str) -> int:
        return self._under.extra_dice(who, rolls)

    def history(self, *kinds: type[R]) -> list[R]:
        return self._under.history(*kinds)

    def _fall(self, dice: Dice) -> Faces:
        """Return faces that count for nothing; no two after each other are equal."""
        return self._tried.setdefault(dice.die, cycle(range(1, dice.die.sides + 1)))

    def _load(self, kind: type[Row], id: str) -> Row | None:
        row = self._under.find(kind, id)
        return row.model_copy(deep=True) if row else None

    def _load_all(self, kind: type[R]) -> Iterator[R]:
        return (row.model_copy(deep=True) for row in self._under.all(kind) if row.id not in self._rows)


class _Seen(_Over):
    def _load(self, kind: type[Row], id: str) -> Row | None:
        row = super()._load(kind, id)
        return row and row.shown()

    def _load_all(self, kind: type[R]) -> Iterator[R]:
        shown = (row.shown() for row in super()._load_all(kind))
        return (row for row in shown if isinstance(row, kind))
