"""Forged in the Dark: stress, trauma, resistance, harm and armour (forged.txt, Resistance Roll, Armor; public rules)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rolls.rules.dice import Faces
from rolls.rules.errors import NotPossible, OutOfRange, whole
from rolls.rules.forged_roll import HIGHEST_RATING, Pool, Result, resolve

RESIST_STRESS: Final = 6
CRITICAL_CLEARS: Final = 1
MOST_STRESS_AT_ONCE: Final = 100
HARM_SLOTS: Final[Mapping[int, int]] = MappingProxyType({1: 2, 2: 2, 3: 1})
FATAL: Final = 4
HEAVY_ARMOR: Final = 2
TRAUMAS: Final = ("cold", "haunted", "obsessed", "paranoid", "reckless", "soft", "unstable", "vicious")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`boxes` of stress, the trauma that retires, and whether armour may be marked on what was resisted already."""

    boxes: int = 9
    last_trauma: int = 4
    armor_with_resistance: bool = True


DEFAULTS: Final = Settings()


@dataclass(frozen=True, slots=True)
class Strain:
    """Stress (0 to boxes - 1 between deeds) and traumas after a change, and whether it took the character out or retired them."""

    stress: int
    trauma: int
    taken_out: bool = False
    retired: bool = False


def strain(stress: int, trauma: int, change: int, settings: Settings = DEFAULTS) -> Strain:
    """Mark or clear stress. The last box brings a trauma and empties the track; the excess is lost. Never below zero."""
    whole("stress", stress, 0, settings.boxes - 1)
    whole("trauma", trauma, 0, settings.last_trauma - 1)
    whole("change", change, -MOST_STRESS_AT_ONCE, MOST_STRESS_AT_ONCE)
    after = max(0, stress + change)
    if after < settings.boxes:
        return Strain(after, trauma)
    return Strain(0, trauma + 1, taken_out=True, retired=trauma + 1 >= settings.last_trauma)


def resist(rating: int, faces: Faces) -> int:
    """The stress of resisting: 6 minus the die, or -1 (one is cleared) on a critical (forged.txt, Resistance Roll)."""
    outcome = resolve(Pool(whole("rating", rating, 0, HIGHEST_RATING)), faces)
    return -CRITICAL_CLEARS if outcome.result is Result.CRITICAL else RESIST_STRESS - outcome.value


def attribute(dots: Sequence[int]) -> int:
    """How many of an attribute's four actions (0 to 4 dots each) have a dot."""
    if not isinstance(dots, list | tuple) or len(dots) != HIGHEST_RATING:
        raise OutOfRange("actions", dots, HIGHEST_RATING, HIGHEST_RATING)
    return sum(whole("dots", dot, 0, HIGHEST_RATING) > 0 for dot in dots)


def harm_row(taken: Mapping[int, int], level: int) -> int:
    """The row that takes a harm of `level` 1 to 4, given how many are `taken` in each: a full row moves it up; 4 is fatal."""
    for row, held in taken.items():
        whole("row", row, 1, max(HARM_SLOTS))
        whole("harm", held, 0, HARM_SLOTS[row])
    row = whole("level", level, 1, FATAL)
    while row < FATAL and taken.get(row, 0) >= HARM_SLOTS[row]:
        row += 1
    return row


def armor(level: int, boxes: int = 1, *, resisted: bool = False, settings: Settings = DEFAULTS) -> int:
    """The level of harm (0 to 4) left after marking `boxes` (0 to 2) of armour: one less each (forged.txt, Armor)."""
    whole("level", level, 0, FATAL)
    whole("boxes", boxes, 0, HEAVY_ARMOR)
    if resisted and boxes and not settings.armor_with_resistance:
        message = "Armour is marked instead of resisting, not on top of it."
        raise NotPossible("boxes", boxes, allowed="0", message=message)
    return max(0, level - boxes)
