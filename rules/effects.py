"""Effects of a procedure's step outside it, as values that know how they are applied.

An act or the dice of a procedure lead to a new state alone, or, as `StepResult`, to a state and to effects. `apply` does an
effect through the `Outside` that it is given (rolls/services/effects.py is the one there is). What that writes is undone with
the step (campaigns/services/undo.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from characters.reasons import Reason
from characters.sheets.steps import Step

S = TypeVar("S")


class Outside(Protocol):
    """The targets of effects. Ids are strings."""

    def write(self, effect: Write) -> None: ...
    def tick(self, effect: Tick) -> None: ...
    def make_clock(self, effect: NewClock) -> None: ...
    def retire(self, effect: Retire) -> None: ...
    def begin(self, effect: Begin) -> None: ...
    def end(self, procedure: str) -> None: ...
    def say(self, words: str) -> None: ...


class Effect(ABC):
    """Something that a step does outside its procedure."""

    @abstractmethod
    def apply(self, outside: Outside) -> None:
        """Do it. Raises Invalid or Conflict where that cannot be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write(Effect):
    """Take these steps on the sheet of a `character`, by its id; `why` is the reason in the log. `follows` is the
    address of the field that they follow: undoing that by hand undoes these too.
    """

    character: str
    steps: tuple[Step, ...]
    why: Reason
    follows: str = ""

    def apply(self, outside: Outside) -> None:
        outside.write(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(Effect):
    """Tick a `clock`, by its id, by so many segments (negative: untick). A full or archived clock stays as it is."""

    clock: str
    ticks: int
    reason: str = ""

    def apply(self, outside: Outside) -> None:
        outside.tick(self)


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

    def apply(self, outside: Outside) -> None:
        outside.make_clock(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Effect):
    """A `character`, by its id, goes out of play for good, retired or `dead`; one that is out of play already stays so."""

    character: str
    dead: bool = False

    def apply(self, outside: Outside) -> None:
        outside.retire(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(Effect):
    """Another procedure of the same ruleset begins, with what its `start` takes."""

    kind: str
    given: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""

    def apply(self, outside: Outside) -> None:
        outside.begin(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Effect):
    """Another `procedure`, by its id, is over, since it was used: a token is spent. One that is over already stays so."""

    procedure: str

    def apply(self, outside: Outside) -> None:
        outside.end(self.procedure)


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(Effect):
    """Post these words as whoever acts: a GM's as part of the story, a player's out of character. They stay when the
    step is undone. Typed texts belong here, where erasing finds them, and not in a state.
    """

    words: str

    def apply(self, outside: Outside) -> None:
        outside.say(self.words)


@dataclass(frozen=True, slots=True)
class StepResult(Generic[S]):
    """A state, and the effects of the step that led to it."""

    state: S
    effects: Sequence[Effect] = ()


def led(value: S | StepResult[S]) -> StepResult[S]:
    """Return the same for a step that has no effects."""
    return value if isinstance(value, StepResult) else StepResult(value)
