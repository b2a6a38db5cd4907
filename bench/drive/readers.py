"""`python -m bench.drive.readers`: the open pages of a run, in a separate process, and all that each has applied.

It does what static/js/live.js does: known events are dropped, the next one is applied, at a gap and after a silence the
page asks again from its position, and it reloads when told to.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException

from bench.drive.web import ask
from bench.live_clients import FRAMES_AN_ACKNOWLEDGEMENT, GONE, LONGEST, RESEATED, SHORTEST, SILENCE, Page, Room, main

HEADS = re.compile(r'data-heads="([^"]*)"')


class Reader(Page):
    """One page: its start, the events that it applied, and why its sockets were closed."""

    def __init__(self, ports: list[int], page: dict[str, Any]) -> None:
        heads = {name: seq for name, seq in page["heads"].items() if _sees(page["streams"], name)}
        super().__init__(ports, f"/c/{page['slug']}/live/", page["session"], heads, bare=False)
        self.page, self.began = page, heads
        self.applied: list[tuple[str, int, str, float]] = []
        self.asked_again = 0
        self._heard_at = time.monotonic()
        self._is_gone = False

    async def run(self) -> None:
        while not self._is_gone:
            with suppress(OSError, WebSocketException, TimeoutError, ValueError):
                await self._closed(await self._follow_once())
            self.link = self.live_at = None
            self._pause = min(max(self._pause * 2, SHORTEST), LONGEST)
            await asyncio.sleep(self._pause * (0.5 + time.monotonic() % 1))

    async def _follow_once(self) -> int:
        """Follow until the connection ends. Return its close code, 0 if the page reconnects by itself."""
        async with self._connected() as link:
            self.link, got = link, 0
            await link.send(json.dumps({"since": self.last}))
            try:
                while text := await asyncio.wait_for(link.recv(), SILENCE):
                    got += 1
                    beat = self._hear(str(text))
                    if beat or got % FRAMES_AN_ACKNOWLEDGEMENT == 0:
                        await link.send(json.dumps({"got": got}))
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 1006
            except (_Again, TimeoutError):
                self.asked_again += 1
                link.transport.abort()
            return 0

    async def _closed(self, code: int) -> None:
        self.codes[code] += 1
        self._is_gone = code == GONE
        if code == RESEATED:
            await self._load()

    async def _load(self) -> None:
        """Load the page; events drawn in it need not be sent."""
        port = self.ports[self._turn % len(self.ports)]
        answer = await ask(port, f"/c/{self.page['slug']}/", self.page["session"])
        if answer.status == 404:
            self._is_gone = True
        elif answer.status == 200 and (match := HEADS.search(answer.text)):
            self.last = json.loads(html.unescape(match.group(1)))
            self.applied += [(stream, seq, "", time.monotonic()) for stream, seq in self.last.items()]

    def _apply(self, news: dict[str, Any]) -> None:
        stream, seq = news["stream"], news["seq"]
        have = self.last.get(stream, 0)
        if seq <= have:
            return
        if seq > have + 1:
            raise _Again
        self.last[stream] = seq
        self.applied.append((stream, seq, news["hash"], time.monotonic()))

    def _hear(self, text: str) -> bool:
        lost = self.lost
        beat = super()._hear(text)
        if self.lost > lost:
            raise _Again
        return beat


class _Again(Exception):
    """The page is not at the position that the server reports for its streams."""


def _sees(streams: list[str] | None, name: str) -> bool:
    return streams is None or name in streams


class Gallery(Room):
    """The pages of a run, in groups that have names."""

    async def watch(self, group: str, pages: list[dict[str, Any]], ports: list[int]) -> int:
        """Open pages: each has its table's `slug`, a `session`, the `streams` that it may see (null: all), and `heads`."""
        return self._begun(group, [Reader(ports, page) for page in pages])

    async def behind(self, heads: dict[str, dict[str, int]], within: float) -> list[str]:
        """Wait until every page has reached the heads of its streams. Return those that have not."""
        deadline = time.monotonic() + within
        while (late := self._late(heads)) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        return late

    def _late(self, heads: dict[str, dict[str, int]]) -> list[str]:
        readers = [reader for reader in self._readers() if not reader._is_gone]
        return [
            f"{reader.page['slug']} {reader.page['role']}: {name} {reader.last.get(name, 0)} of {seq}"
            for reader in readers
            for name, seq in heads[reader.page["slug"]].items()
            if _sees(reader.page["streams"], name) and reader.last.get(name, 0) < seq
        ]

    async def dump(self, path: str) -> int:
        """Write what all have applied: it is too much for a line."""
        pages = [
            {
                "page": reader.page,
                "began": reader.began,
                "applied": reader.applied,
                "again": reader.asked_again,
                "codes": reader.codes,
            }
            for reader in self._readers()
        ]
        Path(path).write_text(json.dumps(pages))
        return len(pages)

    def _readers(self) -> list[Reader]:
        """Return the pages, without overlays and programs."""
        return [one for group in self.groups.values() for one in group if isinstance(one, Reader)]


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(Gallery()))
