"""Of SQLite: a copy as of one moment, while others may go on writing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

from config.keeping.errors import Unusable, refuse_what_is_newer


def backup(file: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)
        # One file, with nothing beside it that could be forgotten.
        copy.execute("PRAGMA journal_mode=DELETE")


def restore(file: Path) -> None:
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as copy:
        try:
            whole = copy.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            applied = copy.execute("SELECT app, name FROM django_migrations").fetchall()
        except sqlite3.DatabaseError:
            raise Unusable(f"{file} is no backup of an SQLite database.") from None
        if not whole:
            raise Unusable(f"{file} is damaged.")
        refuse_what_is_newer(applied)
        connection.ensure_connection()
        copy.backup(connection.connection)
    # What it knew of the database before is no longer so.
    connection.close()
