"""Who asks: a token, which sees and does what its member does, in that member's campaign and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from threading import Lock
from typing import Any, Final

from cachetools import TTLCache
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from ninja.security import HttpBearer

from api.problems import CONTENT_TYPE, PREFIX, READS_ONLY, problem
from campaigns.access import token_hash
from campaigns.errors import Forbidden, NotFound, RateLimited
from campaigns.middleware import AWAY
from campaigns.models import ApiToken, Role
from campaigns.services.idempotency import operations_left
from campaigns.services.members import note_use
from people.middleware import language_of

LONGEST_TOKEN: Final = 200
WINDOW: Final = 10
"""Seconds in which the requests of a token are counted, by each process for itself."""
MOST_REQUESTS: Final = 200
"""In that time. How often anybody may change something, services count over all processes (RATE_LIMIT)."""

_counted: TTLCache[Any, list[int]] = TTLCache(maxsize=10_000, ttl=WINDOW)
_lock = Lock()


class Token(HttpBearer):
    """Lets in requests with a valid token of the campaign in the address, with at least this role, and on writing
    routes one that may write.
    """

    def __init__(self, least: Role = Role.SPECTATOR, *, writes: bool = False) -> None:
        super().__init__()
        self.least, self.writes = least, writes

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """Return the valid token that was sent; None if it is not valid. Raises NotFound, Forbidden, RateLimited."""
        found = good_token(token)
        if found is None:
            return None
        # Until ReaderMiddleware restores the language and time zone that were active before.
        owner = found.membership.user
        translation.activate(language_of(owner.language if owner else "", request))
        request.limited = found, self.writes  # type: ignore[attr-defined]
        count(found)
        note_use(found)
        viewer = found.viewer
        match = request.resolver_match
        if match and match.kwargs.get("slug", viewer.campaign.slug) != viewer.campaign.slug:
            raise NotFound
        if self.writes and not found.writes:
            raise Forbidden(str(READS_ONLY))
        if not viewer.role.at_least(self.least):
            words = _("Only a {role} can do that.") if self.writes else _("Only a {role} can see this.")
            raise Forbidden(words.format(role=self.least.label))
        request.viewer = viewer  # type: ignore[attr-defined]
        return found


def good_token(sent: str) -> ApiToken | None:
    """Return the token that was sent; None if it is not valid."""
    if len(sent) > LONGEST_TOKEN:
        return None
    return ApiToken.objects.good(timezone.now()).with_members().filter(hash=token_hash(sent)).first()


def limits(request: HttpRequest) -> dict[str, str]:
    """Return the headers that say how much a program may do until it is refused: of its requests, and on writing routes of
    its changes, whichever end sooner.
    """
    token, writes = getattr(request, "limited", (None, False))
    if token is None:
        return {}
    most, left = MOST_REQUESTS, max(0, MOST_REQUESTS - _counted.get(token.pk, [0])[0])
    if writes and (changes := operations_left(token.membership)) < left:
        most, left = settings.RATE_LIMIT, changes
    return {"RateLimit-Limit": str(most), "RateLimit-Remaining": str(left), "RateLimit-Reset": str(WINDOW)}


def count(token: ApiToken) -> None:
    """Raise RateLimited for more requests than any program needs."""
    with _lock:
        requests = _counted.setdefault(token.pk, [0])
        requests[0] += 1
        if requests[0] > MOST_REQUESTS:
            raise RateLimited(WINDOW)


# The middleware of the API, around every request.


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
