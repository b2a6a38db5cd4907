"""A contest from its opening to what follows: both fill their pools, are ready, all dice fall, and each choice that the rules
leave is settled once (descriptors.txt, from "Roll dice pools" to "you're out of the scene")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from campaigns.schema import Code, Name
from characters.reasons import Reason
from characters.sheets.steps import Add, Put, Step
from languages.text import gettext, gettext_lazy
from rules.acts import act, player_of
from rules.checked import restored
from rules.dice import LARGEST_POOL
from rules.effects import Begin, StepResult, Write
from rules.errors import NotPossible, whole
from rules.procedures import Act, Answer, RollPart, Snapshot, Values
from rulesets.descriptors.rules.filling import (
    LONGEST_NAME,
    SCENE_DESCRIPTOR,
    Filling,
    FillingRules,
    Side,
    dice_now,
    funds_now,
    pools_now,
    without_funds,
)
from rulesets.descriptors.rules.will import Fund, blocked
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import MOST_DICE, power_box

# What follows from a contest, each of it once (descriptors.txt, "What does success do?"): the winner may make a Scene
# Descriptor, the loser crosses off a box or takes an Injury, the GM settles a stalemate.


MAKE, MAKE_NONE, CROSS, INJURE, BUMP, SHIFT = "make", "make_none", "cross", "injure", "bump", "shift"
LOST: Final = Reason("lost_roll", gettext_lazy("a lost roll"))
LONGEST_SHIFT: Final = 200


class Made(StrEnum):
    """What the winner makes of the successes."""

    OPEN = "open"
    MADE = "made"
    NOTHING = "nothing"


class Hit(StrEnum):
    """Names what the loser takes."""

    OPEN = "open"
    BOX = "box"
    INJURY = "injury"
    BOTH = "both"
    NOBODY = "nobody"
    """There is no sheet to write on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Falls:
    """Holds what falls on the loser as their Power track is now: `box` (None where no higher one is free), `injury` dice that
    come with it (0 for none), whether that puts them `out`; and the dice of the Injury that they may choose `instead` (0: they
    may not). `gone` is the box that was hit, where it is crossed off already."""

    box: int | None
    injury: int
    out: bool
    instead: int
    gone: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """A rolled contest: the faces of both, the key of the side that `won` ("" in a stalemate), and what followed."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    won: Code
    successes: int
    target: int | None
    made: Made = Made.OPEN
    made_name: Name = ""
    hit: Hit = Hit.OPEN
    falls: Falls | None = None
    injury_name: Name = ""
    shifted: Name = ""

    @property
    def settled(self) -> bool:
        if not self.won:
            return bool(self.shifted)
        return self.made is not Made.OPEN and self.hit is not Hit.OPEN


def falls_on(fund: Fund, successes: int, settings: Settings) -> Falls:
    """Return what a lost roll does to a character (descriptors.txt, "Third, the loser crosses off the box").

    A free box is crossed off, or the loser may take an Injury of as many dice as successes instead. If the box is
    already crossed off, the next higher free one is, and an Injury of its number is added; without a free one there is
    only an Injury of the last box's number. Crossing off the last box puts the loser out of the scene. An Injury on a
    sheet has 20 dice at most. Raises OutOfRange for anything but 1 to 100 successes.
    """
    crossed = fund.crossed
    # More successes than there are boxes hit the last one (our decision).
    hit = min(whole("successes", successes, 1, LARGEST_POOL), fund.boxes)
    higher = (box for box in range(hit + 1, fund.boxes + 1) if box not in crossed)
    box = hit if hit not in crossed else next(higher, None)
    chosen = settings.excess_may_be_injury or successes <= fund.boxes
    instead = successes if chosen and (hit not in crossed or settings.injury_instead_of_bump) else 0
    return Falls(
        box=box,
        injury=0 if box == hit else min(box or fund.boxes, MOST_DICE),
        out=box == fund.boxes if box else settings.full_track_puts_out,
        instead=min(instead, MOST_DICE),
        gone=hit if hit in crossed else None,
    )


def waits(after: After, winner: Side | None, loser: Side | None) -> Iterator[tuple[str, str]]:
    if not after.won and not after.shifted:
        yield "", gettext("to shift the situation")
    if winner and after.made is Made.OPEN:
        yield winner.key, gettext("to make a Scene Descriptor, or none")
    if loser and after.hit is Hit.OPEN and after.falls:
        yield loser.key, gettext("to choose a box or an Injury") if after.falls.instead else gettext("to take the hit")


def hurt(loser: Side, steps: Sequence[Step]) -> Write:
    return Write(character=loser.character or "", steps=tuple(steps), why=LOST)


def injury(name: str, dice: int) -> Add:
    return Add("injuries", {"name": name, "dice": dice})


def typed(step: Act, field: str, longest: int) -> str:
    """Return the text typed into a field, on one line. Raises NotPossible if it is empty or too long."""
    text = " ".join(str(step.values.get(field, "")).split())
    if not 1 <= len(text) <= longest:
        message = gettext("Write up to {count} characters.").format(count=longest)
        raise NotPossible(field, text, allowed=f"1 to {longest} characters", message=message)
    return text


CALL_OFF: Final = "call_off"
FALLS: Final = "falls"
"""The news that something else falls on the loser than the card of the roll has said."""


class ContestStage(StrEnum):
    FILLING = "filling"
    AFTER = "after"
    CALLED_OFF = "called_off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest(Filling):
    """A contest of two sides, "a" and "b"; the first is a character, who makes the roll. `after` is the aftermath of the roll.

    `scene_over`: the scene in which it began has ended, so nobody can be put out of it any more.
    """

    stage: ContestStage = ContestStage.FILLING
    after: After | None = None
    scene_over: bool = False

    @property
    def filled_now(self) -> tuple[Side, ...]:
        return self.sides if self.stage is ContestStage.FILLING else ()

    @property
    def winner(self) -> Side | None:
        return self.side(self.after.won) if self.after and self.after.won else None

    @property
    def loser(self) -> Side | None:
        winner = self.winner
        return self.other(winner) if winner else None


def _let_in(side: Side, *, override: bool) -> Side:
    block = side.fund.block if side.fund else None
    if block is None:
        return side
    if not override:
        raise blocked(side.name, block)
    return replace(side, allowed=True)


def ready(state: Contest) -> bool:
    """Return whether all dice may fall."""
    return state.stage is ContestStage.FILLING and all(side.ready for side in state.sides)


def _fallen(state: Contest, outcome: Mapping[str, Any]) -> Contest:
    faces = {key: tuple(die["face"] for die in outcome["dice"] if die["side"] == key) for key in "ab"}
    after = After(
        a=faces["a"],
        b=faces["b"],
        won=outcome["winner"] or "",
        successes=outcome["successes"],
        target=outcome["target"],
    )
    state = replace(state, stage=ContestStage.AFTER, after=after)
    # From here on only what falls on the loser matters of any sheet, and that is for all to see.
    return replace(without_funds(state), after=_as_told(after, outcome.get("after") or {}) if after.won else after)


def _as_told(after: After, payload: Mapping[str, Any]) -> After:
    """Return the aftermath with the hit as the roll's card has it; for a card of 0.1.0, which said nothing of it, without one."""
    falls = restored(Falls, payload["falls"]) if payload.get("falls") else None
    return replace(after, falls=falls, hit=Hit.OPEN if falls else Hit.NOBODY)


def _settled(state: Contest, **after: Any) -> Contest:
    """Return the contest with its aftermath changed; earlier corrections are no news any more."""
    return replace(state, after=replace(state.after, **after) if state.after else None, news="", corrected=())


def _out(state: Contest) -> list[Step]:
    """Return the sheet step that puts the loser out of the scene, if it still goes on."""
    falls = _falls(state)
    return [Put("out_of_scene", to=True)] if falls and falls.out and not state.scene_over else []


def _hurt(before: Contest, after: Contest, steps: Sequence[Step]) -> StepResult[Contest]:
    return StepResult(after, [hurt(before.loser, steps)] if before.loser else [])


def _first_side(state: Contest) -> list[str]:
    return ["a"] if state.stage is ContestStage.FILLING else []


def _makes(state: Contest) -> list[str]:
    """Return the winner's key until they have chosen what to make of it; else []."""
    return [state.winner.key] if state.after and state.winner and state.after.made is Made.OPEN else []


def _falls(state: Contest) -> Falls | None:
    return state.after.falls if state.after and state.loser and state.after.hit is Hit.OPEN else None


def _hit_by(what: Callable[[Falls], object]) -> Callable[[Contest], list[str]]:
    """Return the loser, where this of what falls on them is anything."""
    return lambda state: [state.loser.key] if state.loser and (falls := _falls(state)) and what(falls) else []


def _successes(state: Contest, side: str) -> tuple[Any, ...]:
    return (state.after.successes,) if state.after else ()


def _all_that_falls(state: Contest, side: str) -> tuple[Any, ...]:
    return (_falls(state),)


def _instead(state: Contest, side: str) -> tuple[Any, ...]:
    falls = _falls(state)
    return (falls.instead,) if falls else ()


_owner = player_of(lambda state, side: state.side(side).character)


class ContestRules(FillingRules[Contest]):
    """Both fill their pools, all dice fall, and each choice that the rules leave is settled once."""

    state = Contest

    def start(self, given: Values) -> Contest:
        """Start from `given`: the `sides` (each the fields of a Side), the `decisions`, whether a GM overrides what
        keeps a character out (`override`), and the outcome of a roll that was already made (`fell`).

        Raises NotPossible for two equal sides, or one without a character; BlockedByState for a character whose state
        keeps them out.
        """
        sides = tuple(Side(key=key, **side) for key, side in zip("ab", given["sides"], strict=True))
        state = Contest(sides=sides, decisions=given["decisions"])
        if "fell" in given:
            return _fallen(state.weighed(), given["fell"])
        a, b = sides
        if a.character is None:
            message = gettext("Choose whose contest it is.")
            raise NotPossible("a_character", None, allowed="a character", message=message)
        if a.character == b.character:
            message = gettext("{name} can’t be on both sides.").format(name=a.name)
            raise NotPossible("b_character", b.name, allowed="somebody else", message=message)
        return replace(
            state, sides=tuple(_let_in(side, override=given.get("override", False)) for side in sides)
        ).weighed()

    @act(by=_owner, each=_first_side)
    def call_off(self, state: Contest, step: Act, side: str) -> Contest:
        return replace(state, stage=ContestStage.CALLED_OFF)

    @act(when=lambda state: state.after is not None and not state.after.won and not state.after.shifted, asks=True)
    def shift(self, state: Contest, step: Act) -> Contest:
        """Say how the situation shifts when nobody has won."""
        return _settled(state, shifted=typed(step, "words", LONGEST_SHIFT))

    @act(by=_owner, each=_makes, terms=_successes, asks=True)
    def make(self, state: Contest, step: Act, side: str) -> StepResult[Contest]:
        """Make a Scene Descriptor of the successes, with the `name` that it has."""
        name, winner = typed(step, "name", LONGEST_NAME), state.side(side)
        dice = state.after.successes if state.after else 0
        given = {"name": name, "dice": dice, "made_by": winner.character, "made_by_name": winner.name}
        return StepResult(_settled(state, made=Made.MADE, made_name=name), [Begin(kind=SCENE_DESCRIPTOR, given=given)])

    @act(by=_owner, each=_makes)
    def make_none(self, state: Contest, step: Act, side: str) -> Contest:
        return _settled(state, made=Made.NOTHING)

    @act(by=_owner, each=_hit_by(lambda falls: falls.injury), terms=_all_that_falls, asks=True)
    def bump(self, state: Contest, step: Act, side: str) -> StepResult[Contest]:
        """Take the Injury, with the `name` that it has, and cross off the box that is left, if any."""
        falls, name = _falls(state), typed(step, "name", LONGEST_NAME)
        box: list[Step] = [Put(power_box(falls.box), to=True)] if falls and falls.box else []
        steps = [*box, injury(name, falls.injury if falls else 0), *_out(state)]
        return _hurt(state, _settled(state, hit=Hit.BOTH, injury_name=name), steps)

    @act(by=_owner, each=_hit_by(lambda falls: falls.box and not falls.injury), terms=_all_that_falls)
    def cross(self, state: Contest, step: Act, side: str) -> StepResult[Contest]:
        falls = _falls(state)
        box: list[Step] = [Put(power_box(falls.box), to=True)] if falls and falls.box else []
        return _hurt(state, _settled(state, hit=Hit.BOX), [*box, *_out(state)])

    @act(by=_owner, each=_hit_by(lambda falls: falls.instead), terms=_instead, asks=True)
    def injure(self, state: Contest, step: Act, side: str) -> StepResult[Contest]:
        """Take an Injury, with the `name` that it has, instead of a box."""
        falls, name = _falls(state), typed(step, "name", LONGEST_NAME)
        steps = [injury(name, falls.instead if falls else 0)]
        return _hurt(state, _settled(state, hit=Hit.INJURY, injury_name=name), steps)

    def on_roll(self, state: Contest, answer: Answer) -> Contest:
        return _fallen(state, answer.outcome)

    def on_void(self, state: Contest, part: RollPart) -> Contest:
        """Return to the pools: both sides have to be ready again."""
        sides = tuple(replace(side, ready=False) for side in state.sides)
        return replace(state, stage=ContestStage.FILLING, after=None, sides=sides)

    def reads(self, state: Contest, seen: Snapshot) -> Contest:
        """While it is filled the pools are corrected, afterwards what falls on the loser."""
        if state.stage is ContestStage.FILLING:
            return dice_now(pools_now(state, seen), seen)
        if state.after is None or state.after.hit is not Hit.OPEN:
            return state
        now = funds_now(state, seen)
        loser = now.loser
        if loser is None or loser.fund is None:
            return state
        after = replace(state.after, falls=falls_on(loser.fund, state.after.successes, now.decisions))
        return replace(without_funds(now), after=after, news=FALLS if after.falls != state.after.falls else state.news)

    def at_scene_end(self, state: Contest) -> Contest:
        """Keep the hit on the loser open; a Scene Descriptor of this scene is not made any more. Those on the table are
        removed by `reads`.
        """
        if state.after is None:
            return state
        made = Made.NOTHING if state.after.made is Made.OPEN and state.after.won else state.after.made
        return replace(state, scene_over=True, after=replace(state.after, made=made))

    def waiting(self, state: Contest) -> Sequence[tuple[str, str]]:
        if state.stage is ContestStage.FILLING:
            return [entry for side in state.sides for entry in self.waits_of(state, side)]
        return list(waits(state.after, state.winner, state.loser)) if state.after else ()

    def is_over(self, state: Contest) -> bool:
        return state.stage is ContestStage.CALLED_OFF or (state.after is not None and state.after.settled)
