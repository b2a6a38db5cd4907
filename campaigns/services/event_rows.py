"""The rows of one event, stored together in SQL that is put together once: `bulk_create` takes a fifth more of every operation.

Statements cost more than rows: each is a way to the database and back, and most of the time that an operation holds its table.
PostgreSQL takes all rows of an event in one statement, which SQLite cannot; there no way is saved by it either.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model

from campaigns.models import Event, EventIndex, EventPayload, EventSubject, Stream

AFTER_THE_EVENT = ("id", "event_id")
"""Columns that have no value before the event has an id."""

# No words of others stand in these statements: tables and columns of our own, and places for values.
MOVE_ON = f"UPDATE {Stream._meta.db_table} SET seq = %s, head = %s WHERE id = %s"  # noqa: S608

Beside = EventPayload | EventIndex | EventSubject


def store(event: Event, beside: Sequence[Beside]) -> None:
    """Insert an event and the rows beside it, which get it as their `event`; those of one model stand side by side. Its stream
    goes on to `seq` and `head` as they are in `event.stream`."""
    connection, stream = connections[DEFAULT_DB_ALIAS], event.stream
    tables = [(model, list(rows)) for model, rows in groupby(beside, type)]
    moved: list[Any] = [stream.seq, stream.head, stream.pk]
    values = _values(event)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            values = [*moved, *values, *(value for row in beside for value in _values(row))]
            cursor.execute(_statement(*((model, len(rows)) for model, rows in tables)), values)
            event.pk = cursor.fetchone()[0]
        else:
            cursor.execute(MOVE_ON, moved)
            cursor.execute(f"{_insert(Event)} VALUES {_places(Event)} RETURNING id", values)
            event.pk = cursor.fetchone()[0]
            for model, rows in tables:
                places = ", ".join([_places(model, "%s, ")] * len(rows))
                values = [value for row in rows for value in (event.pk, *_values(row))]
                cursor.execute(f"{_insert(model, 'event_id, ')} VALUES {places}", values)
    for row in beside:
        row.event = event
    for stored in (event, *beside):
        stored._state.adding, stored._state.db = False, DEFAULT_DB_ALIAS


@cache
def _statement(*beside: tuple[type[Model], int]) -> str:
    """Return the statement with which PostgreSQL stores an event and so many rows of these models."""
    parts = [f"stream AS ({MOVE_ON})", f"event AS ({_insert(Event)} VALUES {_places(Event)} RETURNING id)"]
    for model, count in beside:
        rows = ", ".join([_places(model)] * count)
        inserted = f"{_insert(model, 'event_id, ')} SELECT event.id, beside.* FROM event, (VALUES {rows}) AS beside"  # noqa: S608
        parts.append(f"{model._meta.model_name} AS ({inserted})")
    return f"WITH {', '.join(parts)} SELECT id FROM event"  # noqa: S608


@cache
def _fields(model: type[Model]) -> tuple[Field[Any, Any], ...]:
    return tuple(field for field in model._meta.local_concrete_fields if field.column not in AFTER_THE_EVENT)


def _values(row: Model) -> list[Any]:
    """Return what stands in the row's fields, as the driver of the database takes it."""
    connection = connections[DEFAULT_DB_ALIAS]
    return [field.get_db_prep_save(getattr(row, field.attname), connection=connection) for field in _fields(type(row))]


@cache
def _insert(model: type[Model], first: str = "") -> str:
    columns = ", ".join(connections[DEFAULT_DB_ALIAS].ops.quote_name(str(field.column)) for field in _fields(model))
    return f"INSERT INTO {model._meta.db_table} ({first}{columns})"


@cache
def _places(model: type[Model], first: str = "") -> str:
    # To PostgreSQL a value in a list of VALUES is a text unless it says what it is.
    connection = connections[DEFAULT_DB_ALIAS]
    of_type = "::{}" if connection.vendor == "postgresql" else ""
    places = (f"%s{of_type.format(field.db_type(connection))}" for field in _fields(model))
    return f"({first}{', '.join(places)})"
