"""On which database a test runs, and how its tables come to be there and become empty again in little time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest
from django.core.management.color import Style
from django.core.management.commands import flush
from django.db import OperationalError, connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.postgresql.base import DatabaseOperations as PostgresOperations
from django.db.backends.sqlite3.base import DatabaseOperations as SqliteOperations
from django.db.backends.sqlite3.creation import DatabaseCreation as SqliteCreation

TRIGGERS = import_module("campaigns.migrations.0002_triggers")
BOTH = ("sqlite", "postgresql")
# In its own process and without a server, SQLite takes a third of the time.
ORDINARY = ("sqlite",)
KEPT = {"django_content_type", "auth_permission"}
DEADLOCKS = 5
"""How often a database is emptied until that is done: of two transactions in a deadlock PostgreSQL lets one go on."""


def runs_here(item: pytest.Item, *, once: bool) -> bool:
    """Whether a test belongs to this run, on the database that it has.

    What asks for no database runs beside SQLite, and is left out on PostgreSQL: it would say the same again. All else runs
    wherever it is asked for; with `once`, where two runs share the tests, on SQLite alone, but

    * transactional tests on both: what commits, locks, listens or migrates is what differs;
    * those marked `run_on` where that says.

    What is marked `only_on` is about something that no other database has, and is never there elsewhere.
    """
    only = item.get_closest_marker("only_on")
    if only:
        return connection.vendor in only.args
    fixtures = getattr(item, "fixturenames", ())
    marker, elsewhere = item.get_closest_marker("django_db"), item.get_closest_marker("run_on")
    if not marker and "db" not in fixtures and "transactional_db" not in fixtures:
        return connection.vendor == "sqlite"
    transactional = "transactional_db" in fixtures or (marker is not None and marker.kwargs.get("transaction"))
    shared = elsewhere.args if elsewhere else BOTH if transactional else ORDINARY
    return not once or connection.vendor in shared


@contextmanager
def copied_from(template: str) -> Iterator[None]:
    """Inside, SQLite databases of tests are made as copies of this file ("" for none), so that nothing is left to migrate.

    PostgreSQL's are copies by `TEMPLATE` in tests/settings.py.
    """
    plain = SqliteCreation._create_test_db

    def create(self: SqliteCreation, *args: Any, **kwargs: Any) -> str:
        name: str = plain(self, *args, **kwargs)
        if template:
            shutil.copyfile(template, name)
        return name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteCreation, "_create_test_db", create)
        yield


@contextmanager
def another_database(name: str) -> Iterator[None]:
    """Inside, a transactional test works on the database of this name (on SQLite: in this file), which need not have tables."""
    tests = connection.settings_dict["NAME"]
    _go_to(name)
    try:
        yield
    finally:
        _go_to(tests)


def _go_to(name: str) -> None:
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()
    connection.settings_dict["NAME"] = name


@contextmanager
def emptied_quickly() -> Iterator[None]:
    """Inside, what Django does after each transactional test takes next to no time.

    On SQLite it deletes rows, which the log's triggers refuse. On PostgreSQL it truncates, which makes the files of every table
    anew; there are few rows in tests, so they are deleted there, too, past triggers and references. Kinds of content and
    permissions stay, and need not be made again. Tests of the triggers themselves are not touched by this.
    """

    def deletions(self: BaseDatabaseOperations, style: Style, tables: Sequence[str], **_: Any) -> list[str]:
        every = [f"DELETE FROM {self.quote_name(table)}" for table in tables if table not in KEPT]
        if connection.vendor == "sqlite":
            return [*TRIGGERS.UNDO["sqlite"], *every, *TRIGGERS.SQLITE] if every else []
        role = "SET session_replication_role ="
        return ["; ".join([f"{role} replica", *every, f"{role} origin"])] if every else []

    def again(self: PostgresOperations, statements: Sequence[str]) -> None:
        # A socket of the test may still be saying that it has left, in a thread, and hold what is deleted here in another order.
        for turns_left in reversed(range(DEADLOCKS)):
            try:
                BaseDatabaseOperations.execute_sql_flush(self, statements)
            except OperationalError:
                if not turns_left:
                    raise
            else:
                return

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteOperations, "sql_flush", deletions)
        patch.setattr(PostgresOperations, "execute_sql_flush", again, raising=False)
        patch.setattr(PostgresOperations, "sql_flush", deletions)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_, **__: None)
        yield
