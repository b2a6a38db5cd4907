"""What losing does: boxes of the Power track, Injuries, and how Injuries heal (descriptors.txt, "What does success do?")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import NotPossible, OutOfRange, whole, yes_or_no
from rulesets.descriptors.rules.contest import Outcome, Side, oppose
from rulesets.descriptors.settings import DEFAULTS, LARGEST_TRACK, Settings

BEARER_GAIN: Final = 1
"""Will for the bearer of an Injury that withstood a recovery roll, in campaigns that pay it."""


@dataclass(frozen=True, slots=True)
class Track:
    """A Power track of 1 to 100 boxes, numbered from 1, and which of them are crossed off."""

    boxes: int = DEFAULTS.boxes
    crossed: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        whole("boxes", self.boxes, 1, LARGEST_TRACK)
        for box in self.crossed:
            whole("crossed", box, 1, self.boxes)

    def next_free(self, above: int) -> int | None:
        """The lowest free box above this number, None if there is none."""
        return next((box for box in range(above + 1, self.boxes + 1) if box not in self.crossed), None)

    def cross(self, box: int) -> Track:
        return replace(self, crossed=self.crossed | {box})


@dataclass(frozen=True, slots=True)
class Hit:
    """What a lost roll did to a character.

    `box` is the box that was crossed off now (None: none was), `bumped` whether it took the place of one crossed before. `injury`
    is the dice of the new Injury, 0 for none. `out`: out of this scene, and of this one only.
    """

    track: Track
    box: int | None = None
    bumped: bool = False
    injury: int = 0
    out: bool = False


@dataclass(frozen=True, slots=True)
class Recovery:
    """A recovery roll against an Injury: side a heals, side b is the Injury. An Injury of 0 dice is gone."""

    outcome: Outcome
    reduced_by: int
    injury: int
    bearer_gains: int


def track(boxes: int, crossed: Sequence[object] = ()) -> Track:
    """A track from stored values: 1 to 100 boxes, each crossed one named once. OutOfRange otherwise."""
    empty = Track(boxes)
    if not isinstance(crossed, list | tuple) or len(crossed) > boxes:
        raise OutOfRange("crossed", len(crossed) if isinstance(crossed, list | tuple) else crossed, 0, boxes)
    numbers = frozenset(whole("crossed", box, 1, boxes) for box in crossed)
    if len(numbers) < len(crossed):
        message = "A box is crossed off once."
        raise NotPossible("crossed", None, allowed="each box once", message=message)
    return replace(empty, crossed=numbers)


def may_take_injury(track: Track, successes: int, settings: Settings = DEFAULTS) -> bool:
    """Return whether the loser may choose an Injury instead of a box. `successes` of the winner: 1 to 100."""
    whole("successes", successes, 1, LARGEST_POOL)
    if successes > track.boxes and not settings.excess_may_be_injury:
        return False
    return box_of(track, successes) not in track.crossed or settings.injury_instead_of_bump


def box_of(track: Track, successes: int) -> int:
    """The box that so many successes hit: the one of that number, the last one for more than there are (our decision)."""
    return min(whole("successes", successes, 1, LARGEST_POOL), track.boxes)


def hit(track: Track, successes: int, *, take_injury: bool = False, settings: Settings = DEFAULTS) -> Hit:
    """The loser of a roll crosses off a box or takes an Injury (descriptors.txt, "Third, the loser crosses off the box").

    A free box is crossed off alone, or replaced by an Injury of as many dice as there were successes if the loser likes. For one
    that is crossed already the next higher free one goes, and an Injury equal to that comes on top. Without one there is an
    Injury of the last box's number. Crossing off the last box puts the loser out of the scene.

    `take_injury` is what the loser would rather have, and counts where `may_take_injury` leaves that choice. Raises OutOfRange
    for anything but 1 to 100 successes.
    """
    box = box_of(track, successes)
    if yes_or_no("take_injury", take_injury) and may_take_injury(track, successes, settings):
        return Hit(track, injury=successes)
    if box not in track.crossed:
        return Hit(track.cross(box), box, out=box == track.boxes)
    higher = track.next_free(box)
    if higher is None:
        return Hit(track, injury=track.boxes, out=settings.full_track_puts_out)
    return Hit(track.cross(higher), higher, bumped=True, injury=higher, out=higher == track.boxes)


def recover(
    injury: int, healer_dice: Sequence[object], injury_dice: Sequence[object], settings: Settings = DEFAULTS
) -> Recovery:
    """A recovery roll: the healer's faces against those of the Injury itself, one for each of its 1 to 100 dice.

    A success takes off a die (descriptors.txt, "You make a Recovery roll"); a lost roll and a stalemate change nothing.
    Raises OutOfRange for a pool or a face that cannot be, NotPossible when the Injury rolls another number of dice than it has.
    """
    whole("injury", injury, 1, LARGEST_POOL)
    outcome = oppose(healer_dice, injury_dice, settings)
    if len(injury_dice) != injury:
        message = f"An Injury of {injury} dice rolls {injury} dice, and {len(injury_dice)} came."
        raise NotPossible("injury_dice", len(injury_dice), allowed=str(injury), message=message)
    reduced_by = min(injury, outcome.successes) if outcome.winner is Side.A else 0
    withstood = outcome.winner is not Side.A and settings.recovery_pays_bearer
    return Recovery(outcome, reduced_by, injury - reduced_by, BEARER_GAIN if withstood else 0)
