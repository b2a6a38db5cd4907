"""What all tests stand on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

import pytest
from django.db.backends.sqlite3.base import DatabaseOperations

from tests.cast import cast  # noqa: F401
from tests.dice import load, unload

TRIGGERS = import_module("campaigns.migrations.0002_triggers")


@pytest.fixture(scope="session", autouse=True)
def flush_gets_past_the_guard() -> Iterator[None]:
    """Between transactional tests Django empties every table; on SQLite it deletes rows, which the log's triggers refuse.

    PostgreSQL truncates, which they do not see. Tests of the triggers themselves are not touched by this.
    """
    plain = DatabaseOperations.sql_flush

    def sql_flush(self: DatabaseOperations, *args: object, **kwargs: object) -> list[str]:
        statements = plain(self, *args, **kwargs)
        return [*TRIGGERS.UNDO["sqlite"], *statements, *TRIGGERS.SQLITE] if statements else []

    DatabaseOperations.sql_flush = sql_flush
    yield
    DatabaseOperations.sql_flush = plain


@pytest.fixture
def dice() -> Iterator[Callable[..., None]]:
    """`dice(7, 1, 1, 3, 2)`: the faces that fall next, here and in the servers of the browser tests."""
    unload()
    yield load
    unload()
