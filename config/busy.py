"""No more requests are begun than a process can answer in time: others wait a moment for a place, or are answered 503."""

import logging
import random
from collections.abc import Callable
from contextlib import ExitStack
from threading import BoundedSemaphore
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext_lazy

from api.problems import PREFIX, problem
from people.middleware import language_of

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
