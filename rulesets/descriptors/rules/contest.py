"""Descriptors: two pools of ten-sided dice against each other, walked down pair by pair (descriptors.txt).

    outcome = oppose(a=[9, 7, 5], b=[6, 4])
    outcome.winner, outcome.successes, outcome.target_number   # Side.A, 2, 6

`will.py` pays the pools and says what a lost roll does, `keys.py` counts XP and Advances. All of them share `Settings`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from languages.text import gettext_noop
from rules.dice import LARGEST_POOL, Die, Faces, draw
from rules.errors import OutOfRange, whole
from rules.messages import Message, Words, gettext
from rulesets.descriptors.settings import DEFAULTS, Settings

SOMEBODY: Final = gettext_noop("the other side")
"""The stored name of a side without a name; `called` gives the words for it."""

SUCCESSES_BY_SIZE: Final = 1
"""The successes of the larger pool if every pair is tied, however many more dice it has (descriptors.txt, rolling)."""


class Side(StrEnum):
    A = "a"
    B = "b"

    @property
    def other(self) -> Side:
        return Side.B if self is Side.A else Side.A


class Role(StrEnum):
    """Names what one die did in its roll."""

    IGNORED = "ignored"  # one of an equal pair, both of which are passed over
    TARGET = "target"  # the loser's highest die left, which the winner's dice have to beat
    SUCCESS = "success"  # a die of the winner above the target number
    BELOW = "below"  # left over without effect: not above the target number
    OVER = "over"  # beyond the last pair when all are tied: having such dice wins


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die: its face, its rank in its own pool (0 the highest), and its role.

    Dice of equal rank are compared. Of equal faces in a pool the one rolled first ranks first.
    """

    face: int
    rank: int
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A resolved roll; `a` and `b` are the dice of either side in the order in which they fell.

    `winner` is None in a stalemate, which has 0 successes; otherwise there is at least 1. `target_number` is None unless a higher
    die decided. `ignored_pairs` are the equal pairs passed over from the top.
    """

    a: tuple[RolledDie, ...]
    b: tuple[RolledDie, ...]
    winner: Side | None
    successes: int
    target_number: int | None
    ignored_pairs: int

    def dice(self, side: Side) -> tuple[RolledDie, ...]:
        return self.a if side is Side.A else self.b


def resolve(a: int, b: int, faces: Faces, settings: Settings = DEFAULTS) -> Outcome:
    """Roll so many dice of side a, then those of side b, and compare them. Raises as `oppose` and `dice.draw` do."""
    die = Die(settings.sides)
    for side, count in zip(Side, (a, b), strict=True):
        whole(side, count, settings.fewest_dice, LARGEST_POOL)
    first, second = (draw(count, die, faces) if count else () for count in (a, b))
    return oppose(first, second, settings)


def oppose(a: Sequence[object], b: Sequence[object], settings: Settings = DEFAULTS) -> Outcome:
    """Compare the faces of two pools of 0 to 100 dice (descriptors.txt, "You and your opponent both roll" and what follows).

    From the top down equal pairs are ignored. The higher die of the first unequal pair wins, the lower one is the target number,
    and the winner's dice above it are the successes. Without an unequal pair more dice win, with one success.

    Raises OutOfRange for a pool or a face that cannot be.
    """
    pools = {Side.A: _pool(Side.A, a, settings), Side.B: _pool(Side.B, b, settings)}
    high_a, high_b = (sorted(pools[side], reverse=True) for side in Side)
    ignored = _equal_pairs(high_a, high_b)
    if high_a == high_b:
        return _outcome(pools, ignored, None, None)
    # Lists compare like words in a dictionary, and that is the whole rule of who wins.
    winner = Side.A if high_a > high_b else Side.B
    loser = high_b if winner is Side.A else high_a
    target = loser[ignored] if ignored < len(loser) else None
    return _outcome(pools, ignored, winner, target)


def called(name: str) -> Words:
    """Return the name of a side, or the words for one without a name."""
    return gettext("the other side") if name == SOMEBODY else name


def _pool(side: Side, faces: object, settings: Settings) -> tuple[int, ...]:
    if not isinstance(faces, list | tuple):
        raise OutOfRange(side, faces, settings.fewest_dice, LARGEST_POOL)
    whole(side, len(faces), settings.fewest_dice, LARGEST_POOL)
    die = Die(settings.sides)
    return tuple(die.face(face) for face in faces)


def _equal_pairs(high_a: list[int], high_b: list[int]) -> int:
    pairs = zip(high_a, high_b, strict=False)
    shorter = min(len(high_a), len(high_b))
    return next((rank for rank, (first, other) in enumerate(pairs) if first != other), shorter)


def _outcome(pools: dict[Side, tuple[int, ...]], ignored: int, winner: Side | None, target: int | None) -> Outcome:
    dice = {side: _dice(pools[side], ignored, target, wins=side is winner) for side in Side}
    beating = sum(die.role is Role.SUCCESS for side in Side for die in dice[side])
    by_size = winner is not None and target is None
    return Outcome(
        a=dice[Side.A],
        b=dice[Side.B],
        winner=winner,
        successes=SUCCESSES_BY_SIZE if by_size else beating,
        target_number=target,
        ignored_pairs=ignored,
    )


def _dice(faces: tuple[int, ...], ignored: int, target: int | None, *, wins: bool) -> tuple[RolledDie, ...]:
    order = sorted(range(len(faces)), key=lambda place: -faces[place])
    ranks = {place: rank for rank, place in enumerate(order)}
    return tuple(
        RolledDie(face, ranks[place], _role(face, ranks[place] - ignored, target, wins=wins))
        for place, face in enumerate(faces)
    )


def _role(face: int, left: int, target: int | None, *, wins: bool) -> Role:
    """Return a die's role. `left` is its rank among the dice that are not ignored, below 0 for ignored ones."""
    if left < 0:
        return Role.IGNORED
    if target is None:
        return Role.OVER
    if wins:
        return Role.SUCCESS if face > target else Role.BELOW
    return Role.TARGET if left == 0 else Role.BELOW


def why(role: Role, face: int, target: int | None, *, wins: bool) -> Message:
    """Return words for why a die has its role; `wins`: its side has won."""
    match role:
        case Role.IGNORED:
            return gettext("cancelled by the other side’s {face}", face=face)
        case Role.OVER:
            return gettext("no die left against it")
        case Role.SUCCESS:
            return gettext("beats {target}", target=target)
        case Role.TARGET:
            return gettext("this side’s highest die left")
        case Role.BELOW:
            if wins:
                return gettext("doesn’t beat {target}", target=target)
            return gettext("below this side’s highest die left")
