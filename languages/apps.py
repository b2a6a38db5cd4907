"""The languages that the site is read in."""

from collections.abc import Callable, Iterator

from django.apps import AppConfig
from django.conf import settings
from django.utils import translation

from languages import lookup, text


class LanguagesConfig(AppConfig):
    name = "languages"

    def ready(self) -> None:
        text.install(lookup, in_languages)


def in_languages(words: Callable[[], str]) -> Iterator[str]:
    """Yield what a function returns in each language of the site."""
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            yield words()
