"""Who asks: a token, which sees and does what its member does, in that member's campaign and nowhere else."""

from __future__ import annotations

from threading import Lock
from typing import Any, Final

from cachetools import TTLCache
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from api.problems import READS_ONLY
from campaigns.access import token_hash
from campaigns.errors import Forbidden, NotFound, RateLimited
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
