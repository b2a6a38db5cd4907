"""Steps of a procedure as values: for whom each can be taken now, by whom, what forbids it, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from rolls.rules.acts import Actor
from rolls.rules.bars import Bar, Barred
from rolls.rules.effects import StepResult
from rolls.rules.errors import NotPossible, RuleError
from rolls.rules.function_procedures import Act, AvailableAct

S = TypeVar("S")
NOBODY: Final = ("",)
GONE: Final = "That cannot be done any more, as things stand now."


def _nothing(state: Any, whom: str) -> tuple[Bar, str] | None:
    return None


def _no_terms(state: Any, whom: str) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Generic[S]):
    """`there` gives all for whom the step can be taken as things stand, "" for one that is for nobody; `by` says who may.

    `bars` is what the state of somebody forbids of it, with the message for whoever tries; `do` raises a RuleError for what
    cannot be, or what a form says wrong, where it `asks` by one. `terms`
    are what it commits to as others may change it (AvailableAct.terms).
    """

    there: Callable[[S], Iterable[str]]
    by: Callable[[S, Actor, str], bool]
    do: Callable[[S, Actor, Act], S | StepResult[S]]
    bars: Callable[[S, str], tuple[Bar, str] | None] = _nothing
    asks: bool = False
    terms: Callable[[S, str], tuple[Any, ...]] = _no_terms


def by_gm(state: Any, who: Actor, whom: str) -> bool:
    return who.is_gm


def offers(moves: Mapping[str, Move[S]], state: S, who: Actor) -> Sequence[AvailableAct]:
    """What `take` would not refuse: a step without a form is tried. What somebody's state forbids is a GM's to allow."""
    return [
        AvailableAct(name, whom, move.terms(state, whom))
        for name, move in moves.items()
        for whom in move.there(state)
        if move.by(state, who, whom) and _goes(move, state, who, Act(name=name, whom=whom))
    ]


def _goes(move: Move[S], state: S, who: Actor, act: Act) -> bool:
    if not who.is_gm and move.bars(state, act.whom):
        return False
    if move.asks:
        return True
    try:
        move.do(state, who, act)
    except RuleError:
        return False
    return True


def why_not(moves: Mapping[str, Move[S]], state: S, who: Actor, wanted: AvailableAct) -> str:
    """What keeps somebody from a step of their own that is not offered; "" where it is no such step."""
    move, whom = moves.get(wanted.name), wanted.whom
    if move is None or whom not in move.there(state) or not move.by(state, who, whom):
        return ""
    if barred := move.bars(state, whom):
        return barred[1]
    try:
        if not move.asks:
            move.do(state, who, Act(name=wanted.name, whom=whom))
    except RuleError as error:
        return error.message
    return ""


def take(moves: Mapping[str, Move[S]], state: S, who: Actor, act: Act) -> S | StepResult[S]:
    """One step. NotPossible for one that cannot be taken as things stand, Barred for one that somebody's state forbids."""
    move = moves.get(act.name)
    if move is None or act.whom not in move.there(state):
        raise refused(act.name, GONE)
    if not act.override and (barred := move.bars(state, act.whom)):
        raise Barred(*barred)
    return move.do(state, who, act)


def refused(field: str, message: str) -> NotPossible:
    return NotPossible(field, None, allowed="what is shown", message=message)
