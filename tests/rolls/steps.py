"""How a procedure is acted in by hand: the step that a GM would take back, and what the button of an offer sends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection
from django.test.utils import CaptureQueriesContext

from rolls.models import Procedure
from rolls.queries.procedures import newest_steps
from rules.acts import ActKey, AvailableAct
from tests.standing import state_for


@contextmanager
def without_the_database() -> Iterator[None]:
    """Let events be drawn that ask the database for nothing but what is seen of procedures, and at which line GMs can undo it."""
    known = ('FROM "rolls_procedure"', 'FROM "campaigns_written"')
    with CaptureQueriesContext(connection) as asked:
        yield
    assert [one["sql"] for one in asked if not any(table in one["sql"] for table in known)] == []


def newest_step(procedure: Procedure) -> UUID | None:
    return newest_steps([procedure]).get(procedure.pk)


def offers(procedure: Procedure) -> Iterable[AvailableAct]:
    """Return all acts that are offered to anyone now."""
    row, table = state_for(Procedure.objects.get(pk=procedure.pk))
    return [one.available for one in row.offers(table, {})]


def seen(procedure: Procedure, act: str) -> ActKey:
    """Return the key that is sent for "ready:a" by a person who sees the current procedure; without a mark if it is not
    offered.
    """
    wanted = ActKey.parse(act)
    keys = (one.key for one in offers(procedure))
    return next((key for key in keys if (key.name, key.target) == (wanted.name, wanted.target)), wanted)


def pressed(procedure: Procedure, act: str) -> dict[str, str]:
    """Return the fields that are sent for it; those of a GM who allows it all the same for "ready:a!"."""
    field = "override" if act.endswith("!") else "act"
    return {field: str(seen(procedure, act.removesuffix("!")))}


def mark(procedure: Procedure, act: str) -> str | None:
    """Return the mark of what is seen now."""
    return seen(procedure, act).mark
