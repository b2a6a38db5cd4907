"""The middleware of the API, around every request."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from api.auth import limits
from api.problems import CONTENT_TYPE, PREFIX, problem
from campaigns.errors import NotFound
from campaigns.middleware import AWAY
from people.middleware import language_of

LARGEST_BODY: Final = 100_000
"""Bytes of one request: the longest texts of a sheet several times over."""
TOO_LONG: Final = gettext_lazy("That’s more than 100 kB, which is the limit. Nothing was changed.")
ZERO: Final = gettext_lazy("An address can’t have a zero character.")
HOST: Final = gettext_lazy("This server doesn’t know the name in the Host header. Check the address.")
JSON: Final = "application/json"

DETAILS: Final = {
    405: gettext_lazy("This method isn’t allowed here."),
    413: TOO_LONG,
    500: gettext_lazy("Something went wrong on the server. It’s in the log."),
    503: AWAY,
}


class ApiMiddleware:
    """Refuses bodies that are too long, or not JSON. Refusals by the site's own middleware, and unknown addresses, are
    also answered with a problem instead of a page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return self.get_response(request)
        with translation.override(language_of("", request)):
            response = self._refusal(request) or _as_problem(request, self.get_response(request))
        response.setdefault("Cache-Control", "private, no-store")
        if response.status_code < 500:
            for name, value in limits(request).items():
                response[name] = value
        return response

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        sent = request.META.get("CONTENT_LENGTH") or "0"
        if not sent.isdecimal() or int(sent[:20]) > LARGEST_BODY:
            return problem(413, TOO_LONG)
        if int(sent) and request.content_type != JSON:
            return problem(415, _("Send {type}.").format(type=JSON))
        if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return problem(400, ZERO)
        return None


def _as_problem(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    status = response.status_code
    if status < 400 or response.get("Content-Type", "").startswith(CONTENT_TYPE):
        return response
    detail = NotFound().message if status == 404 else DETAILS.get(status, HTTPStatus(status).description)
    try:
        request.get_host()
    except DisallowedHost:
        detail = HOST
    answer = problem(status, detail)
    for name in ("Allow", "Retry-After"):
        if name in response:
            answer[name] = response[name]
    return answer
