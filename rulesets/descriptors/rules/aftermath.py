"""What follows from a contest, each of it once (descriptors.txt, "What does success do?"): the winner may make a Scene
Descriptor, the loser crosses off a box or takes an Injury, a stalemate is the GM's to settle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from characters.reasons import Reason
from characters.sheets.steps import Add, Put, Step
from rolls.rules.effects import Begin, Write
from rolls.rules.errors import NotPossible
from rolls.rules.procedures import Act, Actor, AvailableAct
from rulesets.descriptors.rules.corrections import SCENE_DESCRIPTOR
from rulesets.descriptors.rules.filling import LONGEST_NAME, Decisions, Side
from rulesets.descriptors.rules.power import Track, box_of, hit, may_take_injury
from rulesets.descriptors.rules.states import Fund
from rulesets.descriptors.sheet import MOST_DICE, power_box

MAKE, MAKE_NONE, CROSS, INJURE, BUMP, SHIFT = "make", "make_none", "cross", "injure", "bump", "shift"
LOST: Final = Reason("lost_roll", "a lost roll")
LONGEST_SHIFT: Final = 200


class Made(StrEnum):
    """What the winner makes of the successes."""

    OPEN = "open"
    MADE = "made"
    NOTHING = "nothing"


class Hit(StrEnum):
    """What the loser takes."""

    OPEN = "open"
    BOX = "box"
    INJURY = "injury"
    BOTH = "both"
    NOBODY = "nobody"
    """There is no sheet to write it on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Falls:
    """What falls on the loser as their Power track is now: `box` (None where no higher one is free), `injury` dice that come
    with it (0 for none), whether that puts them `out`; and the dice of the Injury that they may choose `instead` (0: they may
    not). `gone` is the box that was hit, where it is crossed off already."""

    box: int | None
    injury: int
    out: bool
    instead: int
    gone: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """A contest that was rolled: the faces of both, the key of the side that `won` ("" in a stalemate), and what came of it."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    won: str
    successes: int
    target: int | None
    made: Made = Made.OPEN
    made_name: str = ""
    hit: Hit = Hit.OPEN
    falls: Falls | None = None
    injury_name: str = ""
    shifted: str = ""

    @property
    def settled(self) -> bool:
        if not self.won:
            return bool(self.shifted)
        return self.made is not Made.OPEN and self.hit is not Hit.OPEN


def fallen(after: After, fund: Fund | None, decisions: Decisions) -> After:
    """What falls on the loser who has this sheet (None: no sheet of these rules), as long as that is open."""
    if after.hit is not Hit.OPEN or not after.won:
        return after
    if fund is None:
        return replace(after, hit=Hit.NOBODY, falls=None)
    return replace(after, falls=falls_on(fund, after.successes, decisions))


def falls_on(fund: Fund, successes: int, decisions: Decisions) -> Falls:
    """By the length and the boxes of their own track; an Injury on a sheet has 20 dice at most."""
    settings, track = decisions.settings, Track(fund.boxes, frozenset(fund.crossed))
    taken = hit(track, successes, settings=settings)
    instead = successes if may_take_injury(track, successes, settings) else 0
    return Falls(
        box=taken.box,
        injury=min(taken.injury, MOST_DICE),
        out=taken.out,
        instead=min(instead, MOST_DICE),
        gone=box if (box := box_of(track, successes)) in track.crossed else None,
    )


def offers(after: After, winner: Side | None, loser: Side | None, who: Actor) -> Iterator[AvailableAct]:
    if not after.won and not after.shifted and who.is_gm:
        yield AvailableAct(SHIFT)
    if winner and after.made is Made.OPEN and who.plays(winner.character):
        yield AvailableAct(MAKE, winner.key, (after.successes,))
        yield AvailableAct(MAKE_NONE, winner.key)
    if loser and after.hit is Hit.OPEN and after.falls and who.plays(loser.character):
        yield AvailableAct(BUMP if after.falls.injury else CROSS, loser.key, (after.falls,))
        if after.falls.instead:
            yield AvailableAct(INJURE, loser.key, (after.falls.instead,))


def waits(after: After, winner: Side | None, loser: Side | None) -> Iterator[tuple[str, str]]:
    if not after.won and not after.shifted:
        yield "", "to shift the situation"
    if winner and after.made is Made.OPEN:
        yield winner.key, "to make a Scene Descriptor, or none"
    if loser and after.hit is Hit.OPEN and after.falls:
        yield loser.key, "to choose a box or an Injury" if after.falls.instead else "to take what falls on them"


def settle(
    after: After, winner: Side | None, loser: Side | None, act: Act, *, in_scene: bool
) -> tuple[After, list[Write | Begin]]:
    """One of the choices. `act.values` has the `name` of what is made, or `words` for how the situation shifts. Once the scene
    has ended nobody is put out of it any more.

    Raises NotPossible for what the rules do not let follow, or not any more.
    """
    if act.name == SHIFT and not after.won and not after.shifted:
        return replace(after, shifted=_named(act, "words", LONGEST_SHIFT)), []
    if act.name in (MAKE, MAKE_NONE) and winner and act.whom == winner.key and after.made is Made.OPEN:
        return _made(after, winner, act)
    falls = after.falls
    if loser is None or act.whom != loser.key or after.hit is not Hit.OPEN or falls is None:
        raise NotPossible("act", act.name, allowed="what is open", message="That has been settled already.")
    out: list[Step] = [Put("out_of_scene", to=True)] if falls.out and in_scene else []
    if act.name == INJURE and falls.instead:
        name = _named(act, "name", LONGEST_NAME)
        return replace(after, hit=Hit.INJURY, injury_name=name), [_hurt(loser, [_injury(name, falls.instead)])]
    if act.name == CROSS and falls.box and not falls.injury:
        return replace(after, hit=Hit.BOX), [_hurt(loser, [Put(power_box(falls.box), to=True), *out])]
    if act.name == BUMP and falls.injury:
        box: list[Step] = [Put(power_box(falls.box), to=True)] if falls.box else []
        name = _named(act, "name", LONGEST_NAME)
        steps = [*box, _injury(name, falls.injury), *out]
        return replace(after, hit=Hit.BOTH, injury_name=name), [_hurt(loser, steps)]
    raise NotPossible("act", act.name, allowed="what is shown", message="By the rules there is no such choice here.")


def _made(after: After, winner: Side, act: Act) -> tuple[After, list[Write | Begin]]:
    if act.name == MAKE_NONE:
        return replace(after, made=Made.NOTHING), []
    name = _named(act, "name", LONGEST_NAME)
    given = {"name": name, "dice": after.successes, "made_by": winner.character, "made_by_name": winner.name}
    return replace(after, made=Made.MADE, made_name=name), [Begin(kind=SCENE_DESCRIPTOR, given=given)]


def _hurt(loser: Side, steps: list[Step]) -> Write:
    return Write(character=loser.character or "", steps=tuple(steps), why=LOST)


def _injury(name: str, dice: int) -> Add:
    return Add("injuries", {"name": name, "dice": dice})


def _named(act: Act, field: str, longest: int) -> str:
    text = " ".join(str(act.values.get(field, "")).split())
    if not 1 <= len(text) <= longest:
        raise NotPossible(
            field, text, allowed=f"1 to {longest} characters", message=f"Say it in up to {longest} characters."
        )
    return text
