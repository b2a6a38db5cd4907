"""Chances: what may come, and how likely it is. What cannot come is not in the map."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TypeVar

What = TypeVar("What")


def chances(ways: Mapping[What, int], total: int) -> Mapping[What, Fraction]:
    """Of `total` equally likely rolls `ways[what]` bring `what`. Nobody can change the map: it may be kept for others."""
    return MappingProxyType({what: Fraction(count, total) for what, count in ways.items() if count})


def mean(chance_by_value: Mapping[int, Fraction]) -> Fraction:
    """The average of the numbers in a map of chances that add up to 1."""
    return sum((number * chance for number, chance in chance_by_value.items()), Fraction())
