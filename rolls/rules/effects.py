"""What a step of a procedure does outside it, as values; rolls/services/effects.py does them, and undoes them.

An act or the dice of a procedure lead to a new state alone, or, as `StepResult`, to a state and to effects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from characters.reasons import Reason
from characters.sheets.steps import Step

S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """These steps on the sheet of a `character`, by its id; `why` stands beside them in the log. `follows` is the address of the
    field that they follow: whoever takes that back by hand takes these back with it."""

    character: str
    steps: tuple[Step, ...]
    why: Reason
    follows: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A `clock`, by its id, gets so many segments more, or fewer. One that is full, or archived meanwhile, stays as it is."""

    clock: str
    ticks: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewClock:
    """A clock that everybody sees, with an id of its own; that of a `character`, by its id, or the GM's where it is "". `filled`,
    fewer than its `segments`, are so to begin with."""

    clock: str
    name: str
    segments: int
    kind: str
    character: str = ""
    filled: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire:
    """A `character`, by its id, goes out of play for good; one that is out of play already stays so."""

    character: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Another procedure of the same ruleset begins, with what its `start` takes."""

    kind: str
    given: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Another `procedure`, by its id, is over, since it was used: a token is spent. One that is over already stays so."""

    procedure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """Whoever acts says these words: a GM tells them as part of the story, a player says them out of it. What was said stays
    said when the step is taken back. Words that somebody typed belong here, where erasing finds them, and into no state."""

    words: str


Effect: TypeAlias = Write | Tick | NewClock | Retire | Begin | End | Say


@dataclass(frozen=True, slots=True)
class StepResult(Generic[S]):
    """A state, and what came of the step that led to it beside."""

    state: S
    effects: Sequence[Effect] = ()


def led(value: S | StepResult[S]) -> StepResult[S]:
    """The same for a step that has no effects."""
    return value if isinstance(value, StepResult) else StepResult(value)
