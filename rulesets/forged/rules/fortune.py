"""Fortune rolls: what a result says, the table of magnitudes, and the rules of a roll of fate at the table (forged.txt, Fortune
Roll; public rules, Magnitude).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from campaigns.schema import Name, Text, Uid
from languages.text import gettext as _
from languages.text import gettext_lazy, pgettext_lazy
from rules.acts import act
from rules.errors import NotPossible, whole
from rules.procedures import Act, Answer, ProcedureRules, RollPart, Values
from rulesets.forged.rules.roll import ORDER, Pool, Result, check_more, fortune_pool, with_more


@dataclass(frozen=True, slots=True)
class Performance:
    """A fortune result in words: how it turned out, as a headline and in a sentence, and with how much effect."""

    headline: str
    quality: str
    effect: str


PERFORMANCES: Final[Mapping[Result, Performance]] = MappingProxyType(
    {
        Result.CRITICAL: Performance(
            gettext_lazy("Exceptional"), gettext_lazy("exceptional"), gettext_lazy("great effect")
        ),
        Result.FULL: Performance(
            pgettext_lazy("fortune", "Good"), pgettext_lazy("fortune", "good"), gettext_lazy("standard effect")
        ),
        Result.PARTIAL: Performance(
            pgettext_lazy("fortune", "Mixed"), pgettext_lazy("fortune", "mixed"), gettext_lazy("limited effect")
        ),
        Result.BAD: Performance(
            pgettext_lazy("fortune", "Bad"), pgettext_lazy("fortune", "bad"), gettext_lazy("little effect")
        ),
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
        Measure.TIME: (
            pgettext_lazy("time", "moments"),
            pgettext_lazy("time", "minutes"),
            pgettext_lazy("time", "hour"),
            pgettext_lazy("time", "hours"),
            pgettext_lazy("time", "day"),
            pgettext_lazy("time", "days"),
            pgettext_lazy("time", "week"),
        ),
        Measure.REACH: (
            pgettext_lazy("reach", "touch"),
            pgettext_lazy("reach", "dozen paces"),
            pgettext_lazy("reach", "stone’s throw"),
            pgettext_lazy("reach", "down the road"),
            pgettext_lazy("reach", "blocks"),
            pgettext_lazy("reach", "district"),
            pgettext_lazy("reach", "city"),
        ),
        Measure.QUALITY: (
            pgettext_lazy("quality", "poor"),
            pgettext_lazy("quality", "adequate"),
            pgettext_lazy("quality", "good"),
            pgettext_lazy("quality", "excellent"),
            pgettext_lazy("quality", "superior"),
            pgettext_lazy("quality", "impeccable"),
            pgettext_lazy("quality", "legendary"),
        ),
        Measure.FORCE: (
            pgettext_lazy("force", "weak"),
            pgettext_lazy("force", "moderate"),
            pgettext_lazy("force", "strong"),
            pgettext_lazy("force", "serious"),
            pgettext_lazy("force", "powerful"),
            pgettext_lazy("force", "overwhelming"),
            pgettext_lazy("force", "devastating"),
        ),
    }
)


ROLL = "roll"
LONGEST_NAME = 80
MOST_TRAIT = 12
MOST_MAJOR = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side of a fortune roll: whose it is, its trait and major advantages and disadvantages in dice, `more` dice with the
    reason `why`, who pays for a `push` for one, and its result once it has fallen."""

    name: Name
    trait: int
    advantages: int
    disadvantages: int
    more: int = 0
    why: Text = ""
    push: Uid | None = None
    result: Result | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or len(self.name) > LONGEST_NAME:
            message = _("Use at most {most} letters for a name.").format(most=LONGEST_NAME)
            raise NotPossible("name", self.name, allowed=f"up to {LONGEST_NAME} letters", message=message)
        whole("trait", self.trait, 0, MOST_TRAIT)
        whole("advantages", self.advantages, 0, MOST_MAJOR)
        whole("disadvantages", self.disadvantages, 0, MOST_MAJOR)

    @property
    def pool(self) -> Pool:
        pool = fortune_pool(trait=self.trait, advantages=self.advantages, disadvantages=self.disadvantages)
        return with_more(pool, self.more, push=self.push is not None)


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
        """Return who did better and by how many results; None before both have rolled, and for one side alone."""
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
    """Its dice fall at once; a GM rolls again only what was voided."""

    state = Fates

    def start(self, given: Values) -> Fates:
        """Begin; the dice fall at once. Raises NotPossible if two sides do not have different names."""
        for side in ("a", "b"):
            if given[side]:
                check_more(given[side], f"{side}_why")
        a, b = Side(**given["a"]), Side(**given["b"]) if given["b"] else None
        if b and (not a.name or not b.name or a.name == b.name):
            message = _("Give each side its own name.")
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
        return [("", _("to roll again"))] if not state.ready else []

    def is_over(self, state: Fates) -> bool:
        return state.ready and state.due is None
