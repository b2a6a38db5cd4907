"""What every request to the API meets first, and every answer last."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse

from api.problems import CONTENT_TYPE, NOT_HERE, PREFIX, problem
from campaigns.middleware import AWAY

LARGEST_BODY: Final = 100_000
"""Bytes of one request: the longest texts of a sheet several times over."""
TOO_LONG: Final = f"That is more than the {LARGEST_BODY // 1000} kB that can be sent at once. Nothing was changed."
ZERO: Final = "A zero character stands in no address here."
JSON: Final = "application/json"

DETAILS: Final = {
    400: "What was sent is not JSON in UTF-8.",
    404: NOT_HERE,
    405: "There is no such way to ask for this.",
    413: TOO_LONG,
    500: "Something went wrong here, and was noted.",
    503: AWAY,
}


class ApiMiddleware:
    """Refuses bodies that are too long, or no JSON. Whatever else is refused on the way, by the site's own middleware or as an
    address that there is not, it tells as a problem and not with a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return self.get_response(request)
        sent = request.META.get("CONTENT_LENGTH") or "0"
        if not sent.isdecimal() or int(sent[:20]) > LARGEST_BODY:
            return problem(413, TOO_LONG)
        if int(sent) and request.content_type != JSON:
            return problem(415, f"Send {JSON}.")
        if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return problem(400, ZERO)
        response = _as_problem(self.get_response(request))
        response.setdefault("Cache-Control", "private, no-store")
        return response


def _as_problem(response: HttpResponse) -> HttpResponse:
    status = response.status_code
    if status < 400 or response.get("Content-Type", "").startswith(CONTENT_TYPE):
        return response
    answer = problem(status, DETAILS.get(status, HTTPStatus(status).description))
    for name in ("Allow", "Retry-After"):
        if name in response:
            answer[name] = response[name]
    return answer
