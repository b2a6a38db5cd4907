"""Django's sessions in the database; those that cannot be written there are kept in the memory of this process."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from hashlib import blake2b
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.core.cache.backends.locmem import LocMemCache
from django.db import DatabaseError
from django.utils import timezone

from database.fullness import MOST_KEPT, is_full, log_unwritten


class SpareSessions:
    """Sessions by their keys: the data of one that could not be written, and the end of one whose row could not be deleted."""

    def __init__(self) -> None:
        self._kept = LocMemCache("spare-sessions", {"OPTIONS": {"MAX_ENTRIES": MOST_KEPT}})

    def keep(self, key: str, data: str, seconds: int) -> None:
        self._kept.set(_name(key), data, seconds)

    def end(self, key: str, seconds: int) -> None:
        self._kept.set(_name(key), "", seconds)

    def forget(self, key: str | None) -> None:
        """Forget a session that the database has as it is."""
        self._kept.delete(_name(key))

    def of(self, key: str | None) -> str | None:
        """Return the session's data, encoded; "" if it has ended, None if only the database knows."""
        session: str | None = self._kept.get(_name(key))
        return session


spare = SpareSessions()


class SessionStore(db.SessionStore):
    def save(self, must_create: bool = False) -> None:
        if self.session_key is None:
            return self.create()  # which saves it under a new key
        new = must_create or bool(spare.of(self.session_key) and not super().exists(str(self.session_key)))
        try:
            super().save(must_create=new)
        except (DatabaseError, UpdateError) as error:
            if not is_full(error):
                raise
            log_unwritten("a session", error)
            data = self.encode(dict(self.items()))
            spare.keep(str(self.session_key), data, self.get_expiry_age())
        else:
            spare.forget(self.session_key)

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        try:
            super().delete(session_key)
        except DatabaseError as error:
            if not is_full(error):
                raise
            log_unwritten("the end of a session", error)
            spare.end(str(key), self.get_session_cookie_age())
        else:
            spare.forget(key)

    def exists(self, session_key: str) -> bool:
        return spare.of(session_key) is not None or bool(super().exists(session_key))

    def _get_session_from_db(self) -> Any:
        kept = spare.of(self.session_key)
        if kept is None:
            return super()._get_session_from_db()  # type: ignore[misc]  # which its stubs do not know
        session = _spared(self, kept)
        if session is None:
            self._session_key = None
        return session


def live(keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the data of those sessions that have not ended, by their keys."""
    asked = {*keys}
    rows = Session.objects.filter(session_key__in=asked, expire_date__gt=timezone.now())
    sessions = {row.session_key: row.get_decoded() for row in rows}
    for key in asked:
        if (kept := spare.of(key)) is not None:
            sessions.pop(key, None)
            if kept:
                sessions[key] = SessionStore().decode(kept)
    return sessions


def going_on(keys: Iterable[str]) -> set[str]:
    """Return those of these sessions that go on."""
    asked = {*keys}
    rows = Session.objects.filter(session_key__in=asked, expire_date__gt=timezone.now())
    stored = {*rows.values_list("session_key", flat=True)}
    kept = {key: spare.of(key) for key in asked}
    return {key for key in asked if (key in stored if kept[key] is None else kept[key])}


def _spared(store: SessionStore, kept: str) -> Session | None:
    if not kept:
        return None
    # Into the database as soon as it can be written again.
    store.modified = True
    return Session(
        session_key=str(store.session_key), session_data=kept, expire_date=timezone.now() + timedelta(hours=1)
    )


def _name(key: str | None) -> str:
    """Return the name under which a key that a browser sent, which may be anything, is kept."""
    return blake2b((key or "").encode(errors="replace"), digest_size=16).hexdigest()
