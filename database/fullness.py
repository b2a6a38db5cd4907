"""A disk that is full, or that nobody may write on any more: what is only noted is left out then, and reading goes on."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable

from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connections, transaction

log = logging.getLogger(__name__)

SAID_BY_SQLITE = ("is full", "disk i/o error", "readonly database")
DISK_FULL, READ_ONLY = "53100", "25006"  # PostgreSQL's codes

_held: list[sqlite3.Connection] = []


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or what it came from, says that nothing can be written."""
    while error is not None:
        if getattr(error, "sqlstate", "") in (DISK_FULL, READ_ONLY):
            return True
        if isinstance(error, OperationalError) and any(words in str(error).lower() for words in SAID_BY_SQLITE):
            return True
        error = error.__cause__ or error.__context__
    return False


def write_unless_full(what: str, write: Callable[[], object]) -> None:
    """Write what nobody's request depends on: where it cannot be written, an error is logged instead."""
    try:
        with transaction.atomic():
            write()
    except DatabaseError as error:
        if not is_full(error):
            raise
        log_unwritten(what, error)


def log_unwritten(what: str, error: BaseException) -> None:
    log.error("Nothing can be written, so this was left out: %s (%s)", what, error)


def hold_open() -> None:
    """Keep SQLite's database open for as long as this process lives.

    With its last connection SQLite takes away the files beside a database, and to make them anew takes room on the disk, without
    which nothing could be read either.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor == "sqlite" and not _held:
        kept = sqlite3.connect(connection.get_connection_params()["database"], uri=True, check_same_thread=False)
        # Only what has been read once has these files.
        kept.execute("PRAGMA schema_version").fetchone()
        _held.append(kept)
