"""Recovery: its bearer or others make rolls against an Injury, each against its own dice as they are then (descriptors.txt, "You
make a Recovery roll against an Injury")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, Final

from campaigns.schema import Code, Name, Uid
from characters.reasons import Reason
from characters.sheets.fields import RowGone
from characters.sheets.steps import Put, Shift, Step, Take
from languages.text import gettext, gettext_lazy
from rules.acts import Actor, act
from rules.effects import StepResult, Write
from rules.errors import NotPossible
from rules.procedures import Act, Answer, RollPart, Snapshot, Values
from rulesets.descriptors.rules.filling import Filling, FillingRules, RowSource, Side, pools_now
from rulesets.descriptors.rules.will import blocked
from rulesets.descriptors.sheet import INJURIES, SHEET

LEAVE: Final = "leave"
MOST_HELPERS: Final = 8
BEARER_GAIN: Final = 1
"""Will for the bearer of an Injury that withstood a recovery roll, in campaigns that pay it."""
KEYS: Final = "abcdefgh"
RECOVERY: Final = Reason("recovery", gettext_lazy("a recovery roll"))


class Ended(StrEnum):
    NOT_YET = ""
    MENDED = "mended"
    """The Injury is gone by these rolls."""
    TRIED = "tried"
    """All have rolled, or left it."""
    GONE = "gone"
    """The Injury went otherwise, or who bears it left play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Injury:
    """The row `row` of the sheet of `character`, who is `bearer`; its name and its dice, 0 once it is gone. `pays`: its
    bearer has a fund of Will that may gain.
    """

    character: Uid
    bearer: Name
    row: Code
    name: Name
    dice: int
    pays: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """A recovery roll that was made: whose (`side`), how many `successes` (0: the Injury withstood), the dice that are `left`."""

    side: Code
    successes: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery(Filling):
    """Each of the `sides` is one who helps, and rolls once, when they are ready; `rolled` are those rolls in their order."""

    TOGETHER: ClassVar[bool] = False

    injury: Injury
    rolled: tuple[Rolled, ...] = ()
    ended: Ended = Ended.NOT_YET

    @property
    def filled_now(self) -> tuple[Side, ...]:
        return self.trying if self.ended is Ended.NOT_YET else ()

    @property
    def opposed(self) -> str:
        return str(RowSource(self.injury.character, INJURIES.name, self.injury.row))

    def seen_with(self, side: Side) -> tuple[Any, ...]:
        """Return the pools, and the dice that the Injury has, against which who is ready rolls."""
        return (*super(Recovery, self).seen_with(side), self.injury.dice)

    @property
    def trying(self) -> tuple[Side, ...]:
        """Return the sides that have not rolled yet."""
        done = {roll.side for roll in self.rolled}
        return tuple(side for side in self.sides if side.key not in done)


def _ended(state: Recovery) -> Recovery:
    if state.injury.dice == 0:
        return replace(state, ended=Ended.MENDED)
    return state if state.trying else replace(state, ended=Ended.TRIED)


def ready(state: Recovery) -> Side | None:
    """Return the side that rolls now; None if none is ready."""
    return next((side for side in state.filled_now if side.ready), None)


def _steps(state: Recovery, *, won: bool, left: int) -> tuple[Step, ...]:
    if not won:
        pays = state.decisions.recovery_pays_bearer and state.injury.pays
        return (Shift("will", BEARER_GAIN),) if pays else ()
    if left:
        return (Put(f"injuries/{state.injury.row}/dice", left),)
    return (Take("injuries", state.injury.row),)


def _trying_now(state: Recovery, seen: Snapshot) -> Recovery:
    """Return the recovery with the pools that are not rolled yet as they are now; rolled ones stay."""
    now = pools_now(replace(state, sides=state.trying), seen)
    now_by_key = {side.key: side for side in now.sides}
    return replace(now, sides=tuple(now_by_key.get(side.key, side) for side in state.sides))


def _may_leave(state: Recovery, who: Actor, key: str) -> bool:
    """They who help, the bearer and a GM."""
    return who.plays(state.side(key).character) or who.plays(state.injury.character)


class RecoveryRules(FillingRules[Recovery]):
    """Helpers fill their own pools; they, the bearer and a GM may remove them."""

    state = Recovery

    def start(self, given: Values) -> Recovery:
        """Start from `given`: `injury` (the fields of an Injury), the `sides` (each the fields of a Side), the
        `decisions`, `override`.

        Raises NotPossible for no helpers or too many, BlockedByState for a character whose state keeps them out.
        """
        if not 1 <= len(given["sides"]) <= MOST_HELPERS:
            message = gettext("Choose who rolls against the Injury: 1 to {count} people.").format(count=MOST_HELPERS)
            raise NotPossible("helpers", len(given["sides"]), allowed=f"1 to {MOST_HELPERS}", message=message)
        sides = tuple(Side(key=key, **side) for key, side in zip(KEYS, given["sides"], strict=False))
        for side in sides:
            block = side.fund.block if side.fund else None
            if block and not given.get("override", False):
                raise blocked(side.name, block)
        sides = tuple(replace(side, allowed=bool(side.fund and side.fund.block)) for side in sides)
        return Recovery(sides=sides, decisions=given["decisions"], injury=Injury(**given["injury"])).weighed()

    @act(by=_may_leave, each=lambda state: [side.key for side in state.filled_now])
    def leave(self, state: Recovery, step: Act, key: str) -> Recovery:
        return _ended(replace(state, sides=tuple(side for side in state.sides if side.key != key)))

    def on_roll(self, state: Recovery, answer: Answer) -> StepResult[Recovery]:
        """Take one die off the Injury for each success. A lost roll and a stalemate do nothing, except that the bearer
        gains Will if the campaign decided so.
        """
        won = answer.outcome["winner"] == "a"
        successes = min(state.injury.dice, answer.outcome["successes"]) if won else 0
        left = state.injury.dice - successes
        rolled = Rolled(side=answer.part.name, successes=successes, left=left)
        after = replace(state, injury=replace(state.injury, dice=left), rolled=(*state.rolled, rolled))
        steps = _steps(state, won=won, left=left)
        effects = [Write(character=state.injury.character, steps=steps, why=RECOVERY)] if steps else []
        return StepResult(_ended(after), effects)

    def on_void(self, state: Recovery, part: RollPart) -> Recovery:
        """Return to the pool of who rolled: they have to be ready again."""
        sides = tuple(replace(side, ready=False) if side.key == part.name else side for side in state.sides)
        return replace(state, sides=sides, ended=Ended.NOT_YET)

    def reads(self, state: Recovery, seen: Snapshot) -> Recovery:
        """Return the state with the Injury as it is now; one that is gone ends it."""
        if self.is_over(state):
            return state
        now, sheet = _trying_now(state, seen), seen.sheets.get(state.injury.character)
        if sheet is None or sheet.system != SHEET.name:
            return replace(now, ended=Ended.GONE)
        try:
            row = SHEET.row(sheet.values, "injuries", state.injury.row)
        except RowGone:
            return replace(now, ended=Ended.GONE)
        injury = replace(state.injury, bearer=sheet.name, name=row["name"], dice=row["dice"])
        if injury.dice != state.injury.dice:
            now = replace(now, sides=tuple(replace(side, ready=False) for side in now.sides))
            now = replace(now, news=now.news or "pool", corrected=(*now.corrected, injury.name))
        return replace(now, injury=injury)

    def waiting(self, state: Recovery) -> Sequence[tuple[str, str]]:
        return () if self.is_over(state) else [entry for side in state.trying for entry in self.waits_of(state, side)]

    def is_over(self, state: Recovery) -> bool:
        return state.ended is not Ended.NOT_YET

    def played(self, state: Recovery) -> Sequence[str]:
        return list(
            dict.fromkeys([state.injury.character, *(side.character for side in state.sides if side.character)])
        )
