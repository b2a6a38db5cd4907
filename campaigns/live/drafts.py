"""Show the whole table what a GM is writing for it: sent live, to those who may see it, and never stored.

As with places (campaigns/live/presence.py), a signed token of the page says what its text is and who may see it, so
that the socket needs to know nothing of that. The processes of a site tell each other by PostgreSQL's notifications,
which are stored nowhere, on a separate channel; on SQLite there is one process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from campaigns.live import notifications
from campaigns.live import presence as places
from campaigns.models import Viewer

LONGEST = 1500
"""Letters: of a longer text its end is shown, since a notification holds at most 8000 bytes."""


@dataclass(frozen=True)
class Draft:
    """Text that a member is writing, "" when they stop. `streams` are those of which a viewer must see one to get it."""

    campaign: str
    subject: str
    name: str
    text: str
    streams: tuple[str, ...]

    def is_seen_by(self, viewer: Viewer) -> bool:
        return viewer.streams is None or not set(viewer.streams).isdisjoint(self.streams)

    @property
    def frame(self) -> str:
        return json.dumps({"t": "draft", "subject": self.subject, "name": self.name, "text": self.text})


def read(viewer: Viewer, message: Any) -> Draft | None:
    """Return the draft that a client sends: {"token", "field", "text"}, as the page of a GM was given it. None for anything
    else."""
    place = places.read(viewer.campaign.pk, message)
    if place is None or not viewer.is_gm or viewer.membership is None or not isinstance(message.get("text"), str):
        return None
    text = "".join(letter for letter in message["text"] if letter.isprintable() or letter == "\n")
    name, streams = viewer.membership.name, tuple(place["streams"])
    return Draft(str(viewer.campaign.pk), place["subject"], name, text[-LONGEST:], streams)


Hear = Callable[[Draft], None]
_listeners: set[Hear] = set()


def send(draft: Draft) -> None:
    """Send to all processes, without waiting."""
    if connection.vendor == "postgresql":
        notifications.say(draft.campaign, json.dumps(asdict(draft), ensure_ascii=False))
    else:
        tell(draft)


def tell(draft: Draft) -> None:
    """Pass a message on to the listeners in this process."""
    for listener in tuple(_listeners):
        listener(draft)


def heard(payload: str) -> None:
    """Pass on a draft sent by this or another process. Raises ValueError if it is none."""
    fields: Mapping[str, Any] = json.loads(payload)
    try:
        draft = Draft(**{**fields, "streams": tuple(fields["streams"])})
        UUID(draft.campaign)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("no draft") from error
    tell(draft)


def listen(listener: Hear) -> None:
    _listeners.add(listener)


def unlisten(listener: Hear) -> None:
    _listeners.discard(listener)
