"""Load shedding: a process takes in as many requests as it can answer in time, and answers the rest at once with 503.

Without a limit every request begins: threads and database connections run out, all wait for each other, and answers
come when nobody waits for them any more.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from api.problems import CONTENT_TYPE, PREFIX, body_of
from campaigns.metrics import REFUSED
from people.middleware import language_of_browser

App = Callable[[Any, Any, Any], Awaitable[None]]

log = logging.getLogger(__name__)

ALWAYS = ("/static/", "/healthz", "/readyz", "/metrics")
"""Paths that cost next to nothing or that load balancers check: a busy process must not look like a broken one."""
AGAIN = (3, 8)  # seconds until a page asks again by itself, anywhere between, so that not all come back at once
LONGEST_WAIT = 1.5
"""Seconds that a request may wait for a place: on a small machine, enough for a whole group that opens a page at once."""
SHORT_WAIT = 0.2
"""Seconds that it may wait once requests have been waiting for all of `LONGEST_WAIT`: this is overload then, not a
burst, and a long queue would only delay every answer (controlled delay, CoDel).
"""
QUIET = 10  # seconds without a refusal, after which the next one is logged again

# Of itself alone: its style sheet would be asked for just when there is too much to do.
PAGE = """\
<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title} · Afterburn</title></head>
<body><h1>{title}</h1>
<p>{busy}</p>
<p>{again}</p></body></html>
"""


BUSY = gettext_lazy("The server is busy. Nothing was changed. Try again in a moment.")


class Places:
    """Lets at most `at_once` requests in; `waiting` more wait in order, for `longest` seconds, or for `SHORT_WAIT` once
    the queue has not been empty for `longest` seconds. No table has more than half of either, so that one that is held
    up does not hold up the others.
    """

    def __init__(
        self, at_once: int, waiting: int, longest: float = LONGEST_WAIT, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once, self._most_waiting, self._longest, self._clock = at_once, waiting, longest, clock
        self._empty_at = clock()  # when nobody waited
        self._inside = Counter[str]()
        self._waiting: deque[tuple[str, asyncio.Future[None]]] = deque()

    async def take(self, table: str) -> bool:
        """Wait for a place; False where too many wait already, and where none comes in time."""
        if self._has_room(table):
            self._inside[table] += 1
            return True
        of_table = sum(other == table for other, _ in self._waiting)
        if len(self._waiting) >= self._most_waiting or of_table >= _half(self._most_waiting):
            return False
        patience = self._patience()
        mine = table, asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            await asyncio.wait([mine[1]], timeout=patience)
        except asyncio.CancelledError:
            self._withdraw(mine)
            raise
        if mine[1].done():
            return True
        self._waiting.remove(mine)
        return False

    def _patience(self) -> float:
        """Return how long a new request may wait, in seconds."""
        now = self._clock()
        if not self._waiting:
            self._empty_at = now
        return self._longest if now - self._empty_at <= self._longest else min(SHORT_WAIT, self._longest)

    def _withdraw(self, mine: tuple[str, asyncio.Future[None]]) -> None:
        if mine[1].done():
            self.leave(mine[0])  # the place came in the same moment
        else:
            self._waiting.remove(mine)

    def leave(self, table: str) -> None:
        self._inside[table] -= 1
        if not self._inside[table]:
            del self._inside[table]
        for waiter in [*self._waiting]:
            if self._has_room(waiter[0]):
                self._waiting.remove(waiter)
                self._inside[waiter[0]] += 1
                waiter[1].set_result(None)

    def _has_room(self, table: str) -> bool:
        return self._inside.total() < self._at_once and self._inside[table] < _half(self._at_once)


def _half(most: int) -> int:
    return max(most // 2, 1)


class LoadShedding:
    """ASGI: passes `app` no more requests than there are places.

    A request takes its place when all of it is here, so that a slow upload holds none, and leaves it when its answer
    begins, so that a slow reader of a long one holds none either.
    """

    def __init__(self, app: App, at_once: int, waiting: int) -> None:
        self.app = app
        self._places = Places(at_once, waiting)
        self._refused_at = -float(QUIET)

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        if scope["path"].startswith(ALWAYS):
            await self.app(scope, receive, send)
            return
        table, place = _table(scope["path"]), _Place(self._places)

        async def held() -> Any:
            message = await receive()
            ends = message["type"] == "http.request" and not message.get("more_body")
            if ends and not place.was_asked_for and not await place.take(table):
                return {"type": "http.disconnect"}
            return message

        async def told(message: Any) -> None:
            place.leave()
            await send(message)

        try:
            await self.app(scope, held, told)
        finally:
            place.leave()
        if place.was_refused:
            self._note()
            await _refuse(scope, send)

    def _note(self) -> None:
        """Log one line for a whole crowd of refusals."""
        REFUSED.labels(503).inc()
        now = time.monotonic()
        if now - self._refused_at >= QUIET:
            log.warning("Too many requests at once: those that find no place are answered with 503.")
        self._refused_at = now


class _Place:
    """That of one request."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._held: str | None = None
        self.was_asked_for = self.was_refused = False

    async def take(self, table: str) -> bool:
        self.was_asked_for = True
        if not await self._places.take(table):
            self.was_refused = True
            return False
        self._held = table
        return True

    def leave(self) -> None:
        if self._held is not None:
            self._places.leave(self._held)
            self._held = None


def _table(path: str) -> str:
    """Return the slug of the path's campaign, with a prefix for its API, so that programs do not take the places of
    people; "" for other paths.
    """
    match path.split("/"):
        case ["", "c", slug, *_]:
            return slug
        case ["", "api", _, "campaigns", slug, *_]:
            return f"{PREFIX}{slug}"
    return ""


async def _refuse(scope: dict[str, Any], send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer 503. A page that was only read reloads by itself; scripts tell people who sent a form (static/js/page.js)."""
    again = str(random.randint(*AGAIN)).encode()  # noqa: S311  # no secret
    is_program = scope["path"].startswith(PREFIX)
    headers = [
        (b"content-type", CONTENT_TYPE.encode() if is_program else b"text/html; charset=utf-8"),
        (b"retry-after", again),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    ]
    if scope["method"] == "GET" and b"hx-request" not in dict(scope["headers"]) and not is_program:
        headers.append((b"refresh", again))
    language = language_of_browser(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))
    with translation.override(language):
        body = json.dumps(body_of(503, BUSY)) if is_program else page(language)
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body.encode()})


def page(language: str) -> str:
    """Return the page that says so, in a language of the site."""
    again = _("A page reloads by itself in a few seconds. If you were sending something, send it again.")
    return PAGE.format(language=language, title=_("One moment"), busy=BUSY, again=again)
