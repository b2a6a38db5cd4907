"""Dice, the faces they show, and how likely something is. Nothing here rolls: faces come in from outside, are counted and
checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from languages.text import ngettext
from rules.errors import NotPossible, OutOfRange, whole

Faces: TypeAlias = Iterator[int]
"""Faces in the order in which they fall. A rule may take more as it goes on."""

LARGEST_POOL: Final = 100
"""More dice than any rule asks for; larger pools are refused before anything is allocated."""

LARGEST_DIE: Final = 100


@dataclass(frozen=True, slots=True)
class Die:
    """A die with faces 1 to `sides` (2 to 100)."""

    sides: int

    def __post_init__(self) -> None:
        whole("sides", self.sides, 2, LARGEST_DIE)

    def face(self, value: object) -> int:
        """Return `value` if this die can show it. Raises OutOfRange otherwise."""
        return whole("dice", value, 1, self.sides)

    def __str__(self) -> str:
        return f"d{self.sides}"


D10: Final = Die(10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dice:
    """Dice that fall together: `count` of one kind. A rule may take more than these, which are like them."""

    count: int
    die: Die = D10

    @property
    def spec(self) -> str:
        """Return the dice as their proof names them, such as "5d10"."""
        return f"{self.count}{self.die}"


def draw(count: int, die: Die, faces: Faces) -> tuple[int, ...]:
    """Return the next `count` faces (1 to 100 of them), in their order.

    Raises OutOfRange for a count or a face that cannot be, before a single face is taken in the first case, and NotPossible when
    the faces run out.
    """
    whole("pool", count, 1, LARGEST_POOL)
    drawn = tuple(die.face(face) for face in islice(faces, count))
    if len(drawn) < count:
        raise _wrong_number(count, len(drawn))
    return drawn


def typed(values: Sequence[object], dice: Dice) -> tuple[int, ...]:
    """Return the faces that people read off the dice on their table, exactly as many as there are dice, in their order.

    A d10 that prints 0 means its ten and is kept as 10.
    """
    whole("pool", dice.count, 1, LARGEST_POOL)
    if len(values) != dice.count:
        raise _wrong_number(dice.count, len(values))
    tens = dice.die == D10
    return tuple(dice.die.face(10 if tens and value == 0 and type(value) is int else value) for value in values)


def shown(values: object, die: Die = D10) -> tuple[int, ...]:
    """Return a list of 1 to 100 stored faces as a tuple of checked faces."""
    if not isinstance(values, list | tuple) or not 1 <= len(values) <= LARGEST_POOL:
        raise OutOfRange("pool", len(values) if isinstance(values, list | tuple) else values, 1, LARGEST_POOL)
    return tuple(die.face(value) for value in values)


def _wrong_number(needed: int, given: int) -> NotPossible:
    words = ngettext(
        "This roll takes one die, and {given} came.", "This roll takes {count} dice, and {given} came.", needed
    )
    return NotPossible("dice", given, allowed=str(needed), message=words.format(count=needed, given=given))


What = TypeVar("What")


def chances(ways: Mapping[What, int], total: int) -> Mapping[What, Fraction]:
    """Return the chance of each outcome, where `ways[outcome]` of `total` equally likely rolls lead to it. The map is
    read-only, so it may be cached.
    """
    return MappingProxyType({what: Fraction(count, total) for what, count in ways.items() if count})


def mean(chance_by_value: Mapping[int, Fraction]) -> Fraction:
    """Return the average of the numbers in a map of chances that add up to 1."""
    return sum((number * chance for number, chance in chance_by_value.items()), Fraction())
