"""Middleware of the whole site: places for requests, and pages that are sent compressed."""

from __future__ import annotations

import logging
import random
import re
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from threading import BoundedSemaphore
from time import monotonic

import brotli  # comes with whitenoise
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy

from api.problems import PREFIX, problem
from people.middleware import language_of

# No more requests are begun than a process can answer in time: others wait a moment for a place, or are answered 503.


ALWAYS = ("/healthz", "/readyz", "/metrics")  # load balancers ask: a busy process must not look like a broken one
LONGEST_WAIT = 1.5  # seconds: on a small machine, enough for a whole group that opens a page at once
log = logging.getLogger(__name__)
BUSY = gettext_lazy("The server is busy. Nothing was changed. Try again in a moment.")


class PlacesMiddleware:
    """Lets `REQUESTS_AT_ONCE` requests in, and `REQUESTS_WAITING` wait, each in its own thread. No table has more than half of
    either. Slow lines hold no place: a request is here as a whole before, and its answer is sent after this."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response, self._refused_at = get_response, 0.0
        most = settings.REQUESTS_AT_ONCE + settings.REQUESTS_WAITING, settings.REQUESTS_AT_ONCE
        here, answered = map(BoundedSemaphore, most)
        # By hash: addresses of tables that there are not take no room.
        halves = [[BoundedSemaphore(max(places // 2, 1)) for places in most] for _ in range(64)]
        self._ways = [(door, here, place, answered) for door, place in halves]

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(ALWAYS):
            return self.get_response(request)
        # /c/<slug>, or /api/v1/campaigns/<slug>: programs take no places of the people at their table.
        table = "/".join(request.path.split("/")[: 5 if request.path.startswith(PREFIX) else 3])
        until = monotonic() + LONGEST_WAIT
        with ExitStack() as held:
            for step, places in enumerate(self._ways[hash(table) % len(self._ways)]):
                if not places.acquire(timeout=max(until - monotonic(), 0) if step > 1 else 0):
                    return self._refuse(request)
                held.callback(places.release)
            return self.get_response(request)

    def _refuse(self, request: HttpRequest) -> HttpResponse:
        """Answer 503. A page that was only read reloads by itself; scripts tell people who sent a form (static/js/page.js)."""
        if monotonic() - self._refused_at > 10:  # a crowd is one line
            log.warning("Too many requests at once: those that find no place are answered with 503.")
        self._refused_at, again = monotonic(), random.randint(3, 8)  # noqa: S311  # so that not all come back at once
        with translation.override(language_of("", request)):
            answer = problem(503, BUSY)
            if not request.path.startswith(PREFIX):
                answer = HttpResponse(
                    render_to_string("busy.html", {"again": again, "method": request.method}), status=503
                )
        answer["Retry-After"] = str(again)
        return answer


# Pages are compressed with Brotli for browsers that take it: a seventh smaller than with gzip, in the same time.


QUALITY = 5
"""Takes as long as gzip as Django uses it. Beyond, a page takes longer and is hardly smaller."""
WORTH_IT = 200
"""Bytes; below, as in Django's middleware, nothing is compressed."""

_ACCEPTED = re.compile(r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))")


class BrotliMiddleware:
    """Stands below Django's GZipMiddleware, which compresses for all other browsers, and what is streamed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.streaming or response.has_header("Content-Encoding") or len(response.content) < WORTH_IT:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if not _ACCEPTED.search(request.headers.get("Accept-Encoding", "")):
            return response
        compressed = compress(response.content)
        if len(compressed) >= len(response.content):
            return response
        response.content = compressed
        response.headers["Content-Encoding"] = "br"
        if "Content-Length" in response.headers:
            response.headers["Content-Length"] = str(len(compressed))
        etag = response.headers.get("ETag", "")
        if etag.startswith('"'):
            # Another encoding is another representation, which is the same only in what it means.
            response.headers["ETag"] = f"W/{etag}"
        return response


def compress(content: bytes) -> bytes:
    """Return the content as a Brotli stream of random length, as Django's gzip: its length does not say what a guess in a
    request has in common with a secret of the page (BREACH).
    """
    compressor = brotli.Compressor(mode=brotli.MODE_TEXT, quality=QUALITY)
    written = compressor.process(content) + compressor.flush()
    return bytes(written + _skipped(secrets.randbelow(GZipMiddleware.max_random_bytes) + 1) + compressor.finish())


def _skipped(length: int) -> bytes:
    """Return a block of 1 to 256 bytes that readers skip (RFC 7932, 9.2). What is written before has to end with a whole byte.

    From the lowest bit on: 0, this is not the last block; 11, it holds no data; 0; 10, its length less one follows in one byte.
    """
    return (0b010110 | (length - 1) << 6).to_bytes(2, "little") + bytes(length)
