"""Actors as Foundry exports them, of any system: their identity, data, and items.

Foundry's systems define the content of `data` and of items' `data`; the rest is Foundry's. Files from before its
version 10 say "data" where later ones say "system".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from characters.sheets.conversion import Conversion, inside, line
from languages.text import gettext as _
from languages.text import ngettext

MOST_ITEMS = 1000


@dataclass(frozen=True)
class Item:
    """Something that belongs to an actor: its id there, type, name and data."""

    id: str
    type: str
    name: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Actor:
    """An actor. `system` is the id of the Foundry system it is of, "" where the file does not say."""

    system: str
    type: str
    name: str
    data: Mapping[str, Any]
    listed: tuple[object, ...]

    def items(self, conversion: Conversion) -> Iterator[Item]:
        """Yield the actor's items, as far as they can be read; those beyond MOST_ITEMS are left out."""
        if (more := len(self.listed) - MOST_ITEMS) > 0:
            label = ngettext("{count} item", "{count} items", more).format(count=more)
            conversion.leave(label, _("Only an actor’s first {most} items are read.").format(most=MOST_ITEMS))
        for given in self.listed[:MOST_ITEMS]:
            if isinstance(given, Mapping):
                data = _data(given) or {}
                yield Item(_text(given.get("_id")), _text(given.get("type")), line(given.get("name")), data)


def actor_in(file: object) -> Actor | None:
    """Return the actor in a file; None where it is none of Foundry's."""
    data, items = _data(file), inside(file, "items")
    kind = inside(file, "type")
    if data is None or not isinstance(items, list) or not isinstance(kind, str):
        return None
    said = inside(file, "_stats", "systemId") or inside(file, "_stats", "exportSource", "systemId")
    system = _text(said or inside(file, "flags", "exportSource", "system"))
    return Actor(system, _text(kind), line(inside(file, "name")), data, tuple(items))


def _data(document: object) -> Mapping[str, Any] | None:
    data = inside(document, "system")
    if not isinstance(data, Mapping):
        data = inside(document, "data")
    return data if isinstance(data, Mapping) else None


def _text(value: object) -> str:
    return value[:60] if isinstance(value, str) else ""
