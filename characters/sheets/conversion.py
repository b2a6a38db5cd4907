"""Characters from other programs' files: what a sheet takes, and what it does not (docs/sheets.md).

Such a file may hold anything. `inside`, `whole`, `line` and `plain` read it without trust; a `Conversion` collects what
fits, value by value, and names the rest. A ruleset returns one from `CharacterRules.converted`.

    conversion = Conversion("Foundry: Lanterns", Head("lanterns", line(file.get("name"))))
    conversion.put("nerve", whole(inside(file, "system", "nerve")), "Nerve")
    conversion.add("gear", {"name": "Rope"}, "Rope")
    conversion.leave("Familiar", "This sheet has no place for it.")
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from characters.sheets.exchange import LONGEST_FAULT, Head, shown
from characters.sheets.fields import WHOLE, SheetError
from languages.text import gettext_lazy, ngettext

MOST_LEFT = 200
NO_PLACE = gettext_lazy("This sheet has no place for it.")
_MOST_PRESSED = 100
_BREAK = re.compile(r"</(?:p|li|h[1-6]|div|tr)>|<br ?/?>", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,2000}>")


class LeftOut(NamedTuple):
    """Something of a file that a sheet does not take, and why."""

    label: str
    why: str


class Conversion:
    """A character as far as a sheet takes it. `source` is what people call the kind of file."""

    def __init__(self, source: str, head: Head) -> None:
        self.source = source
        self.head = head
        self.values: dict[str, Any] = {}
        self.left: list[LeftOut] = []
        self.more = 0
        """The number of things left out beyond the first MOST_LEFT."""

    def put(self, name: str, value: object, label: str = "") -> None:
        """Set a field of the sheet; None and "" are skipped. A value that does not fit is left out, under the label or
        its own.
        """
        if value is None or value == "":
            return
        try:
            self.values = self.head.sheet.put(self.values, name, value)
        except SheetError as error:
            self.leave(label or self.head.sheet.fields[name].label, error.message)

    def add(self, rows: str, columns: Mapping[str, object], label: str) -> None:
        """Add a row; columns that are None have their default. A row that does not fit is left out, under the label."""
        number = len(self.values.get(rows, ()))
        given = {name: value for name, value in columns.items() if value is not None}
        try:
            self.values = self.head.sheet.add_row(self.values, rows, f"row{number}", given)
        except SheetError as error:
            self.leave(label, error.message)

    def fitting(self, text: str, most: int, label: str) -> str:
        """Return a text cut off where no more fits, which is noted under the label."""
        if len(text) > most:
            why = ngettext("Only its first {count} character fits.", "Only its first {count} characters fit.", most)
            self.leave(label, why.format(count=most))
        return text[:most]

    def leave(self, label: str, why: str = NO_PLACE) -> None:
        """Note something that is left out."""
        if len(self.left) < MOST_LEFT:
            self.left.append(LeftOut(shown(str(label)) or "?", shown(str(why), LONGEST_FAULT)))
        else:
            self.more += 1


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
    text = html.unescape(_TAG.sub("", _BREAK.sub("\n", value)))
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
