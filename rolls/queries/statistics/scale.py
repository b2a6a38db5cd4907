"""What each roll gave the Scale, and what such rolls give on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campaigns.models import Campaign
from rolls.queries.statistics.rolled import Listed, Rolled
from rolls.settings import roll_settings
from rules.tally import mean
from scale.counting import countable, shifts_for
from scale.models import ScaleStep


class Given(NamedTuple):
    """Holds what rolls gave the Scale, and what such rolls give on average."""

    rolls: int
    up: int
    down: int
    drift: float


class Moves:
    """The moves of a campaign's Scales, by the ids of the events of the rolls that made them."""

    def __init__(self, campaign: Campaign) -> None:
        moves = ScaleStep.objects.filter(scale__campaign=campaign, undone_at=None, delta__isnull=False).order_by()
        moved_by = moves.values_list("delta").annotate(events=Listed("roll__event_id"))
        self.deltas = {int(event): delta for delta, events in moved_by for event in events.split(",")}
        self._settings = roll_settings(campaign).scale

    def given(self, group: Rolled) -> Given | None:
        """Sum up what rolls gave the Scale; None for those that moved none."""
        counted, moved = countable(group.system), self.of(group)
        if not moved or counted is None:
            return None
        up, down = (sum(move for _, move in moved if (move > 0) is upwards) for upwards in (True, False))
        return Given(len(moved), up, down, len(moved) * float(mean(shifts_for(counted, group.terms, self._settings))))

    def of(self, group: Rolled) -> Sequence[tuple[int, int]]:
        """Return the moves of a group as (event, by how far)."""
        return [(event, self.deltas[event]) for event in group.events if event in self.deltas]

    def chance(self, group: Rolled, delta: int) -> float:
        """Return the chance that such a roll moves it at least so far in this direction, 0 to 1; 1 for what counts no more."""
        counted = countable(group.system)
        if counted is None:
            return 1.0
        shifts = shifts_for(counted, group.terms, self._settings)
        as_far = sum(ways for shift, ways in shifts.items() if (shift >= delta if delta > 0 else shift <= delta))
        return as_far / sum(shifts.values())
