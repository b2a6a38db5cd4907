"""The far end of a socket writer, without a network between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from channels.db import database_sync_to_async as act

from campaigns.live.campaign_feed import CampaignFeed, Readers, open_feeds
from campaigns.live.socket_writer import Closed, SocketWriter
from campaigns.models import Stream, Viewer
from campaigns.services import play
from tests.cast import Person

__all__ = ["Client", "act", "heads", "opened", "say", "settled"]


@act
def say(person: Person, *words: str) -> None:
    for one in words:
        play.say(person.member, one, key=uuid4())


async def opened(slug: str) -> CampaignFeed:
    """Return a new feed of a campaign."""
    (feed,) = await open_feeds([slug])
    return feed


@act
def heads(viewer: Viewer) -> dict[str, int]:
    """Return the heads of a viewer's streams, as a page drawn now has them."""
    found = dict(Stream.objects.filter(campaign=viewer.campaign).values_list("name", "seq"))
    return {name: seq for name, seq in found.items() if viewer.streams is None or name in viewer.streams}


@dataclass
class Client:
    """Keeps what a real socket writer sends it, and acknowledges it unless told not to. `closed` is the code it was cut with."""

    feed: CampaignFeed
    viewer: Viewer
    acknowledges: bool = True
    language: str = "en-gb"
    frames: list[dict[str, Any]] = field(default_factory=list)
    closed: int | None = None
    writer: SocketWriter = field(init=False)

    def __post_init__(self) -> None:
        self.writer = SocketWriter(
            self.feed, self.feed.head, self.viewer, Readers(self.viewer.role, self.language), self._receive
        )

    async def _receive(self, text: str) -> None:
        self.frames.append(json.loads(text))
        if self.acknowledges:
            self.writer.heard(len(self.frames))

    async def run(self, since: dict[str, int]) -> None:
        try:
            await self.writer.run(since)
        except Closed as closed:
            self.closed = closed.code

    @property
    def events(self) -> list[tuple[str, int]]:
        return [(frame["stream"], frame["seq"]) for frame in self.frames if frame["t"] == "event"]

    @property
    def beats(self) -> list[dict[str, int]]:
        return [frame["heads"] for frame in self.frames if frame["t"] == "beat"]


async def settled(done: Callable[[], object]) -> None:
    """Give the event loop its turns until `done()`. How long that takes says how busy the machine is: the limit is there for what
    never comes."""
    loop = asyncio.get_running_loop()
    latest = loop.time() + 60
    while not done():
        if loop.time() > latest:
            raise AssertionError("it did not come to that")
        await asyncio.sleep(0.001)
