"""Fortune rolls: what a result says, the table of magnitudes, and the rules of a roll of fate at the table (forged.txt, Fortune
Roll; public rules, Magnitude).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from campaigns.schema import Name
from rolls.rules.acts import act
from rolls.rules.errors import NotPossible, whole
from rolls.rules.procedures import Act, Answer, ProcedureRules, RollPart, Values
from rulesets.forged.rules.roll import ORDER, Pool, Result, fortune_pool


@dataclass(frozen=True, slots=True)
class Performance:
    """A fortune result in words: how it turned out, and how much effect that is."""

    quality: str
    effect: str


PERFORMANCES: Final[Mapping[Result, Performance]] = MappingProxyType(
    {
        Result.CRITICAL: Performance("exceptional", "great"),
        Result.FULL: Performance("good", "standard"),
        Result.PARTIAL: Performance("mixed", "limited"),
        Result.BAD: Performance("bad", "little"),
    }
)


class Ahead(StrEnum):
    """The side that did better. With neither, the GM says what that means."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"


HIGHEST_MAGNITUDE: Final = 6


class Measure(StrEnum):
    """The things that are measured."""

    PEOPLE = "people"
    TIME = "time"
    REACH = "reach"
    QUALITY = "quality"
    FORCE = "force"


MAGNITUDES: Final[Mapping[Measure, tuple[str, ...]]] = MappingProxyType(
    {
        Measure.PEOPLE: ("1-2", "3-6", "12", "20", "40", "80", "160"),
        Measure.TIME: ("moments", "minutes", "hour", "hours", "day", "days", "week"),
        Measure.REACH: ("touch", "dozen paces", "stone's throw", "down the road", "blocks", "district", "city"),
        Measure.QUALITY: ("poor", "adequate", "good", "excellent", "superior", "impeccable", "legendary"),
        Measure.FORCE: ("weak", "moderate", "strong", "serious", "powerful", "overwhelming", "devastating"),
    }
)


ROLL = "roll"
LONGEST_NAME = 80
MOST_TRAIT = 12
MOST_MAJOR = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side of a fortune roll: whose it is, its trait and major advantages and disadvantages in dice, and its result once it
    has fallen."""

    name: Name
    trait: int
    advantages: int
    disadvantages: int
    result: Result | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or len(self.name) > LONGEST_NAME:
            message = f"A name has up to {LONGEST_NAME} letters."
            raise NotPossible("name", self.name, allowed=f"up to {LONGEST_NAME} letters", message=message)
        whole("trait", self.trait, 0, MOST_TRAIT)
        whole("advantages", self.advantages, 0, MOST_MAJOR)
        whole("disadvantages", self.disadvantages, 0, MOST_MAJOR)

    @property
    def pool(self) -> Pool:
        return fortune_pool(trait=self.trait, advantages=self.advantages, disadvantages=self.disadvantages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fates:
    """One side or two; `ready` while their dice are to fall."""

    a: Side
    b: Side | None = None
    ready: bool = True

    @property
    def sides(self) -> tuple[tuple[str, Side], ...]:
        return (("a", self.a), *((("b", self.b),) if self.b else ()))

    @property
    def due(self) -> tuple[str, Side] | None:
        """Return the side whose dice fall next."""
        return next((side for side in self.sides if side[1].result is None), None) if self.ready else None

    @property
    def ahead(self) -> tuple[Ahead, int] | None:
        """Return who did better by how many results; None before both have fallen, and for one alone."""
        if self.b is None or self.a.result is None or self.b.result is None:
            return None
        levels = ORDER.index(self.a.result) - ORDER.index(self.b.result)
        who = Ahead.FIRST if levels > 0 else Ahead.SECOND if levels < 0 else Ahead.NEITHER
        return who, abs(levels)


def _with(state: Fates, part: str, result: Result | None) -> Fates:
    if part == "a":
        return replace(state, a=replace(state.a, result=result))
    return replace(state, b=replace(state.b, result=result)) if state.b else state


class FatesRules(ProcedureRules[Fates]):
    """Its dice fall at once; a GM rolls anew only what was taken back."""

    state = Fates

    def start(self, given: Values) -> Fates:
        """Begin; the dice fall at once. Two sides need names of their own."""
        a, b = Side(**given["a"]), Side(**given["b"]) if given["b"] else None
        if b and (not a.name or not b.name or a.name == b.name):
            message = "Give each side a name of its own."
            raise NotPossible("b_name", b.name, allowed="two names", message=message)
        return Fates(a=a, b=b)

    @act(ROLL, when=lambda state: not state.ready)
    def roll_anew(self, state: Fates, step: Act) -> Fates:
        return replace(state, ready=True)

    def on_roll(self, state: Fates, answer: Answer) -> Fates:
        return _with(state, answer.part.name, Result[answer.outcome["result"].upper()])

    def on_void(self, state: Fates, part: RollPart) -> Fates:
        return replace(_with(state, part.name, None), ready=False)

    def waiting(self, state: Fates) -> Sequence[tuple[str, str]]:
        return [("", "to roll it anew")] if not state.ready else []

    def is_over(self, state: Fates) -> bool:
        return state.ready and state.due is None
