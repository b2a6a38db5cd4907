"""What each character gave the Scale, and what such rolls give on average."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.formats import get_format
from django.utils.translation import gettext as _

from campaigns.text import signed
from languages.text import gettext_lazy
from rolls.models import Roll
from rolls.odds.shown import Cell, Row, Section
from rolls.queries.statistics.drawn import table_of
from rolls.ruleset import Columns
from rolls.settings import RollSettings
from rules.tally import mean
from rulesets.scale.models import UndoEntry
from rulesets.scale.queries.scale import countable, shifts_for
from rulesets.scale.rules.scale import Settings

AT_ONCE = 2_000  # rolls
HEADS = (
    gettext_lazy("Rolls"),
    gettext_lazy("Up"),
    gettext_lazy("Down"),
    gettext_lazy("Total"),
    gettext_lazy("Expected"),
)


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


def _given(rolls: float, up: float, down: float, drift: float) -> Given:
    return Given(int(rolls), int(up), int(down), drift)


def _words(given: Given) -> tuple[str, ...]:
    average = f"{given.drift:+.1f}".replace("-", "\N{MINUS SIGN}").replace(".", get_format("DECIMAL_SEPARATOR"))
    return str(given.rolls), signed(given.up), signed(given.down), signed(given.up + given.down), average


class ScaleColumns(Columns):
    def reader(
        self, rolls: QuerySet[Roll], settings: RollSettings
    ) -> Callable[[UUID, str, Mapping[str, Any]], Given | None]:
        """Return a function that gives figures of each of these rolls that moved a Scale, and None for the others."""
        deltas, chosen = _deltas(rolls), settings.of(Settings)

        def given(roll: UUID, system: str, terms: Mapping[str, Any]) -> Given | None:
            counted, delta = countable(system), deltas.get(roll)
            if delta is None or counted is None:
                return None
            return Given(1, max(delta, 0), min(delta, 0), float(mean(shifts_for(counted, dict(terms), chosen))))

        return given

    def section(self, summed: Sequence[tuple[str, Sequence[float]]]) -> Section | None:
        """Return the table, those who gave most first."""
        given = [(name, _given(*numbers)) for name, numbers in summed]
        in_order = sorted(given, key=lambda named: -(named[1].up + named[1].down))
        rows = [Row(name, tuple(map(Cell, _words(given)))) for name, given in in_order]
        return table_of(
            "scale", _("Given to the Scale"), _("And what these rolls would give on average"), [*map(str, HEADS)], rows
        )
