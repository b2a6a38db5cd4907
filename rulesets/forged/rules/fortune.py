"""Forged in the Dark: what a fortune roll says, and two against each other (forged.txt, Fortune Roll).

The pool is `forged_roll.fortune_pool`, the roll `forged_roll.resolve`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rulesets.forged.rules.roll import Result


@dataclass(frozen=True, slots=True)
class Performance:
    """A fortune result in words: how it turned out, and how much effect that is."""

    quality: str
    effect: str


PERFORMANCES: Final[Mapping[Result, Performance]] = MappingProxyType(
    {
        Result.CRITICAL: Performance("exceptional", "great"),
        Result.FULL: Performance("good", "standard"),
        Result.PARTIAL: Performance("mixed", "limited"),
        Result.BAD: Performance("bad", "little"),
    }
)


class Ahead(StrEnum):
    """Who did better. With neither, the GM says what that means."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"
