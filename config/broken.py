"""The answer to unexpected errors."""

from __future__ import annotations

import logging

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.utils.translation import gettext as _
from django.views.defaults import server_error

log = logging.getLogger(__name__)


def page(request: HttpRequest) -> HttpResponse:
    """Return our page with status 500; as plain text if something that every page needs is broken, such as static files."""
    try:
        return server_error(request)
    except Exception:
        log.exception("The page that says that something broke could not be drawn either.")
        return HttpResponseServerError(_plain(), content_type="text/plain; charset=utf-8")


def _plain() -> str:
    words = _(
        "That was our fault, not yours. It’s in the log for whoever runs this site. Try again. If it keeps happening, "
        "let them know."
    )
    return f"{_('Something broke')}\n\n{words}\n"
