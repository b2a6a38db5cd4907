"""Effects of a procedure's step outside it, as values that know how they are applied, and how they are undone.

An act or the dice of a procedure lead to a new state alone, or, as `StepResult`, to a state and to effects. `apply` does an
effect through the `Outside` that it is given (rolls/services/effects.py is the one there is), and returns the value that undoes
it. That one is kept with the step in JSON (`stored`), and read again by `undo_of`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Generic, Protocol, TypeVar

from characters.reasons import Reason
from characters.sheets.steps import Step
from rules.checked import restored

S = TypeVar("S")


class Outside(Protocol):
    """The targets of effects. Ids are strings; what a method returns is what its counterpart needs."""

    def write(self, effect: Write) -> list[Any]: ...
    def write_back(self, character: str, steps: Sequence[Any]) -> None: ...
    def tick(self, clock: str, ticks: int, reason: str) -> int: ...
    def make_clock(self, effect: NewClock) -> None: ...
    def archive_clock(self, clock: str) -> None: ...
    def retire(self, character: str, *, dead: bool) -> bool: ...
    def bring_back(self, character: str) -> None: ...
    def begin(self, effect: Begin) -> str: ...
    def undo_begun(self, procedure: str) -> None: ...
    def end(self, procedure: str) -> bool: ...
    def reopen(self, procedure: str) -> None: ...
    def say(self, words: str) -> None: ...


class Effect(ABC):
    """Something that a step does outside its procedure."""

    @abstractmethod
    def apply(self, outside: Outside) -> Undo:
        """Do it. Raises Invalid or Conflict where that cannot be."""


class Undo(ABC):
    """The data to undo an effect. Its fields are stored by their names here, which identify it."""

    @abstractmethod
    def apply(self, outside: Outside) -> None:
        """Undo it. Raises Conflict where something else was written since in the same place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write(Effect):
    """Take these steps on the sheet of a `character`, by its id; `why` is the reason in the log. `follows` is the
    address of the field that they follow: undoing that by hand undoes these too.
    """

    character: str
    steps: tuple[Step, ...]
    why: Reason
    follows: str = ""

    def apply(self, outside: Outside) -> Undo:
        return Written(self.character, tuple(outside.write(self)))


@dataclass(frozen=True, slots=True)
class Written(Undo):
    """Undoes writes on a sheet; `steps` are the earlier values."""

    character: str
    steps: tuple[Any, ...]

    def apply(self, outside: Outside) -> None:
        outside.write_back(self.character, self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(Effect):
    """Tick a `clock`, by its id, by so many segments (negative: untick). A full or archived clock stays as it is."""

    clock: str
    ticks: int
    reason: str = ""

    def apply(self, outside: Outside) -> Undo:
        return Ticked(self.clock, outside.tick(self.clock, self.ticks, self.reason))


@dataclass(frozen=True, slots=True)
class Ticked(Undo):
    """A clock got so many segments, as far as they found room."""

    clock: str
    ticks: int

    def apply(self, outside: Outside) -> None:
        if self.ticks:
            outside.tick(self.clock, -self.ticks, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewClock(Effect):
    """Create a clock that everyone sees, with a new id: a `character`'s, by its id, or the GM's if that is "".
    `filled`, fewer than its `segments`, are ticked to begin with.
    """

    clock: str
    name: str
    segments: int
    kind: str
    character: str = ""
    filled: int = 0

    def apply(self, outside: Outside) -> Undo:
        outside.make_clock(self)
        return MadeClock(self.clock)


@dataclass(frozen=True, slots=True)
class MadeClock(Undo):
    made: str

    def apply(self, outside: Outside) -> None:
        outside.archive_clock(self.made)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Effect):
    """A `character`, by its id, goes out of play for good, retired or `dead`; one that is out of play already stays so."""

    character: str
    dead: bool = False

    def apply(self, outside: Outside) -> Undo:
        return Retired(self.character if outside.retire(self.character, dead=self.dead) else None)


@dataclass(frozen=True, slots=True)
class Retired(Undo):
    """A character went out of play; None where they were already."""

    retired: str | None

    def apply(self, outside: Outside) -> None:
        if self.retired:
            outside.bring_back(self.retired)


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(Effect):
    """Another procedure of the same ruleset begins, with what its `start` takes."""

    kind: str
    given: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""

    def apply(self, outside: Outside) -> Undo:
        return Begun(outside.begin(self))


@dataclass(frozen=True, slots=True)
class Begun(Undo):
    """Undoes the begin of a procedure: it ends, and what has followed from it is undone. Its rolls stay."""

    begun: str

    def apply(self, outside: Outside) -> None:
        outside.undo_begun(self.begun)


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Effect):
    """Another `procedure`, by its id, is over, since it was used: a token is spent. One that is over already stays so."""

    procedure: str

    def apply(self, outside: Outside) -> Undo:
        return Ended(self.procedure, outside.end(self.procedure))


@dataclass(frozen=True, slots=True)
class Ended(Undo):
    """A procedure was ended, `by` this step: it goes on again; or was over before."""

    ended: str
    by: bool

    def apply(self, outside: Outside) -> None:
        if self.by:
            outside.reopen(self.ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(Effect):
    """Post these words as whoever acts: a GM's as part of the story, a player's out of character. They stay when the
    step is undone. Typed texts belong here, where erasing finds them, and not in a state.
    """

    words: str

    def apply(self, outside: Outside) -> Undo:
        outside.say(self.words)
        return Said(said=True)


@dataclass(frozen=True, slots=True)
class Said(Undo):
    said: bool

    def apply(self, outside: Outside) -> None:
        """Leave it said."""


UNDOS: Final[Mapping[frozenset[str], type[Undo]]] = {
    frozenset(one.name for one in fields(undo)): undo
    for undo in (Written, Ticked, MadeClock, Retired, Begun, Ended, Said)
}


def undo_of(kept: Mapping[str, Any]) -> Undo:
    """Return the undo that `stored` wrote: its fields identify its class."""
    return restored(UNDOS[frozenset(kept)], kept)


@dataclass(frozen=True, slots=True)
class StepResult(Generic[S]):
    """A state, and the effects of the step that led to it."""

    state: S
    effects: Sequence[Effect] = ()


def led(value: S | StepResult[S]) -> StepResult[S]:
    """Return the same for a step that has no effects."""
    return value if isinstance(value, StepResult) else StepResult(value)
