"""Forged in the Dark: the magnitude table (public rules, Magnitude). Its levels serve as traits of fortune rolls."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

HIGHEST_MAGNITUDE: Final = 6


class Measure(StrEnum):
    """What is measured."""

    PEOPLE = "people"
    TIME = "time"
    REACH = "reach"
    QUALITY = "quality"
    FORCE = "force"


MAGNITUDES: Final[Mapping[Measure, tuple[str, ...]]] = MappingProxyType(
    {
        Measure.PEOPLE: ("1-2", "3-6", "12", "20", "40", "80", "160"),
        Measure.TIME: ("moments", "minutes", "hour", "hours", "day", "days", "week"),
        Measure.REACH: ("touch", "dozen paces", "stone's throw", "down the road", "blocks", "district", "city"),
        Measure.QUALITY: ("poor", "adequate", "good", "excellent", "superior", "impeccable", "legendary"),
        Measure.FORCE: ("weak", "moderate", "strong", "serious", "powerful", "overwhelming", "devastating"),
    }
)
