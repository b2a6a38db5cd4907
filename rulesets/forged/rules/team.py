"""Forged in the Dark: assisting, group actions, protecting and set-ups (forged.txt, Teamwork)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import NotPossible, OutOfRange, whole, word, yes_or_no
from rulesets.forged.rules.action import POSITIONS, Position
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


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What one who follows a set-up begins with: the position, and whether the effect is one higher (`Influences.setup`)."""

    position: Position
    setup: bool


def group(members: Sequence[Member]) -> Group:
    """1 to 100 rolls of the same action, the leader's among them. Sixes of different people are no critical (public rules)."""
    _count(members)
    results = [member.outcome.result for member in members]
    stress = sum(member.pc and member.outcome.result is Result.BAD for member in members)
    return Group(max(results, key=ORDER.index), stress)


def assist_in_group(helper: str, rolling: Sequence[str], receiver: str) -> None:
    """Whether `helper` may give `receiver` a die in a group action of those `rolling`, all by name.

    NotPossible for somebody who rolls too, and for a receiver who does not (forged.txt, Assist).
    """
    _count(rolling)
    if helper in rolling:
        message = "Who takes part in a group action does not assist it."
        raise NotPossible("helper", helper, allowed="somebody who does not roll", message=message)
    if receiver not in rolling:
        message = "The die goes to somebody who rolls."
        raise NotPossible("receiver", receiver, allowed="somebody who rolls", message=message)


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


def follow_up(result: Result, benefit: Benefit, position: Position) -> FollowUp:
    """What a set-up with this result gives to one who follows it, in a position of their own (forged.txt, Set up).

    NotPossible on 1-3, where it has not come off, and for a better position than controlled.
    """
    came, chosen, at = (
        word("result", result, Result),
        word("benefit", benefit, Benefit),
        word("position", position, Position),
    )
    if came is Result.BAD:
        message = "The set-up has not come off."
        raise NotPossible("result", came, allowed="4/5, 6, crit", message=message)
    if chosen is Benefit.EFFECT:
        return FollowUp(at, setup=True)
    return FollowUp(improved(at), setup=False)


def improved(position: Position) -> Position:
    """A set-up's better position; NotPossible when it is controlled already."""
    at = word("position", position, Position)
    if at is Position.CONTROLLED:
        message = "The position is as good as it gets."
        raise NotPossible("position", at, allowed="risky, desperate", message=message)
    return POSITIONS[POSITIONS.index(at) - 1]


def _count(rolling: object) -> None:
    """Whether 1 to 100 are in a list of those who roll."""
    if not isinstance(rolling, list | tuple):
        raise OutOfRange("rolls", rolling, 1, LARGEST_POOL)
    whole("rolls", len(rolling), 1, LARGEST_POOL)
