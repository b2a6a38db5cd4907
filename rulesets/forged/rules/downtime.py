"""Forged in the Dark: downtime activities and vice (public rules, Downtime)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rolls.rules.errors import whole, word
from rulesets.forged.rules.roll import Result
from rulesets.forged.rules.score import HIGHEST_TIER
from rulesets.forged.settings import DEFAULTS, Settings

ORDER: Final = tuple(Result)
FREE_ACTIVITIES: Final = 2
FREE_AT_WAR: Final = 1
MOST_BOUGHT: Final = 100
COIN_PER_TIER: Final = 2
"""What a further Tier of an asset costs, beyond the best result."""
TRAINING_XP: Final = 1
AMOUNTS: Final[Mapping[Result, int]] = MappingProxyType(
    {Result.BAD: 1, Result.PARTIAL: 2, Result.FULL: 3, Result.CRITICAL: 5}
)
"""Segments of a project or of the healing clock, or heat taken off."""
ASSET_TIERS: Final[Mapping[Result, int]] = MappingProxyType(
    {Result.BAD: -1, Result.PARTIAL: 0, Result.FULL: 1, Result.CRITICAL: 2}
)
"""The Tier of an asset, from the crew's."""


class Downtime(StrEnum):
    PROJECT = "project"
    RECOVER = "recover"
    HEAT = "heat"
    ACQUIRE = "acquire"
    TRAIN = "train"


@dataclass(frozen=True, slots=True)
class Indulged:
    """A vice roll: the stress left, how much was cleared, and whether the die was more than was marked: overindulged."""

    stress: int
    cleared: int
    overindulged: bool


def downtime(kind: Downtime, result: Result, *, coin: int = 0, tier: int = 0) -> int:
    """Return what an activity comes to: segments, heat, the Tier of an asset, or xp.

    Each coin (0 to 100) spent after the roll is one result better. Beyond a critical 2 coin buy a further Tier of an asset (the
    crew's is `tier`, 0 to 6); for the others more coin does no more. Training gives its xp whatever the result.
    """
    activity = word("kind", kind, Downtime)
    at = ORDER.index(word("result", result, Result)) + whole("coin", coin, 0, MOST_BOUGHT)
    whole("tier", tier, 0, HIGHEST_TIER)
    best = min(at, len(ORDER) - 1)
    if activity is Downtime.TRAIN:
        return TRAINING_XP
    if activity is Downtime.ACQUIRE:
        return max(0, tier + ASSET_TIERS[ORDER[best]] + (at - best) // COIN_PER_TIER)
    return AMOUNTS[ORDER[best]]


def vice(stress: int, value: int, settings: Settings = DEFAULTS) -> Indulged:
    """Indulge a vice: the die that counts (1 to 6) is cleared from the stress (0 to the whole track)."""
    whole("stress", stress, 0, settings.boxes)
    whole("dice", value, 1, 6)
    cleared = min(stress, value)
    return Indulged(stress - cleared, cleared, value > stress)
