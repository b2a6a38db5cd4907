"""Characters from other programs' files: what a sheet takes, and what it does not (docs/sheets.md).

Such a file may hold anything. A `Reading` reads it without trust and remembers what was understood, so that the rest can be
named; a `Conversion` collects what fits, value by value. A ruleset returns one from `CharacterRules.converted`.

    file = Reading(given)
    conversion = Conversion("Foundry: Lanterns", Head("lanterns", file.line("name")))
    conversion.put("nerve", file.whole("system", "nerve"), "Nerve")
    conversion.add("gear", {"name": "Rope"}, "Rope")
    conversion.leave("Familiar")
    rest = list(file.unread())
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import translate
from typing import Any, NamedTuple, TypeVar

from characters.sheets.exchange import LONGEST_CONCEPT, LONGEST_FAULT, LONGEST_NAME, Head, shown
from characters.sheets.fields import WHOLE, Field, SheetError, Text
from languages.text import colon, ngettext
from languages.text import gettext as _

MOST_LEFT = 200
LONGEST_LEFT = 200
"""Characters of what is left out that are shown."""
DEEPEST = 20
"""Levels of a file that are taken apart. What lies deeper is named as one."""
_MOST_PRESSED = 100
_BREAK = re.compile(r"</(?:p|li|h[1-6]|div|tr)>|<br ?/?>", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,2000}>")
Held = TypeVar("Held")
Path = tuple[str, ...]


class LeftOut(NamedTuple):
    """Something of a file that a sheet does not take, and why; "" where it has no place for it."""

    label: str
    why: str


class Conversion:
    """A character as far as a sheet takes it. `source` is what people call the kind of file."""

    def __init__(self, source: str, head: Head) -> None:
        self.source = source
        self.values: dict[str, Any] = {}
        self.left: list[LeftOut] = []
        self.more = 0
        """The number of things left out beyond the first MOST_LEFT."""
        name = self._shortened(head.name, LONGEST_NAME, _("Name"))
        self.head = replace(head, name=name, concept=self._shortened(head.concept, LONGEST_CONCEPT, _("Concept")))

    def put(self, name: str, value: object, label: str = "") -> None:
        """Set a field of the sheet; None and "" are skipped. A value that does not fit becomes the nearest that does, or is
        left out; either is noted under the label or the field's own.
        """
        if value is None or value == "":
            return
        field = self.head.sheet.fields[name]
        held = self._fit(lambda fit: self.head.sheet.put(self.values, name, fit), field, value, label or field.label)
        self.values = self.values if held is None else held

    def add(self, rows: str, columns: Mapping[str, object], label: str) -> None:
        """Add a row; columns that are None have their default. What does not fit is treated as by `put`."""
        kind, number = self.head.sheet.rows_called(rows), len(self.values.get(rows, ()))
        held = {name: self._fit(kind.column(name).clean, kind.column(name), columns[name], label) for name in columns}
        given = {name: value for name, value in held.items() if value is not None}
        try:
            self.values = self.head.sheet.add_row(self.values, rows, f"row{number}", given)
        except SheetError as error:
            self.leave(label, error.message)

    def leave(self, label: str, why: str = "") -> None:
        """Note something that is left out; `why` is not needed where a sheet just has no place for it."""
        if len(self.left) < MOST_LEFT:
            words = label if len(label := str(label)) <= LONGEST_LEFT else f"{label[: LONGEST_LEFT - 1]}…"
            self.left.append(LeftOut(shown(words, LONGEST_LEFT) or "?", shown(str(why), LONGEST_FAULT)))
        else:
            self.more += 1

    def _fit(self, hold: Callable[[object], Held], field: Field, value: object, label: str) -> Held | None:
        if value is None:
            return None
        if isinstance(field, Text) and isinstance(value, str):
            value = self._shortened(value, field.most, label)
        fitting = value
        while True:
            try:
                held = hold(fitting)
                break
            except SheetError as error:
                least, most = error.range or (0, 0)
                if not error.range or not isinstance(fitting, int) or least <= fitting <= most:
                    said = f"{label}{colon()}{value}" if isinstance(value, str) and value != label else label
                    self.leave(said, error.message)
                    return None
                fitting = max(least, min(fitting, most))
        if fitting != value:
            self.leave(label, _("The file says {number}. Imported as {nearest}.").format(number=value, nearest=fitting))
        return held

    def _shortened(self, text: str, most: int, label: str) -> str:
        if len(text) <= most:
            return text
        why = ngettext("Only its first {count} character fits.", "Only its first {count} characters fit.", most)
        self.leave(label, why.format(count=most))
        return text[:most].rstrip()


class Reading:
    """A part of a file. What was understood of any part is known to all, and the rest is `unread`.

    A text where a number was looked for, and a number where a text was, stay unread.
    """

    def __init__(self, value: Any, path: Path = (), read: set[Path] | None = None) -> None:
        self.value, self.path = value, path
        self._read = set() if read is None else read

    def part(self, *path: str) -> Reading:
        """Return the part at a path; one of None if it is missing."""
        value = self.value
        for name in path:
            if isinstance(value, list):
                value = value[int(name)] if name.isdecimal() and len(name) < 9 and int(name) < len(value) else None
            else:
                value = value.get(name) if isinstance(value, Mapping) else None
        return Reading(value, (*self.path, *path), self._read)

    def parts(self, *path: str) -> Iterator[tuple[str, Reading]]:
        """Yield the names and the parts of the object at a path, or the places and the entries of the list there."""
        outer = self.part(*path)
        for name, value in _parts(outer.value):
            yield name, Reading(value, (*outer.path, name), self._read)

    def take(self, *path: str) -> Any:
        """Return the value at a path; all of it counts as read."""
        part = self.part(*path)
        self._read.add(part.path)
        return part.value

    def whole(self, *path: str) -> int | None:
        """Return the whole number at a path, as `whole` reads it."""
        return self._understood(whole, path)

    def line(self, *path: str) -> str:
        """Return the text at a path on one line, without markup; "" if it is no text."""
        return self._understood(line, path)

    def plain(self, *path: str) -> str:
        """Return the text at a path without markup, as lines; "" if it is no text."""
        return self._understood(plain, path)

    def unread(self) -> Iterator[tuple[Path, Any]]:
        """Yield the path and the value of everything that says something and was not read; a list of texts and numbers is
        one value.
        """
        waiting = [(self.path, self.value)]
        while waiting:
            path, value = waiting.pop()
            if path in self._read:
                continue
            parts = _parts(value)
            nested = isinstance(value, Mapping) or any(isinstance(part, Mapping | list) for _name, part in parts)
            if nested and len(path) < DEEPEST:
                waiting += [((*path, name), part) for name, part in reversed(parts)]
                continue
            if isinstance(value, list):
                value = [part for name, part in parts if (*path, name) not in self._read]
            if says_something(value):
                yield path, value

    def _understood(self, read: Callable[[object], Held], path: Path) -> Held:
        part = self.part(*path)
        if read(part.value) not in (None, "") or not says_something(part.value):
            self._read.add(part.path)
        return read(part.value)


def inside(value: object, *path: str) -> Any:
    """Return the value at a path of nested objects; None if it is missing."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def whole(value: object) -> int | None:
    """Return a whole number: one, its decimal text, or the largest in a list of these; None for everything else."""
    if isinstance(value, list):
        return max((number for number in map(whole, _flat(value)) if number is not None), default=None)
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        return int(value)
    if isinstance(value, str) and len(value) <= 12 and WHOLE.fullmatch(value.strip()):
        return int(value)
    return value if isinstance(value, int) and abs(value) < 10**9 else None


def line(value: object) -> str:
    """Return a text on one line, without markup; "" if it is no text."""
    return " ".join(plain(value).split())


def plain(value: object) -> str:
    """Return a text without HTML, as lines; "" if it is no text."""
    if not isinstance(value, str):
        return ""
    text = unicodedata.normalize("NFC", html.unescape(_TAG.sub("", _BREAK.sub("\n", value))))
    return "\n".join(filter(None, map(str.strip, text.splitlines())))


def says_something(value: object, depth: int = 10) -> bool:
    """Return whether a value holds anything but zeros and empty texts; anything deeper than `depth` counts."""
    if isinstance(value, Mapping | list) and value and not depth:
        return True
    if isinstance(value, Mapping):
        return any(says_something(part, depth - 1) for part in value.values())
    if isinstance(value, list):
        return any(says_something(part, depth - 1) for part in value)
    return plain(value) not in ("", "0") if isinstance(value, str) else bool(value)


def _flat(value: list[Any]) -> Iterator[object]:
    return (entry for entry in value[:_MOST_PRESSED] if not isinstance(entry, list))


def _parts(value: object) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return [(str(name), part) for name, part in value.items()]
    return [(str(place), part) for place, part in enumerate(value)] if isinstance(value, list) else []


# Actors as Foundry exports them, of any system: their identity, data, and items.
#
# Foundry's systems define the content of `data` and of items' `data`; the rest is Foundry's. Files from before its
# version 10 say "data" where later ones say "system".


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
