"""The rows of one event, stored together: its stream that moves on, the event, what it says, and by what it is found.

Statements cost more than rows: each is a way to the database and back, and most of the time that an operation holds its table.
PostgreSQL takes all these rows in one, which SQLite cannot; there no way is saved by it either.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from campaigns.models import Event, EventIndex, EventPayload, EventSubject

MOVED = ("seq", "head")
"""What an event changes of its stream."""

Beside = EventPayload | EventIndex | EventSubject


def store(event: Event, beside: Sequence[Beside]) -> None:
    """Insert an event and what belongs to it, which names it as its `event`; those of one model stand side by side. Its stream
    goes on to `seq` and `head` as they are in `event.stream`."""
    if connection.vendor == "postgresql":
        _in_one_statement(event, beside)
    else:
        event.stream.save(update_fields=MOVED)
        event.save(force_insert=True)
        for model, rows in _by_model(beside):
            model._default_manager.bulk_create(rows)
    for row in beside:
        # It learns the id that the event has by now.
        row.event = event


def _in_one_statement(event: Event, beside: Sequence[Beside]) -> None:
    fields, stream = _fields(Event), event.stream
    # No words of others stand in these: columns of our own, and places for values.
    parts = [
        f"stream AS (UPDATE {stream._meta.db_table} SET {', '.join(f'{name} = %s' for name in MOVED)} WHERE id = %s)",  # noqa: S608
        f"event AS (INSERT INTO {_names(Event, fields)} VALUES {_places(fields)} RETURNING id)",  # noqa: S608
    ]
    values = [*(getattr(stream, name) for name in MOVED), stream.pk, *_values(event, fields)]
    for model, rows in _by_model(beside):
        fields = _fields(model)
        places = ", ".join(_places(fields) for _ in rows)
        parts.append(
            f"{model._meta.model_name} AS (INSERT INTO {_names(model, fields, 'event_id')} "  # noqa: S608
            f"SELECT event.id, one.* FROM event, (VALUES {places}) AS one)"
        )
        values += [value for row in rows for value in _values(row, fields)]
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {', '.join(parts)} SELECT id FROM event", values)  # noqa: S608
        event.pk = cursor.fetchone()[0]
    event._state.adding, event._state.db = False, connection.alias


def _by_model(rows: Sequence[Beside]) -> list[tuple[type[Model], list[Beside]]]:
    return [(model, list(same)) for model, same in groupby(rows, type)]


def _fields(model: type[Model]) -> list[Field[Any, Any]]:
    """Those that have a value before the event has an id."""
    return [field for field in model._meta.local_concrete_fields if field.column not in ("id", "event_id")]


def _names(model: type[Model], fields: Sequence[Field[Any, Any]], *first: str) -> str:
    columns = ", ".join([*first, *(connection.ops.quote_name(str(field.column)) for field in fields)])
    return f"{connection.ops.quote_name(model._meta.db_table)} ({columns})"


def _places(fields: Sequence[Field[Any, Any]]) -> str:
    # A value in a list of VALUES is a text unless it says what it is.
    return f"({', '.join(f'%s::{field.db_type(connection)}' for field in fields)})"


def _values(row: Model, fields: Sequence[Field[Any, Any]]) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection=connection) for field in fields]
