"""Actors as Foundry exports them, of any system: their identity, data, and items.

Foundry's systems define the content of `data` and of items' `data`; the rest is Foundry's. Files from before its
version 10 say "data" where later ones say "system".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import translate

from characters.sheets.conversion import Conversion, Reading, inside, line, says_something, whole
from languages.text import colon
from languages.text import gettext as _

_DOCUMENT = ("_*", "img", "sort", "folder", "ownership*", "permission*", "flags/core*")
_EFFECT = [
    "_*",
    "changes*",
    "disabled",
    "duration*",
    "flags*",
    "icon",
    "img",
    "origin",
    "sort",
    "statuses*",
    "system*",
    "tint",
    "transfer",
    "type",
]
_EACH = (*_DOCUMENT, *(f"effects/*/{name}" for name in _EFFECT))
_FOUNDRYS = (*_EACH, *(f"items/{name}" for name in _EACH), "token*", "prototypeToken*", "flags/exportSource*")
_AROUND = frozenset(("system", "data", "flags", "value", "name", "label"))
_LONGEST_LINE = 120


class Usual:
    """The parts of a file that tell nothing of a character.

    `always` are the places of what is calculated or only for Foundry's pages, with * for anything; `values` are places with
    the texts of their usual values. Places within an actor's data stand without it, those within items as "items/dice1".
    """

    def __init__(self, always: Iterable[str], values: Mapping[str, tuple[str, ...]]) -> None:
        self._always = re.compile("|".join(map(translate, (*_FOUNDRYS, *always))))
        self._values = [(re.compile(translate(place)), usual) for place, usual in values.items()]

    def covers(self, place: str, value: object) -> bool:
        """Return whether a value tells nothing at a place such as "stress/max"."""
        said = str(value[0] if isinstance(value, list) and len(value) == 1 else value)
        usual = any(said in texts and known.match(place) for known, texts in self._values)
        return usual or self._always.match(place) is not None


@dataclass(frozen=True)
class Item:
    """Something that belongs to an actor: its id there, type, name and data."""

    id: str
    type: str
    name: str
    data: Reading
    file: Reading

    def leave(self, conversion: Conversion) -> None:
        """Note the item as left out, with all that is in it."""
        self.file.take()
        conversion.leave(f"{self.name or _('unnamed')} ({self.type})")


@dataclass(frozen=True)
class Actor:
    """An actor. `system` is the id of the Foundry system it is of, "" where the file does not say."""

    system: str
    type: str
    name: str
    data: Reading
    file: Reading

    def items(self) -> Iterator[Item]:
        """Yield the actor's items, as far as they can be read. Whoever asks uses or leaves each."""
        for _place, file in self.file.parts("items"):
            if isinstance(file.value, Mapping):
                kind, data = _text(inside(file.value, "type")), _data(file)
                file.take("type")
                yield Item(_text(inside(file.value, "_id")), kind, file.line("name"), data, file)

    def leave_rest(self, conversion: Conversion, usual: Usual, around: Collection[str] = ()) -> None:
        """Name all that was not read and is not usual. Names of parts that say nothing by themselves stand in `around`."""
        of_items: dict[str, list[str]] = {}
        for path, value in self.file.unread():
            of_item = len(path) > 1 and path[0] == "items"
            inner = path[2:] if of_item else path
            inner = inner[1:] if inner[:1] in (("system",), ("data",)) else inner
            known = "/".join(("items", *inner) if of_item else inner)
            if usual.covers(known, value):
                continue
            words = _named([name for name in inner if name not in {*_AROUND, *around}] or inner, value)
            if of_item:
                of_items.setdefault(path[1], []).append(words)
            else:
                conversion.leave(words)
        for number, parts in of_items.items():
            name = self.file.line("items", number, "name") or _("unnamed")
            for words in filled(parts):
                conversion.leave(f"{name}{colon()}{words}")


def actor_in(given: object) -> Actor | None:
    """Return the actor in a file; None where it is none of Foundry's."""
    file = Reading(given)
    data, kind = _data(file), inside(given, "type")
    if data.value is None or not isinstance(kind, str) or not isinstance(inside(given, "items"), list | None):
        return None
    said = inside(given, "_stats", "systemId") or inside(given, "_stats", "exportSource", "systemId")
    system = _text(said or inside(given, "flags", "exportSource", "system"))
    file.take("type")
    return Actor(system, _text(kind), file.line("name"), data, file)


def _data(document: Reading) -> Reading:
    parts = (document.part(name) for name in ("system", "data"))
    return next((part for part in parts if isinstance(part.value, Mapping)), Reading(None))


def _named(names: Iterable[str], value: object) -> str:
    """Return words for a part of a file: "rage 2", "sect: The Quay", "is stunned"."""
    words = " ".join(name.replace("_", " ").replace("-", " ") for name in names if not name.isdecimal())
    if value is True:
        return words
    if isinstance(value, list):
        value = ", ".join(line(str(part)) for part in value if says_something(part))
    said = line(str(value))
    return f"{words} {said}" if whole(said) is not None else f"{words}{colon()}{said}"


def filled(parts: Iterable[str]) -> Iterator[str]:
    """Yield the parts joined to lines of a readable length."""
    joined = ""
    for part in parts:
        if joined and len(joined) + len(part) > _LONGEST_LINE:
            yield joined
            joined = ""
        joined = f"{joined}, {part}" if joined else part
    if joined:
        yield joined


def _text(value: object) -> str:
    return value[:60] if isinstance(value, str) else ""
