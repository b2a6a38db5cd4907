"""What each roll gave the Scale, and what such rolls give on average."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from campaigns.models import Campaign
from rolls.queries.statistics.rolled import Listed
from rolls.table_rules import Terms
from rules.tally import mean
from scale.counting import countable, shifts_for
from scale.models import ScaleStep
from scale.rules.scale import Settings


class Given(NamedTuple):
    """Holds what rolls gave the Scale, and what such rolls give on average."""

    rolls: int
    up: int
    down: int
    drift: float


def reader(campaign: Campaign, settings: Settings) -> Callable[[Sequence[int], str, Terms], Given | None]:
    """Return a function, made once for all rolls, that sums up what those with the same terms gave the Scale, by the ids of their
    events, their ruleset and these terms, and returns None for those that moved none.
    """
    moves = ScaleStep.objects.filter(scale__campaign=campaign, undone_at=None, delta__isnull=False).order_by()
    moved_by = moves.values_list("delta").annotate(events=Listed("roll__event_id"))
    deltas = {int(event): delta for delta, events in moved_by for event in events.split(",")}

    def given(events: Sequence[int], system: str, terms: Terms) -> Given | None:
        counted = countable(system)
        moved = [deltas[event] for event in events if event in deltas]
        if not moved or counted is None:
            return None
        up, down = (sum(move for move in moved if (move > 0) is upwards) for upwards in (True, False))
        return Given(len(moved), up, down, len(moved) * float(mean(shifts_for(counted, terms, settings))))

    return given
