"""The language that a person reads."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

from people.models import User


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
