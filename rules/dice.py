"""Dice, the faces they show, and how likely something is. Nothing here rolls: faces come in from outside, are counted and
checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, islice
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from languages.text import gettext, ngettext
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
    """Dice that fall together: `count` of one kind, and then one of each that is `also` thrown.

    A rule reads them in this order, and may take more than these, which are like the last one.
    """

    count: int
    die: Die = D10
    also: tuple[Die, ...] = ()

    @property
    def each(self) -> tuple[Die, ...]:
        """Return every die, in the order in which they fall."""
        return (*[self.die] * self.count, *self.also)

    @property
    def spec(self) -> str:
        """Return the dice as their proof names them, such as "5d10" or "2d6,1d8"."""
        return ",".join(f"{len([*alike])}{die}" for die, alike in groupby(self.each))


def draw(count: int, die: Die, faces: Faces) -> tuple[int, ...]:
    """Return the next `count` faces (1 to 100 of them), in their order.

    Raises OutOfRange for a count or a face that cannot be, before a single face is taken in the first case, and NotPossible when
    the faces run out.
    """
    whole("pool", count, 1, LARGEST_POOL)
    drawn = tuple(die.face(face) for face in islice(faces, count))
    if len(drawn) < count:
        raise _wrong_number(Dice(count=count, die=die), len(drawn))
    return drawn


def typed(values: Sequence[object], dice: Dice) -> tuple[int, ...]:
    """Return the faces that people read off the dice on their table, exactly as many as there are dice, in their order.

    A d10 that prints 0 means its ten and is kept as 10.
    """
    each = dice.each
    whole("pool", len(each), 1, LARGEST_POOL)
    if len(values) != len(each):
        raise _wrong_number(dice, len(values))
    return tuple(_typed(value, die, dice) for value, die in zip(values, each, strict=True))


def _typed(value: object, die: Die, dice: Dice) -> int:
    try:
        return die.face(10 if die == D10 and value == 0 and type(value) is int else value)
    except OutOfRange as error:
        if not dice.also:
            raise
        message = gettext("A {die} has no {face}. Enter {dice} in this order.").format(
            die=die, face=value, dice=_listed(dice)
        )
        raise NotPossible("dice", value, allowed=error.allowed, message=message) from None


def shown(values: object, die: Die = D10) -> tuple[int, ...]:
    """Return a list of 1 to 100 stored faces as a tuple of checked faces."""
    if not isinstance(values, list | tuple) or not 1 <= len(values) <= LARGEST_POOL:
        raise OutOfRange("pool", len(values) if isinstance(values, list | tuple) else values, 1, LARGEST_POOL)
    return tuple(die.face(value) for value in values)


def _listed(dice: Dice) -> str:
    return dice.spec.replace(",", ", ")


def _wrong_number(dice: Dice, given: int) -> NotPossible:
    needed = len(dice.each)
    if "," in dice.spec:
        words = gettext("This roll takes {dice} in this order, and {given} came.")
    else:
        words = ngettext(
            "This roll takes one die, and {given} came.", "This roll takes {count} dice, and {given} came.", needed
        )
    message = words.format(dice=_listed(dice), count=needed, given=given)
    return NotPossible("dice", given, allowed=str(needed), message=message)


What = TypeVar("What")


def chances(ways: Mapping[What, int], total: int) -> Mapping[What, Fraction]:
    """Return the chance of each outcome, where `ways[outcome]` of `total` equally likely rolls lead to it. The map is
    read-only, so it may be cached.
    """
    return MappingProxyType({what: Fraction(count, total) for what, count in ways.items() if count})


def mean(chance_by_value: Mapping[int, Fraction]) -> Fraction:
    """Return the average of the numbers in a map of chances that add up to 1."""
    return sum((number * chance for number, chance in chance_by_value.items()), Fraction())
