"""Tick clocks, by the public rules of progress clocks. Plain values: no database in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.errors import Invalid
from languages import text

FEWEST_SEGMENTS: Final = 2
MOST_SEGMENTS: Final = 12
MOST_TICKS: Final = 12
"""Ticked or unticked in one go."""

SIZE_NAMES: Final[Mapping[int, str]] = MappingProxyType(
    {4: text.gettext_lazy("complex"), 6: text.gettext_lazy("complicated"), 8: text.gettext_lazy("daunting")}
)
"""The three printed sizes; any other from 2 to 12 is our decision."""


class ClockKind(TextChoices):
    """The kind of a clock: what it counts.

    Two racing clocks compete, and if both fill at once both things happen. A linked clock opens the next when it is full.
    A tug-of-war is pulled both ways and ends at either side. A healing clock restarts when full and keeps the surplus.
    """

    PROGRESS = "progress", gettext_lazy("progress")
    DANGER = "danger", gettext_lazy("danger")
    RACING = "racing", gettext_lazy("racing pair")
    LINKED = "linked", gettext_lazy("linked")
    TUG = "tug", gettext_lazy("tug-of-war")
    MISSION = "mission", gettext_lazy("mission timer")
    PROJECT = "project", gettext_lazy("long-term project")
    FACTION = "faction", gettext_lazy("faction")
    HEALING = "healing", gettext_lazy("healing")


class End(StrEnum):
    """The side at which a clock arrived."""

    FULL = "full"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock of 2 to 12 segments, none to all of them filled. Invalid for anything else."""

    kind: ClockKind
    segments: int
    filled: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.kind, ClockKind):
            raise Invalid(_("Choose a kind of clock from the list."), field="kind")
        _whole("segments", self.segments, FEWEST_SEGMENTS, MOST_SEGMENTS)
        _whole("filled", self.filled, 0, self.segments)

    @property
    def is_full(self) -> bool:
        return self.filled == self.segments


@dataclass(frozen=True, slots=True)
class Ticked:
    """One tick: `clock` afterwards, the segments `before` and `after`, and the `overflow` that was lost.

    `end` is the side that this tick has reached, `rounds` how often the clock was filled: more than once only on a
    healing clock, whose `after` counts from the start again. Only a tug-of-war ends empty.
    """

    clock: Clock
    before: int
    overflow: int = 0
    end: End | None = None
    rounds: int = 0

    @property
    def after(self) -> int:
        return self.clock.filled

    @property
    def filled(self) -> bool:
        """Return whether this tick filled the clock."""
        return self.end is End.FULL


def tick(clock: Clock, by: int) -> Ticked:
    """Tick `clock` by 1 to 12 segments, or untick it by as many (negative). It never goes below empty or above full.

    The surplus is lost, except on a healing clock, which rolls over. Raises Invalid for no ticks and for too many.
    """
    if _whole("ticks", by, -MOST_TICKS, MOST_TICKS) == 0:
        raise Invalid(_("Tick at least one segment."), field="ticks")
    reached = clock.filled + by
    if clock.kind is ClockKind.HEALING and reached >= clock.segments:
        rounds, left = divmod(reached, clock.segments)
        return Ticked(replace(clock, filled=left), clock.filled, end=End.FULL, rounds=rounds)
    after = max(0, min(clock.segments, reached))
    end = None
    if after != clock.filled and after == clock.segments:
        end = End.FULL
    elif after != clock.filled and after == 0 and clock.kind is ClockKind.TUG:
        end = End.EMPTY
    overflow = max(0, reached - clock.segments)
    return Ticked(replace(clock, filled=after), clock.filled, overflow, end, rounds=int(end is End.FULL))


def _whole(field: str, value: object, low: int, high: int) -> int:
    # type() and not isinstance(): True is an int to Python, and no number of segments to anybody.
    if type(value) is not int or not low <= value <= high:
        raise Invalid(_("Enter a whole number from {low} to {high}.").format(low=low, high=high), field=field)
    return value
