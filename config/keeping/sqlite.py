"""Of SQLite: a copy as of one moment, while others may go on writing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

from config.keeping.errors import Unusable, refuse_nobodys, refuse_other_versions


def backup(file: Path) -> None:
    # Unlike a copy page by page, this leaves out deleted data, and a damaged page is never taken for an empty one.
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(file)])
    with closing(sqlite3.connect(file)) as copy:
        # One file, without others that could be forgotten.
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
        refuse_other_versions(applied)
        refuse_nobodys(lambda table: _has_rows(copy, table))
        _hand_over(Path(connection.settings_dict["NAME"]))
        connection.ensure_connection()
        copy.backup(connection.connection)
    # Its cached knowledge of the database is no longer valid.
    connection.close()


def clear() -> None:
    """Take the whole file away; the next who asks makes a new one."""
    connection.close()
    file = Path(connection.settings_dict["NAME"])
    for beside in ("", "-wal", "-shm"):
        file.with_name(file.name + beside).unlink(missing_ok=True)


def _has_rows(copy: sqlite3.Connection, table: str) -> bool:
    try:
        return bool(copy.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").fetchone()[0])  # noqa: S608  # a table of ours
    except sqlite3.OperationalError:
        return False


def _hand_over(file: Path) -> None:
    """Give a new database file to the owner of its folder, who serves it, even if root makes or restores it; nobody
    else may read it.
    """
    if not file.exists():
        file.touch(0o600)
    folder = file.parent.stat()
    if os.geteuid() == 0 and file.stat().st_uid == 0 != folder.st_uid:
        file.chmod(0o600)
        os.chown(file, folder.st_uid, folder.st_gid)
