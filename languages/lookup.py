"""gettext's functions for the active language, which look each message up once for each language.

Django asks the catalogues of all apps in turn, some twenty dictionaries for each message. A line of the log has some 25
messages, and is drawn for every event.
"""

from __future__ import annotations

from functools import lru_cache

from django.utils import translation
from django.utils.translation import get_language

KEPT = 8000
"""How many messages each function keeps, of all languages together. There are about 5,000, of which a site shows a part."""


def gettext(message: str) -> str:
    return _gettext(get_language(), message)


def ngettext(singular: str, plural: str, number: int) -> str:
    return _ngettext(get_language(), singular, plural, number)


def pgettext(context: str, message: str) -> str:
    return _pgettext(get_language(), context, message)


def npgettext(context: str, singular: str, plural: str, number: int) -> str:
    return _npgettext(get_language(), context, singular, plural, number)


# By type as well, since a message that is safe HTML is translated as safe HTML.
@lru_cache(KEPT, typed=True)
def _gettext(_language: str | None, message: str) -> str:
    return translation.gettext(message)


@lru_cache(KEPT, typed=True)
def _ngettext(_language: str | None, singular: str, plural: str, number: int) -> str:
    return translation.ngettext(singular, plural, number)


@lru_cache(KEPT, typed=True)
def _pgettext(_language: str | None, context: str, message: str) -> str:
    return translation.pgettext(context, message)


@lru_cache(KEPT, typed=True)
def _npgettext(_language: str | None, context: str, singular: str, plural: str, number: int) -> str:
    return translation.npgettext(context, singular, plural, number)
