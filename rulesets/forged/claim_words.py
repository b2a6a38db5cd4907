"""What the ledger says of what players of the forged rules claim, drawn from what is told of it (claims.py)."""

from __future__ import annotations

from typing import Final

from characters.advancement import Told
from rulesets.forged.rules.harm import FATAL

GROUP: Final = "group"
"""Why stress is marked, where it is no flashback."""


def trauma(told: Told) -> str:
    after = "it was the last, and they retire" if told["retired"] else "they are out of this"
    return f"Trauma: {told['trauma']}, and the stress is cleared; {after}"


def harm(told: Told) -> str:
    words, row = f"Harm {told['level']}: {told['name']}", told["row"]
    if row == FATAL:
        return f"{words}, fatal or as good as that"
    return f"{words}, written as {row} since what is below is full" if row > told["level"] else words


def recovery(told: Told) -> str:
    down = told["down"]
    after = f"; every harm comes down {'a level' if down == 1 else f'{down} levels'}" if down else ""
    return f"Recovery, {told['ticks']} on the healing clock{after}"


def vice(told: Told) -> str:
    done = "indulged" if told["indulged"] else "left alone"
    over = "; overindulged" if told["over"] else ""
    return f"The vice was {done}: stress {told['before']} to {told['after']}{over}"


def stress(told: Told) -> str:
    return f"{told['stress']} stress for {'a group action' if told['why'] == GROUP else 'a flashback'}"


def heat(told: Told) -> str:
    raised = f"; the wanted level is {told['wanted']}" if told["wanted"] is not None else ""
    return f"{told['added']} heat, now {told['heat']}{raised}"


def payoff(told: Told) -> str:
    return f"{told['rep']} rep and {told['coin']} coin; what a track has no room for is theirs to place"
