"""What each character gave the Scale, beside what such rolls give on average."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from campaigns.models import Campaign
from campaigns.numbers import signed
from rolls.odds.shown import Cell, Row, Section
from rolls.queries.statistics.drawn import table_of
from rolls.registry import RULESETS
from rolls.rules.tally import mean
from rolls.settings import RollSettings
from rulesets.scale.models import UndoEntry
from rulesets.scale.rules.reading import tally
from rulesets.scale.rules.scale import Settings

HEADS = ("Rolls", "Up", "Down", "In all", "On average")


class Given(NamedTuple):
    """What a roll gave the Scale, and what such a roll gives on average."""

    delta: int
    drift: float


def reader(campaign: Campaign, settings: RollSettings) -> Callable[[UUID, str, Mapping[str, Any]], Given | None]:
    """Of rolls that moved a Scale; None for the others."""
    deltas, counting = _deltas(campaign), tally(settings.of(Settings))

    def given(roll: UUID, system: str, terms: Mapping[str, Any]) -> Given | None:
        counted, delta = RULESETS[system].table.counted, deltas.get(roll)
        if delta is None or counted is None:
            return None
        return Given(delta, float(mean(counted.shifts(dict(terms), counting))))

    return given


def _deltas(campaign: Campaign) -> Mapping[UUID, int]:
    steps = UndoEntry.objects.filter(scale__campaign=campaign, undone_at=None)
    # Of a roll that not everybody saw, the Scale tells by itself.
    with_roll, alone = "event__stored__payload__add_ons__scale__scale__delta", "event__stored__payload__scale__delta"
    told = steps.values_list("roll_id", with_roll, alone)
    return {roll: told_with if told_with is not None else told_alone for roll, told_with, told_alone in told}


def section(found: Sequence[tuple[str, Sequence[Given]]]) -> Section | None:
    """Who gave most, first."""
    in_order = sorted(found, key=lambda named: -sum(given.delta for given in named[1]))
    rows = [Row(name, tuple(map(Cell, _summed(given)))) for name, given in in_order]
    return table_of("scale", "Given to the Scale", "And what such rolls give on average", HEADS, rows)


def _summed(given: Sequence[Given]) -> tuple[str, ...]:
    up = sum(one.delta for one in given if one.delta > 0)
    down = sum(one.delta for one in given if one.delta < 0)
    average = f"{sum(one.drift for one in given):+.1f}".replace("-", "\N{MINUS SIGN}")
    return str(len(given)), signed(up), signed(down), signed(up + down), average
