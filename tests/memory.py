"""What many tests begin with is made once in a process: its rows are remembered, and put back for each test that asks for it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django.apps import apps
from django.db import connection, transaction

Made = TypeVar("Made")
Rows = dict[str, list[tuple[Any, ...]]]

_memories: dict[Callable[[], Any], tuple[Rows, bytes]] = {}


def remembered(make: Callable[[], Made]) -> Made:
    """What `make` returns, with all the rows that it adds; the second time both come from memory, with the same ids.

    It has to be called before a test adds rows of its own, whose ids would be the same.
    """
    if make in _memories:
        rows, made = _memories[make]
        _put_back(rows)
        return pickle.loads(made)
    before = _rows()
    fresh = make()
    added = {table: [row for row in rows if row not in before[table]] for table, rows in _rows().items()}
    _memories[make] = (added, pickle.dumps(fresh))
    return fresh


def _columns() -> Iterator[tuple[str, str]]:
    """Each table with its columns as SQL, without those that the database fills itself."""
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            names = (connection.ops.quote_name(field.column) for field in model._meta.local_concrete_fields)
            yield connection.ops.quote_name(model._meta.db_table), ", ".join(names)


def _rows() -> Rows:
    found = {}
    with connection.cursor() as cursor:
        for table, columns in _columns():
            cursor.execute(f"SELECT {columns} FROM {table}")
            found[table] = cursor.fetchall()
    return found


def _put_back(rows: Rows) -> None:
    # In one transaction, at whose end alone the databases look whether what rows point at is there.
    with transaction.atomic(), connection.cursor() as cursor:
        for table, columns in _columns():
            if rows[table]:
                places = ", ".join(["%s"] * len(rows[table][0]))
                cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows[table])
