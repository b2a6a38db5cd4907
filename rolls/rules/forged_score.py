"""Forged in the Dark: around the score - heat, downtime, vice, magnitude, engagement, load (the public rules)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rolls.rules.errors import whole, word
from rolls.rules.forged_action import Position
from rolls.rules.forged_roll import Result

HEAT_BOXES: Final = 9
MOST: Final = 100
HIGHEST_WANTED: Final = 4
HIGHEST_TIER: Final = 6
COIN_PER_TIER: Final = 2
ORDER: Final = tuple(Result)
AMOUNTS: Final = (1, 2, 3, 5)
ASSET_TIERS: Final = (-1, 0, 1, 2)
MAGNITUDES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "people": ("1-2", "3-6", "12", "20", "40", "80", "160"),
        "time": ("moments", "minutes", "hour", "hours", "day", "days", "week"),
        "reach": ("touch", "dozen paces", "stone's throw", "down the road", "blocks", "district", "city"),
        "quality": ("poor", "adequate", "good", "excellent", "superior", "impeccable", "legendary"),
        "force": ("weak", "moderate", "strong", "serious", "powerful", "overwhelming", "devastating"),
    }
)
LOADS: Final = ((3, "light"), (5, "normal"), (6, "heavy"), (9, "encumbered"))


class Downtime(StrEnum):
    PROJECT = "project"
    RECOVER = "recover"
    HEAT = "heat"
    ACQUIRE = "acquire"
    TRAIN = "train"


def heat(present: int, wanted: int, added: int) -> tuple[int, int]:
    """Heat (0 to 8) and wanted level (0 to 4) after `added` (0 to 100): each nine are a wanted level, the rest rolls over."""
    whole("heat", present, 0, HEAT_BOXES - 1)
    whole("wanted", wanted, 0, HIGHEST_WANTED)
    levels, left = divmod(present + whole("added", added, 0, MOST), HEAT_BOXES)
    return left, min(HIGHEST_WANTED, wanted + levels)


def downtime(kind: Downtime, result: Result, *, coin: int = 0, tier: int = 0) -> int:
    """Segments, heat or the Tier of an asset; each coin (0 to 100) is one result better, beyond critical 2 buy a Tier."""
    activity = word("kind", kind, Downtime)
    at = ORDER.index(word("result", result, Result)) + whole("coin", coin, 0, MOST)
    whole("tier", tier, 0, HIGHEST_TIER)
    best = min(at, len(ORDER) - 1)
    if activity is Downtime.TRAIN:
        return 1
    if activity is Downtime.ACQUIRE:
        return max(0, tier + ASSET_TIERS[best] + (at - best) // COIN_PER_TIER)
    return AMOUNTS[best]


def vice(stress: int, value: int) -> tuple[int, bool]:
    """Stress (0 to 9) after a vice roll of `value` (1 to 6), and whether more was cleared than was marked: overindulged."""
    whole("stress", stress, 0, 9)
    whole("dice", value, 1, 6)
    return max(0, stress - value), value > stress


def engagement(result: Result) -> Position | None:
    """The position in which a score opens; None on a critical: past the first obstacle already."""
    match word("result", result, Result):
        case Result.BAD:
            return Position.DESPERATE
        case Result.PARTIAL:
            return Position.RISKY
        case Result.FULL:
            return Position.CONTROLLED
        case Result.CRITICAL:
            return None


def load(items: int) -> str:
    """What carrying 0 to 9 items is called."""
    whole("load", items, 0, LOADS[-1][0])
    return next(name for most, name in LOADS if items <= most)
