"""An event as programs read it: one JSON object, for a role and never for a person, like its line on pages.

It says what that line says and no more: the payload of one stream's version, with the words for its codes, and the line
as text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from campaigns import chain
from campaigns.html_to_text import to_text
from campaigns.kinds import Indexed, kind_of
from campaigns.live.render import render_body
from campaigns.models import Event, Role
from campaigns.models.members import TABLE
from campaigns.schema import UNREADABLE

BESIDE: Final = ("session", "scene", "parent__stream")
"""Relations that `event_data` reads of an event, but that drawing its line does not need."""

OF_PAGES: Final = frozenset({"template", "chip_template"})
"""Keys of a payload's words that only templates use."""


def event_data(event: Event, role: Role) -> dict[str, Any]:
    """Return an event, in a stream that this role may see, in JSON's own types. The event has to be read with `linked`."""
    indexed = _indexed(event)
    return {
        "uid": str(event.uid),
        "stream": event.stream.name,
        "seq": event.seq,
        "prev": event.prev or "",
        "hash": event.hash,
        "at": chain.moment(event.at),
        "kind": event.kind,
        "topic": indexed.topic,
        "system": indexed.system,
        "outcome": indexed.outcome,
        "by": plain(event.payload.get("by")),
        "session": event.session.number if event.session else None,
        "scene": event.scene.number if event.scene else None,
        "parent": _parent(event, role),
        "text": to_text(render_body(event, role)),
        "payload": plain(_described(event)),
    }


def plain(value: Any) -> Any:
    """Return a value from templates' context in JSON's own types: objects as their fields, without those for templates
    alone, and objects with a wording of their own as text.
    """
    if value is None or (isinstance(value, (bool, int, str)) and not isinstance(value, Enum)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Enum):
        return plain(value.value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items() if key not in OF_PAGES}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    return str(value)


def _parent(event: Event, role: Role) -> str | None:
    """Return the uid of the event that this one amends, if all readers of its stream may know that event; else None."""
    parent = event.parent
    known = parent is not None and (role == Role.GM or parent.stream.name in (TABLE, event.stream.name))
    return str(parent.uid) if parent and known else None


def _described(event: Event) -> Mapping[str, Any]:
    """Return the described payload; the stored one if it cannot be read."""
    return event.described if event.is_readable else event.payload


def _indexed(event: Event) -> Indexed:
    kind = kind_of(event.kind)
    try:
        return kind.indexed(event.payload)
    except UNREADABLE:
        return Indexed(topic=kind.topic)
