"""Fortune rolls: what a result says, the table of magnitudes, and the rules of a roll of fate at the table (forged.txt, Fortune
Roll; public rules, Magnitude).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from languages.text import gettext_lazy, pgettext_lazy
from rulesets.forged.rules.roll import Result


@dataclass(frozen=True, slots=True)
class Performance:
    """A fortune result in words: how it turned out, as a headline and in a sentence, and with how much effect."""

    headline: str
    quality: str
    effect: str


PERFORMANCES: Final[Mapping[Result, Performance]] = MappingProxyType(
    {
        Result.CRITICAL: Performance(
            gettext_lazy("Exceptional"), gettext_lazy("exceptional"), gettext_lazy("great effect")
        ),
        Result.FULL: Performance(
            pgettext_lazy("fortune", "Good"), pgettext_lazy("fortune", "good"), gettext_lazy("standard effect")
        ),
        Result.PARTIAL: Performance(
            pgettext_lazy("fortune", "Mixed"), pgettext_lazy("fortune", "mixed"), gettext_lazy("limited effect")
        ),
        Result.BAD: Performance(
            pgettext_lazy("fortune", "Bad"), pgettext_lazy("fortune", "bad"), gettext_lazy("little effect")
        ),
    }
)


HIGHEST_MAGNITUDE: Final = 6


class Measure(StrEnum):
    """The things that are measured."""

    PEOPLE = "people"
    TIME = "time"
    REACH = "reach"
    QUALITY = "quality"
    FORCE = "force"


MAGNITUDES: Final[Mapping[Measure, tuple[str, ...]]] = MappingProxyType(
    {
        Measure.PEOPLE: ("1-2", "3-6", "12", "20", "40", "80", "160"),
        Measure.TIME: (
            pgettext_lazy("time", "moments"),
            pgettext_lazy("time", "minutes"),
            pgettext_lazy("time", "hour"),
            pgettext_lazy("time", "hours"),
            pgettext_lazy("time", "day"),
            pgettext_lazy("time", "days"),
            pgettext_lazy("time", "week"),
        ),
        Measure.REACH: (
            pgettext_lazy("reach", "touch"),
            pgettext_lazy("reach", "dozen paces"),
            pgettext_lazy("reach", "stone’s throw"),
            pgettext_lazy("reach", "down the road"),
            pgettext_lazy("reach", "blocks"),
            pgettext_lazy("reach", "district"),
            pgettext_lazy("reach", "city"),
        ),
        Measure.QUALITY: (
            pgettext_lazy("quality", "poor"),
            pgettext_lazy("quality", "adequate"),
            pgettext_lazy("quality", "good"),
            pgettext_lazy("quality", "excellent"),
            pgettext_lazy("quality", "superior"),
            pgettext_lazy("quality", "impeccable"),
            pgettext_lazy("quality", "legendary"),
        ),
        Measure.FORCE: (
            pgettext_lazy("force", "weak"),
            pgettext_lazy("force", "moderate"),
            pgettext_lazy("force", "strong"),
            pgettext_lazy("force", "serious"),
            pgettext_lazy("force", "powerful"),
            pgettext_lazy("force", "overwhelming"),
            pgettext_lazy("force", "devastating"),
        ),
    }
)


LONGEST_NAME = 80
MOST_TRAIT = 12
MOST_MAJOR = 9
