"""Catalogues of words: where they are, what belongs in them, and how they are read and written.

Django's own commands need GNU gettext, which a machine with only Python does not have; Babel reads and writes the same files.
Each app has its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.apps import apps
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from languages.text import gettext_noop
from rulesets import discovery

PYTHON, BROWSER = "django", "djangojs"
DOMAINS = (PYTHON, BROWSER)

KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "pgettext_noop": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
"""The functions whose arguments are messages: the places of the message, its plural and (marked "c") its context."""

SAID_BETTER = (
    gettext_noop("This field is required."),
    gettext_noop("This password is too common."),
    gettext_noop("The username and/or password you specified are not correct."),
    gettext_noop("Confirmation email sent to %(email)s."),
    gettext_noop("You cannot disconnect your last remaining third-party account."),
)
"""Sentences of Django's and allauth's whose translations we replace: the site's own catalogue comes first."""

OURS = ("api", "campaigns", "characters", "config", "notices", "people", "rolls", "scale", "webhooks", "world")
"""The apps that have words to translate, beside the rulesets. Templates are in `templates/<app>` or in the app."""

SHARED = (
    *("templates/*.html", "templates/account", "templates/allauth", "templates/mfa", "templates/socialaccount"),
    *("templates/usersessions", "static", "database", "languages", "rules"),
)
"""Folders outside all apps; their words are in the site's own catalogue, that of `config`."""

SKIPPED = {"migrations", "locale", "demo", "__pycache__", "vendor"}
"""Folders without words to translate; the demo is a campaign written in English."""

_STRING = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL = re.compile(
    rf"\b(gettext|ngettext|pgettext|npgettext|_)\(\s*({_STRING}(?:\s*,\s*{_STRING})*)(?:\s*,\s*count)?\s*\)"
)


@dataclass(frozen=True)
class Home:
    """A place of catalogues: `root/locale/<language>/LC_MESSAGES/`, for all words in `sources`."""

    root: Path
    sources: tuple[Path, ...]

    def po(self, language: str, domain: str) -> Path:
        """Return the path of the catalogue of a language, such as "de"."""
        return self.root / "locale" / to_locale(language) / "LC_MESSAGES" / f"{domain}.po"


def homes() -> list[Home]:
    """Return the places of catalogues: the folder of each app of ours, and of each ruleset that is installed."""
    base = Path(settings.BASE_DIR)
    rulesets = {*discovery.packages().values()}
    folders = [Path(app.path) for app in apps.get_app_configs() if app.name in rulesets or app.name in OURS]
    shared = [path for pattern in SHARED for path in base.glob(pattern)] + [*base.glob("rulesets/*.py")]
    return [
        Home(folder, (folder, base / "templates" / folder.name, *(shared if folder.name == "config" else ())))
        for folder in folders
    ]


def languages() -> list[str]:
    """Return the languages that have catalogues: all but the one that the code is written in."""
    return [language for language, _ in settings.LANGUAGES if language != settings.LANGUAGE_CODE]


def template(home: Home, domain: str) -> Catalog:
    """Return all messages in the code of a place, without translations."""
    catalogue = Catalog(domain=domain, charset="utf-8", fuzzy=False)
    for path in sorted(_files(home, {".js"} if domain == BROWSER else {".py", ".html", ".txt"})):
        name = path.relative_to(home.root.parent).as_posix()
        for line, message, comments, context in _messages(path):
            catalogue.add(message, locations=[(name, line)], auto_comments=comments, context=context)
    return catalogue


def _files(home: Home, suffixes: set[str]) -> Iterator[Path]:
    for source in home.sources:
        for path in source.rglob("*") if source.is_dir() else [source]:
            if path.suffix in suffixes and not SKIPPED.intersection(path.relative_to(source).parts):
                yield path


Message: TypeAlias = tuple[int, Any, list[str], str | None]
"""The line of a message, the message (with its plural, a tuple of two), comments for whoever translates it, and its context."""


def _messages(path: Path) -> Iterator[Message]:
    if path.suffix in (".html", ".txt"):
        yield from _of_template(templatize(path.read_text(), str(path)))
    else:
        method = "javascript" if path.suffix == ".js" else "python"
        with path.open("rb") as file:
            yield from extract(method, file, KEYWORDS, ("Translators:",), strip_comment_tags=True)


def _of_template(code: str) -> Iterator[Message]:
    """Return the messages of a template, of which Django has left calls of gettext and blanked the rest."""
    for call in _CALL.finditer(code):
        function, strings = call[1], ast.literal_eval(f"({call[2]},)")
        context = strings[0] if function in ("pgettext", "npgettext") else None
        texts = strings[1:] if context is not None else strings
        yield code.count("\n", 0, call.start()) + 1, texts if len(texts) > 1 else texts[0], [], context


def read(path: Path, language: str) -> Catalog:
    """Return the catalogue of a language; an empty one where it is not begun."""
    if not path.exists():
        comment = "# Words of Afterburn."
        return Catalog(to_locale(language), header_comment=comment, project="Afterburn", charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=to_locale(language), abort_invalid=True)


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue, in the order of its messages, with the files that have them but no lines: these change every day."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(
            file, catalogue, width=120, sort_output=False, sort_by_file=True, include_lineno=False, omit_header=False
        )


def compiled(catalogue: Catalog) -> bytes:
    """Return the form in which Django reads a catalogue."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()
