"""What has to be kept while the database can be read and not written: in the memory of this process, until it can be again.

So people sign in and out while the disk is full, and attempts to guess a password are counted.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.db import DatabaseError

from database.fullness import is_full, log_unwritten

MOST = 5000  # sessions, or counts of attempts


class SharedCache(DatabaseCache):
    """Django's cache in the database. What cannot be written there is in this process alone, and found before what is there."""

    def __init__(self, table: str, params: dict[str, Any]) -> None:
        super().__init__(table, params)
        self._spare = LocMemCache("spare-cache", {"OPTIONS": {"MAX_ENTRIES": MOST}})

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


class SpareSessions:
    """Sessions by their keys: what is in one that could not be written, and that one is over whose row could not be deleted."""

    def __init__(self) -> None:
        self._kept = LocMemCache("spare-sessions", {"OPTIONS": {"MAX_ENTRIES": MOST}})

    def keep(self, key: str, data: str, seconds: int) -> None:
        self._kept.set(_name(key), data, seconds)

    def end(self, key: str, seconds: int) -> None:
        self._kept.set(_name(key), "", seconds)

    def forget(self, key: str | None) -> None:
        """The database has it as it is."""
        self._kept.delete(_name(key))

    def of(self, key: str | None) -> str | None:
        """What it holds, encoded; "" where it is over, None where the database knows."""
        session: str | None = self._kept.get(_name(key))
        return session


def _name(key: str | None) -> str:
    """Of a key that a browser sent, which may be anything."""
    return blake2b((key or "").encode(errors="replace"), digest_size=16).hexdigest()


def _only_if_full(what: str, error: DatabaseError) -> None:
    if not is_full(error):
        raise error
    log_unwritten(what, error)
