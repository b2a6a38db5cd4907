"""Inserting rows with SQL that is put together once: the models' own fields and values, without what `save` does besides.

`Model.save` compiles its statement anew each time, which takes several times as long as the database needs for it. No signals are
sent, and defaults of the database, generated columns and parent tables are not known here: no model of these has any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model

M = TypeVar("M", bound=Model)


def insert(row: M) -> M:
    """Store a new row, which learns its id from the database where that gives it."""
    connection = connections[DEFAULT_DB_ALIAS]
    pk = row._meta.pk
    given_here = row.pk is not None
    fields = fields_of(type(row), without=() if given_here else (str(pk.column),))
    returning = "" if given_here else f" RETURNING {connection.ops.quote_name(str(pk.column))}"
    with connection.cursor() as cursor:
        cursor.execute(f"{_into(type(row), fields)} VALUES ({_places(fields)}){returning}", values_of(row, fields))
        if not given_here:
            row.pk = cursor.fetchone()[0]
    stored(row)
    return row


def insert_all(rows: Sequence[Model]) -> None:
    """Store new rows of one model whose ids nobody asks for."""
    if not rows:
        return
    model, connection = type(rows[0]), connections[DEFAULT_DB_ALIAS]
    fields = fields_of(model, without=() if rows[0].pk is not None else (str(model._meta.pk.column),))
    places = ", ".join(f"({_places(fields)})" for _ in rows)
    with connection.cursor() as cursor:
        cursor.execute(f"{_into(model, fields)} VALUES {places}", [v for row in rows for v in values_of(row, fields)])
    for row in rows:
        stored(row)


def by_model(rows: Sequence[M]) -> list[tuple[type[M], list[M]]]:
    """Rows that stand side by side, together where they are of one model."""
    key: Callable[[M], type[M]] = type
    return [(model, list(same)) for model, same in groupby(rows, key)]


def stored(row: Model) -> None:
    """Let a row know that it is in the database."""
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


@lru_cache
def fields_of(model: type[Model], *, without: tuple[str, ...] = ()) -> tuple[Field[Any, Any], ...]:
    """The fields that have a column of their own, but for these columns."""
    return tuple(field for field in model._meta.local_concrete_fields if field.column not in without)


def values_of(row: Model, fields: Sequence[Field[Any, Any]]) -> list[Any]:
    """Their values as the driver of the database takes them."""
    connection = connections[DEFAULT_DB_ALIAS]
    return [field.get_db_prep_save(getattr(row, field.attname), connection=connection) for field in fields]


@lru_cache
def names(model: type[Model], fields: Sequence[Field[Any, Any]], *first: str) -> str:
    """A table and its columns, as they stand after INSERT INTO."""
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    columns = ", ".join([*first, *(quote(str(field.column)) for field in fields)])
    return f"{quote(model._meta.db_table)} ({columns})"


def _into(model: type[Model], fields: Sequence[Field[Any, Any]]) -> str:
    return f"INSERT INTO {names(model, tuple(fields))}"


def _places(fields: Sequence[Field[Any, Any]]) -> str:
    return ", ".join(["%s"] * len(fields))
