"""Reading the past on a replica of the database, where DATABASE_REPLICA_URL names one (docs/scaling.md).

A view marked `reads_past` reads there; only who may enter is asked of the primary. All is read from the primary while the replica
lags or is gone, and for a browser that has written, or has come to something that was not there yet: how far the primary's log
of changes was then (LSN) stays with the browser's session, in a cookie.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from math import inf
from typing import Any, Final, TypeVar

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import DEFAULT_DB_ALIAS, Error, InterfaceError, OperationalError, connections
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse

from campaigns.errors import NotFound
from campaigns.models import ApiToken, Campaign, Invitation, Membership

log = logging.getLogger(__name__)
T = TypeVar("T")
View = Callable[..., HttpResponse]

REPLICA: Final = "replica"
SAFE = ("GET", "HEAD")
ASK_EVERY: Final = 0.5
"""Seconds after which a process asks both servers again how far they are."""
MOST_BEHIND: Final = 2.0
"""Seconds that the replica may lag; then it is left alone."""
COOKIE: Final = "written"
KEPT: Final = 60
"""Seconds for which a browser keeps that. A replica in use has all that is older than MOST_BEHIND."""
WRITTEN = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"
REPLAYED = "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END"

_reading: ContextVar[bool] = ContextVar("reading the past", default=False)


class Router:
    """Sends to the replica what a marked view reads, except who is asking and what they may enter."""

    DOORS = (get_user_model(), Session, Campaign, Membership, Invitation, ApiToken)

    def db_for_read(self, model: type[Model], **hints: object) -> str:
        return REPLICA if _reading.get() and not issubclass(model, self.DOORS) else DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Model], **hints: object) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Model, other: Model, **hints: object) -> bool:
        return True  # the rows of both are the same

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        return db == DEFAULT_DB_ALIAS


class Standing:
    """How far the replica is, as a thread of this process hears from both servers."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._has = 0
        self._until = -inf
        self._is_used = False

    def has(self, written: int) -> bool:
        """Return whether the replica has what was written up to there, and all that is older than MOST_BEHIND."""
        if self._thread is None:
            with self._starting:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._follow, name="replica", daemon=True)
                    self._thread.start()
        return written <= self._has and time.monotonic() - self._until <= MOST_BEHIND

    def leave(self, why: object) -> None:
        """Leave the replica alone until it is heard of again."""
        self._until = -inf
        self._say(False, why)

    def _follow(self) -> None:
        written: deque[tuple[float, int]] = deque(maxlen=1000)
        while True:
            try:
                written.append((time.monotonic(), _position(DEFAULT_DB_ALIAS, WRITTEN)))
                self._hear(_position(REPLICA, REPLAYED), written)
            except Error as error:
                self.leave(type(error).__name__)
            finally:
                for alias in (DEFAULT_DB_ALIAS, REPLICA):
                    connections[alias].close()
            time.sleep(ASK_EVERY)

    def _hear(self, replayed: int, written: deque[tuple[float, int]]) -> None:
        """Take in how far the replica is. It is as old as the last moment of which it has everything, whatever its clock says."""
        if not replayed:
            self.leave("it is no replica any more")
            return
        while written and written[0][1] <= replayed:
            self._until, _ = written.popleft()
        self._has = replayed
        self._say(time.monotonic() - self._until <= MOST_BEHIND, "it lags")

    def _say(self, is_used: bool, why: object = "") -> None:
        if self._is_used and not is_used:
            log.warning("The replica is left alone (%s): what has happened is read from the primary.", why)
        elif is_used and not self._is_used:
            log.warning("The replica is read.")
        self._is_used = is_used


standing = Standing()


def _position(alias: str, question: str) -> int:
    with connections[alias].cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0] or 0


def reads_past(*, but_live: bool = False) -> Callable[[View], View]:
    """Let a view, with its `member_view`, read from the replica for a GET. What is not there may be newer: the primary knows.

    With `but_live`, what a live page asks for again, because there is news, comes from the primary.
    """

    def decorate(view: View) -> View:
        if REPLICA not in settings.DATABASES:
            return view

        @functools.wraps(view)
        def read(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            of_past = request.method in SAFE and not (but_live and getattr(request, "htmx", None))
            if of_past and standing.has(_known(request)):
                try:
                    with _from_replica():
                        return view(request, *args, **kwargs)
                except (NotFound, Http404):
                    request.knows_newer = True  # type: ignore[attr-defined]
                except (OperationalError, InterfaceError) as error:
                    standing.leave(type(error).__name__)
            return view(request, *args, **kwargs)

        return read

    return decorate


def carried(pieces: Iterator[T]) -> Iterator[T]:
    """Return an iterator that goes on reading where the view that makes it reads, also when that has returned."""
    return _carried(pieces) if _reading.get() else pieces


def _carried(pieces: Iterator[T]) -> Iterator[T]:
    while True:
        with _from_replica():
            try:
                piece = next(pieces)
            except StopIteration:
                return
        yield piece


@contextmanager
def _from_replica() -> Iterator[None]:
    before = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(before)


def _known(request: HttpRequest) -> int:
    kept = request.COOKIES.get(COOKIE, "")
    return int(kept) if kept.isascii() and kept.isdecimal() and len(kept) < 20 else 0


class WrittenMiddleware:
    """Keeps in a browser with a session up to where it has written, or has read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if (request.method not in SAFE or hasattr(request, "knows_newer")) and answer.status_code < 500:
            self._keep(request, answer)
        return answer

    def _keep(self, request: HttpRequest, answer: HttpResponse) -> None:
        # Not in the session itself: requests at the same time would overwrite each other's, and all that is in there.
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            with suppress(Error):
                written = str(_position(DEFAULT_DB_ALIAS, WRITTEN))
                secure = settings.SESSION_COOKIE_SECURE
                answer.set_cookie(COOKIE, written, KEPT, secure=secure, httponly=True, samesite="Lax")
