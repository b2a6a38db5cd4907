"""What the ledger says of what players of the forged rules claim, drawn from what is told of it (claims.py)."""

from __future__ import annotations

from typing import Final

from characters.advancement import Told
from rulesets.forged.rules.harm import FATAL

GROUP: Final = "group"
"""Why stress is marked, where it is no flashback."""


def trauma(payload: Told) -> str:
    after = "it was the last, and they retire" if payload["retired"] else "they are out of this"
    return f"Trauma: {payload['trauma']}, and the stress is cleared; {after}"


def harm(payload: Told) -> str:
    words, row = f"Harm {payload['level']}: {payload['name']}", payload["row"]
    if row == FATAL:
        return f"{words}, fatal or as good as that"
    return f"{words}, written as {row} since what is below is full" if row > payload["level"] else words


def recovery(payload: Told) -> str:
    down = payload["down"]
    after = f"; every harm comes down {'a level' if down == 1 else f'{down} levels'}" if down else ""
    return f"Recovery, {payload['ticks']} on the healing clock{after}"


def vice(payload: Told) -> str:
    done = "indulged" if payload["indulged"] else "left alone"
    over = "; overindulged" if payload["over"] else ""
    return f"The vice was {done}: stress {payload['before']} to {payload['after']}{over}"


def stress(payload: Told) -> str:
    return f"{payload['stress']} stress for {'a group action' if payload['why'] == GROUP else 'a flashback'}"


def heat(payload: Told) -> str:
    raised = f"; the wanted level is {payload['wanted']}" if payload["wanted"] is not None else ""
    return f"{payload['added']} heat, now {payload['heat']}{raised}"


def payoff(payload: Told) -> str:
    return f"{payload['rep']} rep and {payload['coin']} coin; what a track has no room for is theirs to place"
