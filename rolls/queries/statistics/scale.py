"""What each roll gave the Scale, and what such rolls give on average."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from rolls.models import Roll
from rules.tally import mean
from scale.counting import countable, shifts_for
from scale.models import UndoEntry
from scale.rules.scale import Settings

AT_ONCE = 2_000  # rolls


class Given(NamedTuple):
    """Holds what rolls gave the Scale, and what such rolls give on average."""

    rolls: int
    up: int
    down: int
    drift: float


def _deltas(rolls: QuerySet[Roll]) -> Mapping[UUID, int]:
    # By their ids, and not by a subquery: for that PostgreSQL reads all steps and all payloads that there are.
    ids = rolls.order_by().values_list("pk", flat=True).iterator(chunk_size=AT_ONCE)
    deltas: dict[UUID, int] = {}
    while some := list(islice(ids, AT_ONCE)):
        deltas.update(_deltas_of(some))
    return deltas


def _deltas_of(rolls: Sequence[UUID]) -> Iterator[tuple[UUID, int]]:
    steps = UndoEntry.objects.filter(roll__in=rolls, undone_at=None).order_by()
    # A roll that not everyone saw has its own event of the Scale. Later handling of a roll's Burn gives nothing.
    with_roll, alone = "event__stored__payload__add_ons__scale__scale__delta", "event__stored__payload__scale__delta"
    rows = steps.values_list("roll_id", with_roll, alone)
    deltas = ((roll, told_with if told_with is not None else told_alone) for roll, told_with, told_alone in rows)
    return ((roll, delta) for roll, delta in deltas if delta is not None)


def reader(rolls: QuerySet[Roll], settings: Settings) -> Callable[[UUID, str, Mapping[str, Any]], Given | None]:
    """Return a function, made once for these rolls, that gives the figures of each that moved a Scale by its id, ruleset and
    terms, and None for the others. They change only when the roll is voided, corrected or revealed.
    """
    deltas = _deltas(rolls)

    def given(roll: UUID, system: str, terms: Mapping[str, Any]) -> Given | None:
        counted, delta = countable(system), deltas.get(roll)
        if delta is None or counted is None:
            return None
        return Given(1, max(delta, 0), min(delta, 0), float(mean(shifts_for(counted, terms, settings))))

    return given
