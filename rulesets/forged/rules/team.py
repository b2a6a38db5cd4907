"""Forged in the Dark: assisting, group actions, protecting and set-ups (forged.txt, Teamwork)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import NotPossible, OutOfRange, whole, yes_or_no
from rulesets.forged.rules.consequence import Consequence
from rulesets.forged.rules.roll import Outcome, Result

ORDER: Final = tuple(Result)


class Benefit(StrEnum):
    """What a set-up gives to each who follows; who set it up chooses."""

    EFFECT = "effect"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Member:
    """One who rolled; a cohort is no player character (`pc`) and costs the leader nothing. UnknownWord for other than a bool."""

    outcome: Outcome
    pc: bool = True

    def __post_init__(self) -> None:
        yes_or_no("pc", self.pc)


@dataclass(frozen=True, slots=True)
class Group:
    """The best single result counts for all who rolled; the leader pays 1 stress for each player character on 1-3."""

    result: Result
    leader_stress: int


def group(members: Sequence[Member]) -> Group:
    """1 to 100 rolls of the same action, the leader's among them. Sixes of different people are no critical (public rules)."""
    _count(members)
    results = [member.outcome.result for member in members]
    stress = sum(member.pc and member.outcome.result is Result.BAD for member in members)
    return Group(max(results, key=ORDER.index), stress)


def protect(consequence: Consequence) -> Consequence:
    """The consequence as the one who steps in faces it, instead of a teammate (forged.txt, Protect).

    They may resist it, once, and mark armour of their own. NotPossible when nothing is left of it, and when the teammate has
    resisted it or marked armour.
    """
    if consequence.avoided:
        message = "There is nothing left to step in for."
        raise NotPossible("consequence", consequence.kind, allowed="a severity of 1 or more", message=message)
    if consequence.resisted or consequence.armor:
        message = "Step in before the consequence is resisted."
        raise NotPossible("consequence", consequence.kind, allowed="not yet resisted", message=message)
    return consequence


def _count(rolling: object) -> None:
    """Whether 1 to 100 are in a list of those who roll."""
    if not isinstance(rolling, list | tuple):
        raise OutOfRange("rolls", rolling, 1, LARGEST_POOL)
    whole("rolls", len(rolling), 1, LARGEST_POOL)
