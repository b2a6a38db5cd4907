"""Steps of a procedure as values: for whom each can be taken now, by whom, what forbids it, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from rolls.rules.bars import Bar, Barred
from rolls.rules.effects import Led
from rolls.rules.errors import NotPossible
from rolls.rules.procedures import Act, Actor, Offer

S = TypeVar("S")
NOBODY: Final = ("",)
GONE: Final = "That cannot be done any more, as things stand now."


def _nothing(state: Any, whom: str) -> tuple[Bar, str] | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Generic[S]):
    """`there` gives all for whom the step can be taken as things stand, "" for one that is for nobody; `by` says who may.

    `bars` is what the state of somebody forbids of it, with the message for whoever tries; `do` raises a RuleError for what a
    form says wrong. `gone` says why a step that is not there cannot be taken.
    """

    there: Callable[[S], Iterable[str]]
    by: Callable[[S, Actor, str], bool]
    do: Callable[[S, Actor, Act], S | Led[S]]
    bars: Callable[[S, str], tuple[Bar, str] | None] = _nothing
    gone: str = GONE


def offers(moves: Mapping[str, Move[S]], state: S, who: Actor) -> Sequence[Offer]:
    return [
        Offer(name, whom) for name, move in moves.items() for whom in move.there(state) if move.by(state, who, whom)
    ]


def take(moves: Mapping[str, Move[S]], state: S, who: Actor, act: Act) -> S | Led[S]:
    """One step. NotPossible for one that cannot be taken as things stand, Barred for one that somebody's state forbids."""
    move = moves.get(act.name)
    if move is None or act.whom not in move.there(state):
        raise refused(act.name, move.gone if move else GONE)
    if not act.override and (barred := move.bars(state, act.whom)):
        raise Barred(*barred)
    return move.do(state, who, act)


def refused(field: str, message: str) -> NotPossible:
    return NotPossible(field, None, allowed="what is shown", message=message)
