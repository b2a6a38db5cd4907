"""Browsers that follow a table over a bad line, by the real feed and real socket writers, all in one thread and within one
transaction."""

from __future__ import annotations

import asyncio
import json
from asyncio import events
from collections.abc import Callable
from typing import Any

import pytest

from campaigns.live import campaign_feed as feeds
from campaigns.live.presence import follow
from campaigns.live.socket_writer import GONE, RESEATED
from campaigns.models import Viewer
from tests.campaigns.live.clients import Client

TURNS = 4  # turns of the event loop: enough for a socket writer to wake and send


def in_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let feed and socket writer read over the test's own connection: another would not see what is not committed."""

    def here(reader: Any) -> Any:
        async def read(*args: Any) -> Any:
            # Django has other connections where a loop runs; for the length of a query, none does.
            loop = asyncio.get_running_loop()
            events._set_running_loop(None)
            try:
                return reader.func(*args)
            finally:
                events._set_running_loop(loop)

        return read

    for name in ("open_feeds", "_read", "_draw", "backlog"):
        monkeypatch.setattr(feeds, name, here(getattr(feeds, name)))


class Browser:
    """A page that takes frames as live.js does: what it has is dropped, what comes next is kept, a gap asks again."""

    def __init__(self, room: Room, name: str) -> None:
        self.room = room
        self.name = name
        self.task: asyncio.Task[None] | None = None
        self.load()

    def load(self) -> None:
        """Draw the page as it is now, or find that there is none any more."""
        self.viewer = self.room.find(self.name)
        self.began = dict(json.loads(follow(self.viewer)["live"]["heads"])) if self.viewer else {}
        self.last = dict(self.began)
        self.kept: list[dict[str, Any]] = []
        self.connect()

    def connect(self) -> None:
        """Hang up, losing whatever is on its way, and ask again from here: as TableConsumer.connect does it."""
        if self.task:
            self.task.cancel()
        self.room.pull(1)
        self.client = None
        if viewer := self.room.find(self.name):
            self.viewer, self.read = viewer, 0
            self.client = Client(self.room.feed, viewer)
            self.task = self.room.loop.create_task(self.client.run(dict(self.last)))
            self.room.turn()
            if self.client.closed == RESEATED:
                self.load()

    def arrive(self, fault: str) -> None:
        """Deliver what was sent: whole, without its first frame, each twice, or backwards."""
        if self.client is None:
            return
        frames = self.client.frames[self.read :]
        self.read = len(self.client.frames)
        if fault == "drop":
            frames = frames[1:]
        elif fault == "double":
            frames = [frame for frame in frames for _ in range(2)]
        elif fault == "turn":
            frames.reverse()
        for frame in frames:
            if not self.take(frame):
                self.connect()
                return
        if self.client.closed == RESEATED:
            self.load()

    def take(self, frame: dict[str, Any]) -> bool:
        """Apply a frame. Return False for a gap, or for a beat that reveals one."""
        if frame["t"] == "beat":
            return all(seq <= self.last.get(stream, 0) for stream, seq in frame["heads"].items())
        if frame["t"] == "event":
            have = self.last.get(frame["stream"], 0)
            if frame["seq"] > have + 1:
                return False
            if frame["seq"] == have + 1:
                self.kept.append(frame)
                self.last[frame["stream"]] = frame["seq"]
        return True

    @property
    def is_gone(self) -> bool:
        return self.client is None or self.client.closed == GONE


class Room:
    """One process with a feed, and everybody's browser."""

    def __init__(self, slug: str, find: Callable[[str], Viewer | None]) -> None:
        self.find = find
        self.loop = asyncio.new_event_loop()
        (self.feed,) = self.loop.run_until_complete(feeds.open_feeds([slug]))
        self.browsers: dict[str, Browser] = {}

    def pull(self, notifications: int) -> None:
        for _ in range(notifications):
            self.loop.run_until_complete(self.feed.pull())
        self.turn()

    def beat(self) -> None:
        """Send a beat, as the poll does, which shows a browser that it has lost the last frame of a stream."""
        for browser in self.browsers.values():
            if browser.client:
                browser.client.writer.beat()
        self.turn()

    def turn(self) -> None:
        for _ in range(TURNS):
            self.loop.run_until_complete(asyncio.sleep(0))

    def sit_down(self, name: str) -> None:
        if earlier := self.browsers.get(name):
            earlier.load()
        else:
            self.browsers[name] = Browser(self, name)

    def close(self) -> None:
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self.loop.close()
