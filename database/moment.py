"""Reading all of a database as it stands at one moment, while others go on writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

# Not as Django begins a transaction, which on SQLite would keep everyone from writing.
BEGIN = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", "sqlite": "BEGIN DEFERRED"}


@contextmanager
def as_of_one_moment() -> Iterator[None]:
    """Read, and only read, as all stands at one moment; within a transaction, as that sees it."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
