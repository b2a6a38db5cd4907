"""The language that a person reads."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation


def language_of(chosen: object, request: HttpRequest | None = None) -> str:
    """Return the language that somebody has chosen, if this site has it; else that of their browser, or the site's own."""
    if isinstance(chosen, str) and chosen in dict(settings.LANGUAGES):
        return chosen
    return translation.get_language_from_request(request) if request else settings.LANGUAGE_CODE
