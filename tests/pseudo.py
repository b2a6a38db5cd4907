"""A language that puts each message in brackets, so that what is outside them was never given to gettext.

What people typed is outside as well. It is known by its words: all that stand in the files that play the evening of the tests.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import allauth
import django
from babel.messages.catalog import Catalog
from django.conf.locale import LANG_INFO
from django.test import override_settings
from django.utils.translation import trans_real

from characters.names import NAMES
from config import catalogues
from tests.dom import Node

LANGUAGE = "zz"
OPEN, CLOSE = "⟦", "⟧"
_WORD = re.compile(r"[^\W\d_]{2,}")
READ = (
    "title",
    "aria-label",
    "aria-description",
    "placeholder",
    "alt",
    "label",
    "data-words",
    "data-confirm",
    "hx-confirm",
)
"""Attributes whose values are read by people."""

SILENT = {"script", "style", "svg", "code", "kbd", "time"}


@contextmanager
def pseudo_language(folder: Path) -> Iterator[None]:
    """Have the language while the context lasts; its catalogues are in `folder`."""
    for domain in catalogues.DOMAINS:
        path = folder / LANGUAGE / "LC_MESSAGES" / f"{domain}.mo"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(catalogues.compiled(_bracketed(domain)))
    LANG_INFO[LANGUAGE] = {"bidi": False, "code": LANGUAGE, "name": "Brackets", "name_local": "Brackets"}
    with override_settings(LANGUAGES=[("en-gb", "English"), (LANGUAGE, "Brackets")], LOCALE_PATHS=[str(folder)]):
        _forget()
        try:
            yield
        finally:
            del LANG_INFO[LANGUAGE]
    _forget()


def _forget() -> None:
    trans_real._translations.clear()


def _bracketed(domain: str) -> Catalog:
    catalogue = Catalog(domain=domain, charset="utf-8", fuzzy=False)
    for home in catalogues.homes():
        for message in catalogues.template(home, domain):
            _add(catalogue, message)
    for package in (django, allauth):
        for path in Path(package.__path__[0]).rglob(f"locale/en/LC_MESSAGES/{domain}.po"):
            for message in catalogues.read(path, "en"):
                _add(catalogue, message)
    return catalogue


def _add(catalogue: Catalog, message) -> None:
    if message.id:
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        said = tuple(f"{OPEN}{text}{CLOSE}" for text in texts)
        catalogue.add(message.id, said if len(said) > 1 else said[0], context=message.context)


@cache
def typed() -> frozenset[str]:
    """Return all words of the files in which people of the tests type something."""
    folder = Path(__file__).parent
    files = [*folder.glob("flows/*.py"), folder / "cast.py", folder / "sheets.py", folder / "canaries.py"]
    return frozenset(word.casefold() for file in files for word in _WORD.findall(file.read_text())) | {
        "afterburn",
        "discord",
        *(name.casefold() for name in NAMES),
    }


@cache
def pitches() -> frozenset[str]:
    """Return what first evenings say of themselves, which their own German files translate (tests/rulesets/conformance)."""
    files = Path(__file__).parent.parent.glob("rulesets/*/tonight.toml")
    return frozenset(tomllib.loads(file.read_text())["pitch"] for file in files)


def bare_words(page: Node) -> list[str]:
    """Return the texts of a page with words outside all brackets that nobody has typed, each with its place.

    A message may contain tags: all that is between its brackets belongs to it, in whatever element.
    """
    found, depth = [], 0
    for node, text, is_inside in _texts(page):
        outside = "".join(_outside(text, depth if is_inside else 0))
        if is_inside:
            depth += text.count(OPEN) - text.count(CLOSE)
        if text.strip() not in pitches() and any(word.casefold() not in typed() for word in _WORD.findall(outside)):
            found.append(f"<{node.tag} {node.attrs.get('class') or node.attrs.get('id') or ''}> {text[:160]}")
    return found


def _texts(node: Node) -> Iterator[tuple[Node, str, bool]]:
    """Yield all that is read of a page, in its order: with the element, and whether it stands inside of that, not on it."""
    # Names of places in the list of time zones are those of the IANA, and languages have their own names.
    if node.tag in SILENT or node.attrs.get("name") in ("time_zone", "language"):
        return
    value = ["value"] if node.tag == "input" and node.attrs.get("type") == "submit" else []
    for name in (*READ, *value):
        yield node, node.attrs.get(name) or "", False
    for child in node.children:
        if isinstance(child, str):
            yield node, child, True
        else:
            yield from _texts(child)


def _outside(text: str, depth: int) -> Iterator[str]:
    for letter in text:
        depth += (letter == OPEN) - (letter == CLOSE)
        if depth == 0:
            yield letter if letter != CLOSE else " "
