"""The first script of every page: the words of all other scripts in the page's language, and what holds early presses.

Its address has a digest of its content, so that browsers cache it for good and load it again when a catalogue has changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils import translation
from django.views.i18n import JavaScriptCatalog

PREFIX = "/words/"
_ADDRESS = re.compile(re.escape(PREFIX) + r"(?P<language>[a-z-]+)\.(?P<digest>[0-9a-f]{12})\.js")

KEPT = "public, max-age=31536000, immutable"
EARLY = "js/early.js"


class ScriptCatalogue(JavaScriptCatalog):
    """Django's catalogue for scripts, of our apps and of rulesets by others; without formats, since scripts format with Intl."""

    def get_paths(self, packages: object) -> list[str]:
        return [str(Path(app.path) / "locale") for app in apps.get_app_configs() if not app.name.startswith("django.")]

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return {**super().get_context_data(**kwargs), "formats": {}}


@dataclass(frozen=True)
class EarlyScript:
    """The script in one language."""

    language: str
    body: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.body).hexdigest()[:12]

    @property
    def address(self) -> str:
        return f"{PREFIX}{self.language}.{self.digest}.js"


def early_script(language: str) -> EarlyScript:
    """Return the script in a language of the site, such as "de". During development it is made again each time."""
    return _made(language) if settings.DEBUG else _kept(language)


def _made(language: str) -> EarlyScript:
    with translation.override(language):
        words = ScriptCatalogue().get(HttpRequest(), packages="ours").content
    return EarlyScript(language, words.strip() + b"\n" + Path(str(finders.find(EARLY))).read_bytes())


_kept = cache(_made)


class EarlyScriptMiddleware:
    """Answers the script's addresses before a session is opened: an answer that varies with cookies would not be kept."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return self.get_response(request)
        address = _ADDRESS.fullmatch(request.path)
        if not address or address["language"] not in dict(settings.LANGUAGES):
            return HttpResponseNotFound(content_type="text/plain")
        script = early_script(address["language"])
        answer = HttpResponse(script.body, content_type="text/javascript; charset=utf-8")
        # A page that an older process has drawn gets today's words, once.
        answer["Cache-Control"] = KEPT if address["digest"] == script.digest else "no-store"
        return answer
