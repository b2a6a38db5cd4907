"""Shared parts of extended and opposed actions: the roll, and its result. The text has neither: our decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from campaigns.schema import Code, Name, Uid
from languages.text import gettext as _
from rules.acts import act, player_of
from rules.dice import LARGEST_POOL
from rules.errors import NotPossible, whole, word
from rules.procedures import Act, Answer, Asked, Parties, ProcedureRules, RollPart, called
from rulesets.storyteller.rules.roll import Result
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY

LONGEST_NAME = 80
MOST_SUCCESSES = 50
MOST_ROLLS = 20


def name_words() -> str:
    """Return the message for a name that is empty or too long."""
    return _("Enter a name of up to {count} characters.").format(count=LONGEST_NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side: a character by its id, or (`character` None) what a GM rolls for; `name` in 1 to 80 letters.

    `traits` of a sheet, or a number of `dice` (1 to 100); with neither, the roller chooses. Difficulty 2 to 10; `kind`
    one of roll.Kind.
    """

    name: Name
    character: Uid | None = None
    traits: tuple[Code, ...] = ()
    dice: int | None = None
    difficulty: int = 6
    kind: Code = "action"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= LONGEST_NAME:
            raise NotPossible("name", self.name, allowed=f"1 to {LONGEST_NAME} letters", message=name_words())
        whole("difficulty", self.difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
        if self.dice is not None:
            whole("dice", self.dice, 1, LARGEST_POOL)
        if self.character is None and self.dice is None:
            message = _("{name} has no sheet. Type a number of dice.").format(name=self.called)
            raise NotPossible("pool", None, allowed="a number of dice", message=message)

    @property
    def called(self) -> str:
        return called(self.name)

    @property
    def terms(self) -> dict[str, Any]:
        """Return those of the request for its roll."""
        terms: dict[str, Any] = {"difficulty": self.difficulty, "kind": self.kind, "automatic": False}
        if self.dice is not None:
            return terms | {"dice": self.dice}
        return terms | ({"traits": list(self.traits)} if self.traits else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """Holds what one roll gave: its successes, and whether it was a botch."""

    successes: int
    botch: bool = False


def rolled(answer: Answer) -> Rolled:
    """Return what a standing roll gave."""
    return Rolled(successes=answer.outcome["total"], botch=answer.outcome["result"] == Result.BOTCH)


# An extended action: rolls that are made one after the other, and whose successes add up. The text has none: our decision.


PART: Final = RollPart("roll")
SET, WITHDRAW = "set", "withdraw"


class OnBotch(StrEnum):
    """What a botch does to the whole action."""

    ENDS = "ends"
    LOSES = "loses"


class ExtendedStage(StrEnum):
    ANNOUNCED = "announced"
    """Announced by a player; a GM has yet to set it."""
    UNDER_WAY = "under_way"
    DONE = "done"
    FAILED = "failed"
    """Ended by a botch."""
    RAN_OUT = "ran_out"
    """Ended because its rolls are used up."""
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extended:
    """An action of one side: `goal` successes (1 to 50) in at most so many rolls (`most`, 1 to 20, None for any number)."""

    side: Side
    goal: int
    most: int | None = None
    on_botch: OnBotch = OnBotch.ENDS
    announced: bool = False
    withdrawn: bool = False
    rolls: tuple[Rolled, ...] = ()

    def __post_init__(self) -> None:
        whole("goal", self.goal, 1, MOST_SUCCESSES)
        if self.most is not None:
            whole("most", self.most, 1, MOST_ROLLS)
        word("on_botch", self.on_botch, OnBotch)

    def _counted(self) -> Iterator[tuple[int, ExtendedStage]]:
        """Yield, after each roll, the successes gathered and the stage. Rolls after the end do not count."""
        gathered = 0
        for number, roll in enumerate(self.rolls, start=1):
            gathered = 0 if roll.botch and self.on_botch is OnBotch.LOSES else gathered + roll.successes
            if roll.botch and self.on_botch is OnBotch.ENDS:
                stage = ExtendedStage.FAILED
            elif gathered >= self.goal:
                stage = ExtendedStage.DONE
            else:
                stage = ExtendedStage.RAN_OUT if number == self.most else ExtendedStage.UNDER_WAY
            yield gathered, stage
            if stage is not ExtendedStage.UNDER_WAY:
                return

    @property
    def made(self) -> int:
        """Return how many rolls count."""
        return len(list(self._counted()))

    @property
    def gathered(self) -> int:
        return next(reversed([gathered for gathered, stage in self._counted()]), 0)

    @property
    def stage(self) -> ExtendedStage:
        if self.withdrawn:
            return ExtendedStage.WITHDRAWN
        if self.announced:
            return ExtendedStage.ANNOUNCED
        return next(reversed([stage for gathered, stage in self._counted()]), ExtendedStage.UNDER_WAY)


def _is_announced(state: Extended) -> bool:
    return state.stage is ExtendedStage.ANNOUNCED


class ExtendedRules(ProcedureRules[Extended]):
    """A GM sets what a player has announced, who may take it back."""

    state = Extended

    @act(SET, when=_is_announced, asks=True)
    def set_terms(self, state: Extended, step: Act) -> Extended:
        values = dict(step.values)
        side = replace(state.side, **values.pop("pool"))
        return replace(state, side=side, **values, announced=False)

    @act(WITHDRAW, by=player_of(lambda state: state.side.character), when=_is_announced)
    def withdraw(self, state: Extended, step: Act) -> Extended:
        return replace(state, withdrawn=True)

    def waiting(self, state: Extended) -> Sequence[tuple[str, str]]:
        if _is_announced(state):
            return [("", _("to set the terms"))]
        return [(PART.name, _("to roll"))] if state.stage is ExtendedStage.UNDER_WAY else []

    def requests(self, state: Extended) -> Sequence[Asked]:
        """Return the request that stays open for all its rolls."""
        if state.stage is not ExtendedStage.UNDER_WAY:
            return ()
        return [Asked(part=PART, terms=state.side.terms, character=state.side.character)]

    def on_answers(self, state: Extended, answers: Sequence[Answer]) -> Extended:
        return replace(state, rolls=tuple(map(rolled, answers)))

    def is_over(self, state: Extended) -> bool:
        return state.stage not in (ExtendedStage.ANNOUNCED, ExtendedStage.UNDER_WAY)

    def parties(self, state: Extended) -> Parties:
        return {PART.name: (state.side.name, state.side.character)}


# An opposed action: two sides roll, and more successes win; once, or until one is far enough ahead. The text has none: our
# decision.


SIDES: Final = ("a", "b")
"""The side that acts and the side that resists."""


class OnTie(StrEnum):
    DEFENDER = "defender"
    AGAIN = "again"


class Until(StrEnum):
    """Names what decides it."""

    ONCE = "once"
    FIRST = "first"
    """The side that first has `goal` successes in all wins."""
    MARGIN = "margin"
    """The side that is first `goal` successes ahead wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One roll of each side, as far as they have rolled; successes are compared once both have."""

    a: Rolled | None = None
    b: Rolled | None = None

    @property
    def is_whole(self) -> bool:
        return self.a is not None and self.b is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposed:
    """`a` acts and `b` resists. `goal` (1 to 50) counts where it is not decided at `once`."""

    a: Side
    b: Side
    on_tie: OnTie = OnTie.DEFENDER
    until: Until = Until.ONCE
    goal: int = 5
    exchanges: tuple[Exchange, ...] = ()
    announced: bool = False
    """Whether a player announced it and a GM has yet to set it."""
    withdrawn: bool = False
    dice: tuple[int, ...] = (0, 0)
    """The dice that either side would roll now; 0 if unknown."""
    open: tuple[bool, ...] = (True, True)
    """Whether everyone may know the dice of either side."""

    def __post_init__(self) -> None:
        word("on_tie", self.on_tie, OnTie)
        word("until", self.until, Until)
        whole("goal", self.goal, 1, MOST_SUCCESSES)
        if self.a.character and self.a.character == self.b.character:
            message = _("{name} can’t be on both sides.").format(name=self.a.called)
            raise NotPossible("b_character", self.b.name, allowed="somebody else", message=message)

    def total(self, side: str, exchanges: int | None = None) -> int:
        """Return the successes of a side in its exchanges that are whole, or the first of these."""
        return sum(getattr(exchange, side).successes for exchange in self.exchanges[:exchanges] if exchange.is_whole)

    @property
    def decided(self) -> tuple[str, int, int] | None:
        """Return (who wins, "a" or "b", by how many successes, after how many exchanges); None while it goes on."""
        for number, exchange in enumerate(self.exchanges, start=1):
            if not exchange.is_whole:
                return None
            a, b = (self.total(side, number) for side in SIDES)
            if self._reached(a, b) and (a != b or self.on_tie is OnTie.DEFENDER):
                return ("a" if a > b else "b"), abs(a - b), number
        return None

    def _reached(self, a: int, b: int) -> bool:
        """Return whether these successes decide; a tie does not if one side has to be ahead."""
        if self.until is Until.ONCE:
            return True
        return max(a, b) >= self.goal if self.until is Until.FIRST else abs(a - b) >= self.goal

    @property
    def now(self) -> Exchange:
        """Return the current, incomplete exchange."""
        return self.exchanges[self.number - 1] if self.number <= len(self.exchanges) else Exchange()

    @property
    def number(self) -> int:
        """Return the number of the exchange that is rolled now, from 1 up."""
        open_ones = (number for number, exchange in enumerate(self.exchanges, start=1) if not exchange.is_whole)
        return next(open_ones, len(self.exchanges) + 1)


def _opposed_is_announced(state: Opposed) -> bool:
    return state.announced and not state.withdrawn


def _acts(state: Opposed) -> Sequence[str]:
    """Return the side that acts, as long as it may call it off."""
    return ["a"] if _opposed_is_announced(state) else []


class OpposedRules(ProcedureRules[Opposed]):
    """A GM sets what a player has announced, who may take it back; from then on there is nothing to do but to roll."""

    state = Opposed

    @act(SET, when=_opposed_is_announced, asks=True)
    def set_terms(self, state: Opposed, step: Act) -> Opposed:
        values = dict(step.values)
        a, b = (replace(getattr(state, side), **values.pop(side)) for side in SIDES)
        return replace(state, a=a, b=b, **values, announced=False)

    @act(WITHDRAW, by=player_of(lambda state, side: state.a.character), each=_acts)
    def withdraw(self, state: Opposed, step: Act, side: str) -> Opposed:
        return replace(state, withdrawn=True)

    def requests(self, state: Opposed) -> Sequence[Asked]:
        """Return the roll of each side in this exchange."""
        if state.decided or state.announced or state.withdrawn:
            return ()
        return [
            Asked(part=RollPart(name, str(state.number)), terms=side.terms, character=side.character)
            for name, side in (("a", state.a), ("b", state.b))
            if getattr(state.now, name) is None
        ]

    def waiting(self, state: Opposed) -> Sequence[tuple[str, str]]:
        if _opposed_is_announced(state):
            return [("", _("to set the terms"))]
        return [(asked.part.name, _("to roll")) for asked in self.requests(state)]

    def on_answers(self, state: Opposed, answers: Sequence[Answer]) -> Opposed:
        """Return the exchanges in order; one with a voided roll waits for it, and so do those after it."""
        exchanges: dict[int, Exchange] = {}
        for answer in answers:
            number = int(answer.part.of)
            before = exchanges.get(number, Exchange())
            exchanges[number] = replace(before, **{answer.part.name: rolled(answer)})
        last = max(exchanges, default=0)
        return replace(state, exchanges=tuple(exchanges.get(number, Exchange()) for number in range(1, last + 1)))

    def is_over(self, state: Opposed) -> bool:
        return state.withdrawn or state.decided is not None

    def parties(self, state: Opposed) -> Parties:
        return {"a": (state.a.name, state.a.character), "b": (state.b.name, state.b.character)}

    def shown(self, state: Opposed) -> Opposed:
        """Leave out the dice of those whose sheets are not for all."""
        known = tuple(dice if free else 0 for dice, free in zip(state.dice, state.open, strict=True))
        return replace(state, dice=known)
