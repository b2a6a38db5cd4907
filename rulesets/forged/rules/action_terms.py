"""What a step of a staged action commits to, as others may change it meanwhile (AvailableAct.terms)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.forged.rules.action_state import Action


def as_set(state: Action, whom: str) -> tuple[Any, ...]:
    """What the GM has said of it."""
    said = (
        state.position,
        state.base,
        state.potency,
        state.quality,
        state.scale,
        state.ability,
        state.why,
        state.spared,
    )
    return (state.stage, *said, state.clock, state.tokens)


def as_rolled(state: Action, whom: str) -> tuple[Any, ...]:
    """All that bears on one's own dice; an offer that lapses with them, too."""
    own = next(one for one in state.participants if one.character == whom)
    agreed = (state.trade, state.traded, state.bargain, state.bargained, state.gambit)
    return (*as_set(state, whom), *agreed, replace(own, ready=False))


def as_traded(state: Action, whom: str) -> tuple[Any, ...]:
    return (*as_set(state, whom), state.trade, state.trade_by)


def as_bargained(state: Action, whom: str) -> tuple[Any, ...]:
    return (state.bargain, state.bargain_by)


def as_gambled(state: Action, whom: str) -> tuple[Any, ...]:
    return (state.gambit,)


def push_as_it_is(state: Action, whom: str) -> tuple[Any, ...]:
    """It is turned on, or off again."""
    character, push = whom.split(".")
    return tuple(getattr(one, f"push_{push}") for one in state.participants if one.character == character)


def as_it_hits(state: Action, whom: str) -> tuple[Any, ...]:
    one = state.inflicted_as(whom.partition(".")[0])
    return (one,) if one else ()
