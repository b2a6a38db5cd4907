"""What many tests begin with is made once in a run: its rows are remembered, and put back for each test that asks for it."""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from django.apps import apps
from django.db import connection, transaction
from django.db.models import AutoField

Made = TypeVar("Made")
Rows = dict[str, list[tuple[Any, ...]]]
Memory = tuple[Rows, bytes]
"""The rows, and what was made, pickled."""

RAISED = """
WITH sequence AS (SELECT pg_get_serial_sequence(%s, %s) AS name)
SELECT setval(name, GREATEST(nextval(name), (SELECT MAX({column}) FROM {table}))) FROM sequence
"""

_memories: dict[Callable[[], Any], Memory] = {}


def remembered(make: Callable[[], Made]) -> Made:
    """Return what `make` returns, with all the rows that it adds; the second time both come from memory, with the same ids.

    Call it before a test adds rows of its own, whose ids would be the same.
    """
    if make in _memories:
        return _recalled(_memories[make])
    fresh, _memories[make] = _made(make)
    return fresh


def remembered_by_all(make: Callable[[], Made], folder: Path) -> Made:
    """Do the same for all processes that share a folder, whose databases are copies of one: one makes it while the
    others wait.
    """
    if make in _memories:
        return _recalled(_memories[make])
    file = folder / f"{make.__module__}.{make.__qualname__}.pickle"
    with file.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if file.exists():
            _memories[make] = pickle.loads(file.read_bytes())
            recalled = _recalled(_memories[make])
            _number_on()
            return recalled
        fresh, _memories[make] = _made(make)
        file.write_bytes(pickle.dumps(_memories[make]))
        return fresh


def _made(make: Callable[[], Made]) -> tuple[Made, Memory]:
    before = _rows()
    fresh = make()
    added = {table: [row for row in rows if row not in before[table]] for table, rows in _rows().items()}
    return fresh, (added, pickle.dumps(fresh))


def _recalled(memory: Memory) -> Any:
    rows, made = memory
    _put_back(rows)
    return pickle.loads(made)


def _number_on() -> None:
    """Move PostgreSQL's sequences past inserted rows, which they do not count. They never go back, as other remembered
    rows have numbers too.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            if isinstance(model._meta.pk, AutoField):
                table, column = (
                    connection.ops.quote_name(name) for name in (model._meta.db_table, model._meta.pk.column)
                )
                cursor.execute(RAISED.format(table=table, column=column), [model._meta.db_table, model._meta.pk.column])


@cache
def _columns() -> tuple[tuple[str, str], ...]:
    """Return each table with its columns as SQL, without those that the database fills itself."""
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
