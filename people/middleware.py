"""Language and time zone of each reader, reset after the request."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from people.models import User, zone_of


class KeptPagesMiddleware:
    """Clears the browser's cached pages when a session ends: its back button would show them to the next person there.

    Other pages may be cached, since going back is also how people find what they were typing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        # This is when Django takes the session's cookie back.
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.session.is_empty():
            answer["Clear-Site-Data"] = '"cache"'
        return answer


def keep(request: HttpRequest) -> None:
    """Let the reader's browser keep this page, to be read without a network until they sign out."""
    request.is_kept = True  # type: ignore[attr-defined]


class ReaderMiddleware:
    """Draws each page in its reader's language and time zone; for those who are not signed in, in the language of their browser
    and in UTC. Tells the service worker whose page it is, and whether to keep it (static/js/service-worker.js)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reader = _reader(request)
        language = reader.language if reader else ""
        with (
            timezone.override(zone_of(reader.time_zone if reader else "UTC")),
            translation.override(language_of(language, request)),
        ):
            answer = self.get_response(request)
            answer.headers.setdefault("Content-Language", translation.get_language() or settings.LANGUAGE_CODE)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            answer.headers["X-User"] = str(reader.pk) if reader else ""
            if reader and hasattr(request, "is_kept"):
                answer.headers["X-Keep"] = "yes"
        if not language:
            patch_vary_headers(answer, ("Accept-Language",))
        return answer


def _reader(request: HttpRequest) -> User | None:
    try:
        return request.user if isinstance(request.user, User) and request.user.is_authenticated else None
    except (InterfaceError, OperationalError):
        # Set by campaigns.middleware, so that the database is not waited for a second time.
        request.database_is_away = True  # type: ignore[attr-defined]
        return None


def language_of(chosen: object, request: HttpRequest | None = None) -> str:
    """Return the chosen language, if this site has it; else that of the browser, or the site's own."""
    if isinstance(chosen, str) and chosen in dict(settings.LANGUAGES):
        return chosen
    return translation.get_language_from_request(request) if request else settings.LANGUAGE_CODE


def language_of_browser(accepted: str) -> str:
    """Return the language of an `Accept-Language` header, or the site's own, for answers without Django's requests."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted
    return language_of("", request)


def language_for(recipient: User | None, request: HttpRequest) -> str:
    """Return the language of mail to a recipient: the one that they chose.

    If they chose none, or have no account, it is that of the browser, unless another person, signed in, asked for the mail.
    """
    if recipient is None:
        return language_of("", request)
    by_other = request.user.is_authenticated and request.user != recipient
    return language_of(recipient.language, None if by_other else request)
