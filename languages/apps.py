"""The languages that the site is read in."""

from django.apps import AppConfig
from django.utils import translation

from languages import text


class LanguagesConfig(AppConfig):
    name = "languages"

    def ready(self) -> None:
        text.install(translation)
