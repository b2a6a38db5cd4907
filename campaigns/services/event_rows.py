"""The rows of one event, stored together: its stream that moves on, the event, what it says, and by what it is found.

Statements cost more than rows: each is a way to the database and back, and most of the time that an operation holds its table.
PostgreSQL takes all these rows in one, which SQLite cannot; there no way is saved by it either.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model

from campaigns.models import Event, EventIndex, EventPayload, EventSubject, Stream
from database.rows import by_model, fields_of, insert, insert_all, names, stored, values_of

MOVED = ("seq", "head")
"""What an event changes of its stream."""
LATER = ("id", "event_id")
"""Columns that have no value before the event has an id."""

Beside = EventPayload | EventIndex | EventSubject


def store(event: Event, beside: Sequence[Beside]) -> None:
    """Insert an event and what belongs to it, which names it as its `event`; those of one model stand side by side. Its stream
    goes on to `seq` and `head` as they are in `event.stream`."""
    if connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
        _in_one_statement(event, beside)
    else:
        _one_by_one(event, beside)


def _learn_id(event: Event, beside: Sequence[Beside]) -> None:
    for row in beside:
        row.event = event


def _one_by_one(event: Event, beside: Sequence[Beside]) -> None:
    stream = event.stream
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(MOVE_ON, [stream.seq, stream.head, stream.pk])
    insert(event)
    _learn_id(event, beside)
    for _, rows in by_model(beside):
        insert_all(rows)


# No words of others stand in these statements: columns of our own, and places for values.
MOVE_ON = f"UPDATE {Stream._meta.db_table} SET {', '.join(f'{name} = %s' for name in MOVED)} WHERE id = %s"  # noqa: S608


def _in_one_statement(event: Event, beside: Sequence[Beside]) -> None:
    stream, fields = event.stream, fields_of(Event, without=LATER)
    models = by_model(beside)
    values = [stream.seq, stream.head, stream.pk, *values_of(event, fields)]
    for model, rows in models:
        fields = fields_of(model, without=LATER)
        values += [value for row in rows for value in values_of(row, fields)]
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(_statement(*((model, len(rows)) for model, rows in models)), values)
        event.pk = cursor.fetchone()[0]
    stored(event)
    _learn_id(event, beside)
    for row in beside:
        stored(row)


@cache
def _statement(*beside: tuple[type[Model], int]) -> str:
    """The statement that stores an event with so many rows of these models."""
    parts = [
        f"stream AS ({MOVE_ON})",
        f"event AS (INSERT INTO {names(Event, fields_of(Event, without=LATER))} VALUES {_places(Event)} RETURNING id)",  # noqa: S608
    ]
    for model, count in beside:
        into = names(model, fields_of(model, without=LATER), "event_id")
        places = ", ".join([_places(model)] * count)
        parts.append(
            f"{model._meta.model_name} AS (INSERT INTO {into} "  # noqa: S608
            f"SELECT event.id, one.* FROM event, (VALUES {places}) AS one)"
        )
    return f"WITH {', '.join(parts)} SELECT id FROM event"  # noqa: S608


def _places(model: type[Model]) -> str:
    # A value in a list of VALUES is a text unless it says what it is.
    connection = connections[DEFAULT_DB_ALIAS]
    kinds = (field.db_type(connection) for field in fields_of(model, without=LATER))
    return f"({', '.join(f'%s::{kind}' for kind in kinds)})"
