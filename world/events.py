"""The kinds of events of this app (campaigns/kinds.py)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from campaigns.kinds import EventKind, Indexed, JsonPath, Payload, TextCategory, Topic, copied, typed
from world import payloads
from world.models import unlinked


def _said(payload: Payload) -> Payload:
    """Return what the table reads in the line itself: what it was told, and how a page begins that it was shown."""
    numbers = {"told": payload["new"], "shown": [0] if payload["note"] else []}.get(payload.get("what", ""), [])
    return {"said": [unlinked(payload["note"][number]) for number in numbers]}


def _indexed(payload: Payload) -> Indexed:
    return Indexed(words=" ".join([payload["page"]["name"], *payload.get("aliases", ()), *payload["said"]]))


def _typed(payload: Payload) -> Iterator[tuple[JsonPath, Any]]:
    for number in payload["new"]:
        yield from typed(f"note.{number}", sort=TextCategory.SHEET)(payload)


noted = partial(
    EventKind,
    topic=Topic.PLAY,
    index=_indexed,
    typed=_typed,
    describe=_said,
    copied=copied("note.*", sort=TextCategory.SHEET),
)

PAGE_WRITTEN = noted("world.page_written", schema=payloads.PageWritten)
PAGE_NOTED = noted("world.page_noted", schema=payloads.PageNoted)
