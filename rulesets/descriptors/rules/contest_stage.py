"""A contest from its opening to what follows: both fill their pools, are ready, all dice fall, and each choice that the rules
leave is settled once (descriptors.txt, from "Roll dice pools" to "you're out of the scene")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from rolls.rules.effects import StepResult
from rolls.rules.errors import NotPossible
from rolls.rules.procedures import Act, Actor, Answer, AvailableAct, Snapshot, Values
from rolls.rules.states import restored
from rulesets.descriptors.rules import aftermath, filling
from rulesets.descriptors.rules.aftermath import After, Falls, Hit, Made
from rulesets.descriptors.rules.corrections import dice_now, funds_now, pools_now
from rulesets.descriptors.rules.filling import Filling, Side
from rulesets.descriptors.rules.states import barred

CALL_OFF: Final = "call_off"
FALLS: Final = "falls"
"""The news that something else falls on the loser than the card of the roll has said."""


class Stage(StrEnum):
    FILLING = "filling"
    AFTER = "after"
    CALLED_OFF = "called_off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest(Filling):
    """Two sides, "a" and "b"; the first is a character, and is whose roll it will be. `after` is what came of the roll.

    `scene_over`: the scene in which it began has ended, so that nobody is put out of it any more.
    """

    stage: Stage = Stage.FILLING
    after: After | None = None
    scene_over: bool = False

    @property
    def winner(self) -> Side | None:
        return self.side(self.after.won) if self.after and self.after.won else None

    @property
    def loser(self) -> Side | None:
        winner = self.winner
        return self.other(winner) if winner else None


def start(given: Values) -> Contest:
    """`given`: the `sides` (of each the fields of a Side), the `decisions`, whether a GM lets in whom their state keeps out
    (`override`), and of a roll that has been made already its outcome (`fell`).

    Raises NotPossible for two sides that are one, or without a character; Barred for who is kept out.
    """
    sides = tuple(Side(key=key, **one) for key, one in zip("ab", given["sides"], strict=True))
    state = Contest(sides=sides, decisions=given["decisions"])
    if "fell" in given:
        return _fallen(state.weighed(), given["fell"])
    a, b = sides
    if a.character is None:
        message = "Say whose contest it is: choose a character."
        raise NotPossible("a_character", None, allowed="a character", message=message)
    if a.character == b.character:
        raise NotPossible("b_character", b.name, allowed="somebody else", message=f"{a.name} cannot be both sides.")
    return replace(state, sides=tuple(_let_in(one, override=given.get("override", False)) for one in sides)).weighed()


def _let_in(side: Side, *, override: bool) -> Side:
    bar = side.fund.bar if side.fund else None
    if bar is None:
        return side
    if not override:
        raise barred(side.name, bar)
    return replace(side, allowed=True)


def may(state: Contest, who: Actor) -> Sequence[AvailableAct]:
    """Owners fill their own side, a GM everybody's; a GM strikes what makes no sense."""
    if state.stage is Stage.FILLING:
        found = [offer for side in state.sides for offer in filling.offers(state, side, who)]
        off = [AvailableAct(CALL_OFF, "a")] if who.plays(state.sides[0].character) else []
        return [*found, *off]
    if state.after is None:
        return ()
    return list(aftermath.offers(state.after, state.winner, state.loser, who))


def act(state: Contest, who: Actor, act: Act) -> Contest | StepResult[Contest]:
    if state.stage is Stage.AFTER and state.after:
        after, effects = aftermath.settle(state.after, state.winner, state.loser, act, in_scene=not state.scene_over)
        return StepResult(replace(state, after=after, news="", corrected=()), effects)
    if state.stage is Stage.CALLED_OFF:
        raise NotPossible("act", act.name, allowed="nothing", message="This contest was called off.")
    if act.name == CALL_OFF:
        return replace(state, stage=Stage.CALLED_OFF)
    return filling.filled(state, who, act)


def ready(state: Contest) -> bool:
    """Whether all dice may fall."""
    return state.stage is Stage.FILLING and all(one.ready for one in state.sides)


def fell(state: Contest, answer: Answer) -> Contest:
    return _fallen(state, answer.outcome)


def _fallen(state: Contest, outcome: Mapping[str, Any]) -> Contest:
    faces = {key: tuple(die["face"] for die in outcome["dice"] if die["side"] == key) for key in "ab"}
    after = After(
        a=faces["a"],
        b=faces["b"],
        won=outcome["winner"] or "",
        successes=outcome["successes"],
        target=outcome["target"],
    )
    state = replace(state, stage=Stage.AFTER, after=after)
    # From here on only what falls on the loser matters of any sheet, and that is for all to see.
    return replace(shown(state), after=_as_told(state, after, outcome.get("after") or {}))


def _as_told(state: Contest, after: After, told: Mapping[str, Any]) -> After:
    """With what falls on the loser as the card of the roll says it; older rolls do not, so that their sheet is asked."""
    if "falls" not in told:
        return aftermath.fallen(after, state.loser.fund if state.loser else None, state.decisions)
    falls = restored(Falls, told["falls"]) if told["falls"] else None
    return replace(after, falls=falls, hit=Hit.OPEN if falls else Hit.NOBODY)


def voided(state: Contest, part: str) -> Contest:
    """Both have to be ready anew."""
    sides = tuple(replace(one, ready=False) for one in state.sides)
    return replace(state, stage=Stage.FILLING, after=None, sides=sides)


def reads(state: Contest, seen: Snapshot) -> Contest:
    """While it is filled the pools are corrected, afterwards what falls on the loser."""
    if state.stage is Stage.FILLING:
        return dice_now(pools_now(state, seen), seen)
    if state.after is None or state.after.hit is not aftermath.Hit.OPEN:
        return state
    now = funds_now(state, seen)
    loser = now.loser
    if loser is None or loser.fund is None:
        return state
    after = aftermath.fallen(state.after, loser.fund, now.decisions)
    return replace(shown(now), after=after, news=FALLS if after.falls != state.after.falls else state.news)


def at_scene_end(state: Contest) -> Contest:
    """What falls on the loser stays open; a Scene Descriptor would have been one of this scene, and is not made any more. What
    lay on the table is gone by itself (`reads`)."""
    if state.after is None:
        return state
    made = Made.NOTHING if state.after.made is Made.OPEN and state.after.won else state.after.made
    return replace(state, scene_over=True, after=replace(state.after, made=made))


def waiting(state: Contest) -> Sequence[tuple[str, str]]:
    if state.stage is Stage.FILLING:
        return [one for side in state.sides for one in filling.waits(state, side)]
    return list(aftermath.waits(state.after, state.winner, state.loser)) if state.after else ()


def is_over(state: Contest) -> bool:
    return state.stage is Stage.CALLED_OFF or (state.after is not None and state.after.settled)


def played(state: Filling) -> Sequence[str]:
    return [one.character for one in state.sides if one.character]


def shown(state: Contest) -> Contest:
    """Nobody's Will or Power track, beyond what is paid and crossed off."""
    return replace(state, sides=tuple(replace(one, fund=None) for one in state.sides))


def party(state: Filling, whom: str) -> tuple[str, str | None]:
    """Of a side its name and character; of a Descriptor in a pool what it is called. Of what is there no more, nothing."""
    side = next((one for one in state.sides if one.key == whom[:1]), None)
    if side is None:
        return "", None
    if len(whom) == 1:
        return side.name, side.character
    name = next((f"{one.name} {one.dice}D" for one in side.used if one.key == whom), "")
    return name, None
