"""Ticks of a staged action whose clock was archived before they came: the GM says where they go, and until then they are not
lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rolls.rules.acts import Actor
from rolls.rules.effects import Effect, NewClock, StepResult
from rolls.rules.function_procedures import Act
from rulesets.forged.rules.action_after import advance, held
from rulesets.forged.rules.action_follows import clock_of, with_inflicted
from rulesets.forged.rules.action_state import Action, Stage
from rulesets.forged.rules.moves import Move, by_gm

MOVE_TICKS: Final = "move_ticks"
EFFECT: Final = ""
"""Whose ticks they are: those of the action itself, or of a consequence by its key."""


def _lost(state: Action) -> Iterator[str]:
    if held(state) or (state.clock_gone and state.stage in (Stage.SET, Stage.CHOICE, Stage.FOLLOWS)):
        yield EFFECT
    yield from (one.key for one in state.open if one.clock_gone)


def _move(state: Action, who: Actor, act: Act) -> StepResult[Action]:
    """To a clock that runs, to a new one, or nowhere."""
    to = clock_of(act.values)
    one = state.inflicted_as(act.whom)
    if one is not None:
        words = one.words or ("" if to["clock"] else one.clock_name)
        return StepResult(with_inflicted(state, replace(one, **to, words=words, clock_gone=False)))
    moved = replace(state, clock=to["clock"], clock_name=to["clock_name"], clock_gone=False, met="")
    done = advance(moved)
    return StepResult(done.state, [*_new(to), *done.effects])


def _new(to: dict[str, object]) -> Iterator[Effect]:
    if to["segments"]:
        yield NewClock(
            clock=str(to["clock"]),
            name=str(to["clock_name"]),
            segments=int(str(to["segments"])),
            kind="progress",
            filled=int(str(to["filled"])),
        )


MOVES: Final = {MOVE_TICKS: Move(there=_lost, by=by_gm, do=_move, asks=True)}
