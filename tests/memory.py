"""What many tests begin with is made once in a process: its rows are remembered, and put back for each test that asks for it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
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


@cache
def _columns() -> tuple[tuple[str, str], ...]:
    """Each table with its columns as SQL, without those that the database fills itself."""
    models = (model._meta for model in apps.get_models(include_auto_created=True))
    quoted = connection.ops.quote_name
    return tuple(
        (quoted(meta.db_table), ", ".join(quoted(field.column) for field in meta.local_concrete_fields))
        for meta in models
        if meta.managed and not meta.proxy
    )


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
            if not rows[table]:
                continue
            if connection.vendor == "postgresql":
                # A statement for each row took several times as long.
                with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                    for row in rows[table]:
                        copy.write_row(row)
            else:
                places = ", ".join(["%s"] * len(rows[table][0]))
                cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows[table])
