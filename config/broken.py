"""The answer to what nobody foresaw."""

from __future__ import annotations

import logging

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.views.defaults import server_error

log = logging.getLogger(__name__)

PLAIN = (
    "Something broke\n\nThat was our fault, not yours. Whoever runs this site will find it in the log. "
    "Try again; if it stays, tell them.\n"
)


def page(request: HttpRequest) -> HttpResponse:
    """500, with a page of ours; in plain text where what broke is what every page is drawn with, such as static files."""
    try:
        return server_error(request)
    except Exception:
        log.exception("The page that says that something broke could not be drawn either.")
        return HttpResponseServerError(PLAIN, content_type="text/plain; charset=utf-8")
