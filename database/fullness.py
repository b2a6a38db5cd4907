"""A full or read-only disk: optional writes are skipped, and reading goes on."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connections, transaction

log = logging.getLogger(__name__)

SAID_BY_SQLITE = ("is full", "disk i/o error", "readonly database")
DISK_FULL, READ_ONLY = "53100", "25006"  # PostgreSQL's codes
MOST_KEPT = 5000  # sessions, or counts of attempts, in the memory of a process

_held: list[sqlite3.Connection] = []


def is_full(error: BaseException | None) -> bool:
    """Return whether an error, or its cause, says that nothing can be written."""
    while error is not None:
        if getattr(error, "sqlstate", "") in (DISK_FULL, READ_ONLY):
            return True
        if isinstance(error, OperationalError) and any(words in str(error).lower() for words in SAID_BY_SQLITE):
            return True
        error = error.__cause__ or error.__context__
    return False


def write_unless_full(what: str, write: Callable[[], object]) -> None:
    """Write something that no request depends on: if it cannot be written, an error is logged instead."""
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

    With its last connection SQLite deletes the files beside a database, and creating them again takes space on the
    disk, without which nothing could be read either.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor == "sqlite" and not _held:
        kept = sqlite3.connect(connection.get_connection_params()["database"], uri=True, check_same_thread=False)
        # These files exist only after the first read.
        kept.execute("PRAGMA schema_version").fetchone()
        _held.append(kept)


class SharedCache(DatabaseCache):
    """Django's cache in the database. Values that cannot be written there are kept in this process, and found first."""

    def __init__(self, table: str, params: dict[str, Any]) -> None:
        super().__init__(table, params)
        self._spare = LocMemCache("spare-cache", {"OPTIONS": {"MAX_ENTRIES": MOST_KEPT}})

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        return super().get_many(keys, version) | self._spare.get_many(keys, version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        if self._base_set("set", self.make_and_validate_key(key, version=version), value, timeout):
            self._spare.delete(key, version)
        else:
            self._spare.set(key, value, timeout, version)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        if self._spare.has_key(key, version):
            return False
        if super().add(key, value, timeout, version):
            return True
        # Either it is there, or it could not be written.
        return super().get(key, None, version) is None and self._spare.add(key, value, timeout, version)

    def delete(self, key: Any, version: int | None = None) -> bool:
        spared = self._spare.delete(key, version)
        return super().delete(key, version) or spared

    def _base_set(self, mode: str, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT) -> bool:
        try:
            return bool(super()._base_set(mode, key, value, timeout))  # type: ignore[misc]
        except DatabaseError as error:
            _only_if_full("an entry of the shared cache", error)
            return False

    def _base_delete_many(self, keys: Any) -> bool:
        try:
            return bool(super()._base_delete_many(keys))  # type: ignore[misc]
        except DatabaseError as error:
            _only_if_full("the end of an entry of the shared cache", error)
            return False


def _only_if_full(what: str, error: DatabaseError) -> None:
    if not is_full(error):
        raise error
    log_unwritten(what, error)
