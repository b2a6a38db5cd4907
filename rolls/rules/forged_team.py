"""Forged in the Dark: group actions and set-ups (forged.txt, Teamwork)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import NotPossible, OutOfRange
from rolls.rules.forged_action import POSITIONS, Position
from rolls.rules.forged_roll import Outcome, Result

ORDER: Final = tuple(Result)


@dataclass(frozen=True, slots=True)
class Member:
    """One who rolled; a cohort is no player character (`pc`) and costs the leader nothing."""

    outcome: Outcome
    pc: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """The best single result counts for all who rolled; the leader pays 1 stress for each player character on 1-3."""

    result: Result
    leader_stress: int


def group(members: Sequence[Member]) -> Group:
    """1 to 100 rolls of the same action. Sixes of different people are no critical."""
    if not 1 <= len(members) <= LARGEST_POOL:
        raise OutOfRange("rolls", len(members), 1, LARGEST_POOL)
    results = [member.outcome.result for member in members]
    stress = sum(member.pc and member.outcome.result is Result.BAD for member in members)
    return Group(max(results, key=ORDER.index), stress)


def improved(position: Position) -> Position:
    """A set-up's better position; NotPossible when it is controlled already."""
    if position == Position.CONTROLLED:
        message = "The position is as good as it gets."
        raise NotPossible("position", position, allowed="risky, desperate", message=message)
    return POSITIONS[POSITIONS.index(position) - 1]
