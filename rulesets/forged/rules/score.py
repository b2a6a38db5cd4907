"""Forged in the Dark: a score from the engagement roll, which the crew makes at the table, to the payoff (public rules).

What it leaves behind with the law, and what comes after it, is in downtime.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from campaigns.schema import Code, Name, Text, Uid
from languages.text import gettext as _
from rules.acts import act
from rules.effects import Begin, StepResult
from rules.errors import NotPossible, whole, word
from rules.procedures import Act, Answer, ProcedureRules, RollPart, Values
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.roll import Pool, Result, check_more, fortune_pool, with_more
from rulesets.forged.settings import MOST_BOXES

HIGHEST_TIER: Final = 6
REP: Final = 2
MOST_EXTRA_COIN: Final = 100


class Load(StrEnum):
    """The load that a character has chosen to carry on the score."""

    LIGHT = "light"
    NORMAL = "normal"
    HEAVY = "heavy"
    ENCUMBERED = "encumbered"


MOST_ITEMS: Final[Mapping[Load, int]] = MappingProxyType(
    {Load.LIGHT: 3, Load.NORMAL: 5, Load.HEAVY: 6, Load.ENCUMBERED: 9}
)


class Flashback(StrEnum):
    """The weight of what a flashback asks of the past."""

    ORDINARY = "ordinary"  # something for which there was every occasion
    COMPLEX = "complex"  # something unlikely
    ELABORATE = "elaborate"  # something that took occasions and luck


FLASHBACK_STRESS: Final[Mapping[Flashback, int]] = MappingProxyType(
    {Flashback.ORDINARY: 0, Flashback.COMPLEX: 1, Flashback.ELABORATE: 2}
)

MOST_EXTRA_STRESS: Final = MOST_BOXES - FLASHBACK_STRESS[Flashback.ELABORATE]
"""More than the whole stress track makes no difference."""


class Take(StrEnum):
    """The size of the haul."""

    MINOR = "minor"
    SMALL = "small"
    STANDARD = "standard"
    BIG = "big"
    MAJOR = "major"


COIN: Final[Mapping[Take, int]] = MappingProxyType(
    {Take.MINOR: 2, Take.SMALL: 4, Take.STANDARD: 6, Take.BIG: 8, Take.MAJOR: 10}
)
"""The coin for each size of take; a major one may be worth more."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """The gains of a score: `rep` is 0 to 8, `coin` 2 and more."""

    rep: int
    coin: int


def engagement(result: Result) -> Position | None:
    """Return the position in which a score opens; None on a critical: past the first obstacle already."""
    match word("result", result, Result):
        case Result.BAD:
            return Position.DESPERATE
        case Result.PARTIAL:
            return Position.RISKY
        case Result.FULL:
            return Position.CONTROLLED
        case Result.CRITICAL:
            return None


def payoff(tier: int, target_tier: int, take: Take, extra: int = 0) -> Payoff:
    """Return what a score earns: rep of 2, more for each Tier (0 to 6) of the target above the crew's and less for each
    below, never below 0; and coin.

    `extra` coin (0 to 100) needs a major haul. Raises NotPossible otherwise.
    """
    above = whole("target_tier", target_tier, 0, HIGHEST_TIER) - whole("tier", tier, 0, HIGHEST_TIER)
    haul = word("take", take, Take)
    if whole("extra", extra, 0, MOST_EXTRA_COIN) and haul is not Take.MAJOR:
        message = _("Only a major haul can bring extra coin.")
        raise NotPossible("extra", extra, allowed="0", message=message)
    return Payoff(max(0, REP + above), COIN[haul] + extra)


TURN, ROLL, USE, MORE = "turn", "roll", "use", "more"
LEFT: Final = "engagement"
"""The kind of the token that an engagement leaves."""
PART: Final = RollPart("engagement")

FACTORS: Final[Mapping[str, int]] = {
    "bold": 1,
    "weak_spot": 1,
    "friends": 1,
    "smaller": 1,
    "for_it": 1,
    "complex": -1,
    "strong_spot": -1,
    "rivals": -1,
    "larger": -1,
    "against_it": -1,
}
"""Major advantages and disadvantages (public rules, Engagement Roll); the last of each is "anything else"."""
OPPOSITES: Final[Mapping[str, str]] = {
    "bold": "complex",
    "weak_spot": "strong_spot",
    "smaller": "larger",
    "complex": "bold",
    "strong_spot": "weak_spot",
    "larger": "smaller",
}
"""Pairs of which only one can hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engage:
    """The `factors` that count, `more` dice with the reason `why`, who pays for a `push` for one, `ready` once its dice are to
    fall, and their `result`."""

    factors: tuple[Code, ...] = ()
    more: int = 0
    why: Text = ""
    push: Uid | None = None
    push_name: Name = ""
    ready: bool = False
    result: Result | None = None

    @property
    def advantages(self) -> int:
        return sum(FACTORS[factor] > 0 for factor in self.factors)

    @property
    def disadvantages(self) -> int:
        return sum(FACTORS[factor] < 0 for factor in self.factors)

    @property
    def pool(self) -> Pool:
        pool = fortune_pool(advantages=self.advantages, disadvantages=self.disadvantages)
        return with_more(pool, self.more, push=self.push is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The opening position until the first action: its `position`; `past` the first obstacle already, on a critical."""

    position: Position
    past: bool = False
    used: bool = False


def _not_rolled(state: Engage) -> bool:
    return state.result is None


class EngageRules(ProcedureRules[Engage]):
    """A GM says what counts, and rolls."""

    state = Engage

    def start(self, given: Values) -> Engage:
        return Engage()

    @act(when=_not_rolled, each=lambda state: FACTORS, terms=lambda state, factor: (factor in state.factors,))
    def turn(self, state: Engage, step: Act, factor: str) -> Engage:
        """Let a factor count, or no more; what cannot both be so goes with it."""
        if factor in state.factors:
            return replace(state, factors=tuple(counted for counted in state.factors if counted != factor))
        left = (counted for counted in state.factors if counted != OPPOSITES.get(factor))
        return replace(state, factors=(*left, factor))

    @act(MORE, when=_not_rolled, asks=True)
    def with_more_dice(self, state: Engage, step: Act) -> Engage:
        """Say which dice abilities add, and who pushes for one."""
        check_more(step.values)
        said = {name: step.values[name] for name in ("more", "push", "push_name")}
        return replace(state, **said, why=str(step.values["why"]).strip())

    @act(when=_not_rolled, terms=lambda state: (*state.factors, state.more, state.push))
    def roll(self, state: Engage, step: Act) -> Engage:
        return replace(state, ready=True)

    def on_roll(self, state: Engage, answer: Answer) -> StepResult[Engage]:
        """Lay the position on the table. A critical opens past the first obstacle, in control."""
        result = Result[answer.outcome["result"].upper()]
        position = engagement(result)
        given = {"position": position or Position.CONTROLLED, "past": position is None}
        return StepResult(replace(state, ready=False, result=result), [Begin(kind=LEFT, given=given)])

    def on_void(self, state: Engage, part: RollPart) -> Engage:
        return replace(state, ready=False, result=None)

    def waiting(self, state: Engage) -> Sequence[tuple[str, str]]:
        return [] if state.result else [("", _("to choose what counts, and roll"))]

    def is_over(self, state: Engage) -> bool:
        return state.result is not None


class OpeningRules(ProcedureRules[Opening]):
    """An action uses it up; a GM may do so without one."""

    state = Opening

    def start(self, given: Values) -> Opening:
        return Opening(position=Position(given["position"]), past=given["past"])

    @act(USE, when=lambda state: not state.used)
    def use_up(self, state: Opening, step: Act) -> Opening:
        return replace(state, used=True)

    def is_over(self, state: Opening) -> bool:
        return state.used

    def at_scene_end(self, state: Opening) -> Opening:
        """End it with the scene that it opened."""
        return replace(state, used=True)
