"""On which database a test runs, how its tables come to be there, and how they become empty again in little time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest
from django.db import connection, transaction

TRIGGERS = import_module("campaigns.migrations.0002_triggers")
BOTH = ("sqlite", "postgresql")
# In its own process and without a server, SQLite takes a third of the time.
ORDINARY = ("sqlite",)
KEPT = {"django_content_type", "auth_permission"}


def runs_here(item: pytest.Item, *, once: bool) -> bool:
    """Return whether a test belongs to this run, on its database.

    Tests without a database run beside SQLite only. All others run wherever they are asked for; with `once`, when two
    runs share the tests, on SQLite alone, but transactional tests run on both, because commits, locks, notifications
    and migrations are what differs, and tests marked `run_on` run where that says.

    Tests marked `only_on` are about something that no other database has, and never run elsewhere.
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
def copied(template: str) -> Iterator[bool]:
    """Put a copy of this file where Django looks for the SQLite database of the tests, so that nothing is left to migrate.

    Yields whether it did: without a template Django makes the database, and on PostgreSQL it does the same by the TEMPLATE in
    tests/settings.py.
    """
    if connection.vendor != "sqlite" or not template:
        yield False
        return
    file = Path(connection.settings_dict["TEST"]["NAME"])
    shutil.copyfile(template, file)
    yield True
    connection.close()
    for left in file.parent.glob(f"{file.name}*"):
        left.unlink()


def empty() -> None:
    """Delete every row but those of KEPT, past the triggers that guard the log, and on PostgreSQL past references, too."""
    tables = (table for table in connection.introspection.django_table_names(only_existing=True) if table not in KEPT)
    deletions = [f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables]
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in (*TRIGGERS.UNDO["sqlite"], *deletions, *TRIGGERS.SQLITE):
                cursor.execute(statement)
        else:
            role = "SET session_replication_role ="
            cursor.execute("; ".join([f"{role} replica", *deletions, f"{role} origin"]))


@contextmanager
def another_database(name: str) -> Iterator[None]:
    """Let a transactional test work on the database of this name inside (on SQLite: this file), which need not have tables."""
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
