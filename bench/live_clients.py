"""`python -m bench.live_clients`: many open pages in one process, without a display. Controlled by lines on stdin (Clients).

Each does what static/js/live.js does: sends its position, drops known events, applies the next, asks again at a gap,
acknowledges, and reconnects after a growing pause.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import cycle
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

HOST = "127.0.0.1"
GONE, RESEATED = 4404, 4409
OURS = 4000  # close codes from here on are the site's own, sent when it cuts a socket
FRAMES_AN_ACKNOWLEDGEMENT = 16
SHORTEST, LONGEST = 0.25, 5.0  # seconds
SILENCE = 20.0  # seconds without a word, after which a page connects again


class Page:
    """A table's page, or with `bare` the client of a server that only broadcasts."""

    def __init__(
        self,
        ports: list[int],
        path: str,
        session: str,
        heads: dict[str, int],
        language: str = "en-gb",
        *,
        bare: bool,
        host: str = HOST,
    ) -> None:
        self.host, self.ports, self.path, self.bare, self.last, self.language = (
            host,
            ports,
            path,
            bare,
            dict(heads),
            language,
        )
        self.headers = {"Cookie": f"sessionid={session}"}
        self.live_at: float | None = None
        self.newest_at = self.heard_at = 0.0
        self.newest = ""
        self.codes = Counter[int]()
        self.present: list[float] = []
        self.lost = self.doubled = 0
        self.link: ClientConnection | None = None
        self._pause = 0.0
        self._turn = random.randrange(len(ports))  # no secret

    async def run(self) -> None:
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                await self._follow()
            self.link = self.live_at = None
            self._pause = min(max(self._pause * 2, SHORTEST), LONGEST)
            await asyncio.sleep(self._pause * (0.5 + random.random()))  # no secret

    async def _follow(self) -> None:
        async with self._connected() as link:
            self.link, self.heard_at, got = link, time.monotonic(), 0
            # However it ends, how it was closed is looked at below.
            with suppress(ConnectionClosed):
                await link.send(json.dumps({"since": self.last, "language": self.language}))
                async for text in link:
                    got += 1
                    beat = self._hear(str(text))
                    if beat or got % FRAMES_AN_ACKNOWLEDGEMENT == 0:
                        await link.send(json.dumps({"got": got}))
        if link.close_code and link.close_code >= OURS:
            self.codes[link.close_code] += 1
            if link.close_code in (GONE, RESEATED):
                await asyncio.Event().wait()

    def _connected(self) -> Any:
        # Each process in turn, as behind a proxy.
        self._turn += 1
        port = self.ports[self._turn % len(self.ports)]
        url, origin = f"ws://{self.host}:{port}{self.path}", f"http://{self.host}"
        options: dict[str, Any] = {"compression": None, "ping_interval": None, "open_timeout": 60}
        return connect(url, origin=origin, additional_headers=self.headers, max_queue=None, **options)

    def _hear(self, text: str) -> bool:
        news = json.loads(text)
        self.heard_at = now = time.monotonic()
        if news["t"] == "event":
            self._apply(news)
            self.newest_at, self.newest = now, text
        elif news["t"] == "presence" and self.live_at:
            # What it got while catching up is the present state, not news.
            self.present.append(now)
        elif news["t"] == "beat":
            if any(seq > self.last.get(stream, 0) for stream, seq in news["heads"].items()):
                self.lost += 1
            self._pause = 0.0
            self.live_at = self.live_at or now
            return True
        return False

    def _apply(self, news: dict[str, Any]) -> None:
        have = self.last.get(news["stream"], 0)
        if self.bare:
            return
        if news["seq"] == have + 1:
            self.last[news["stream"]] = news["seq"]
        elif news["seq"] > have + 1:
            self.lost += 1
        else:
            self.doubled += 1


class Program:
    """A program that follows a table by the stream of events of the API; it does not come back when it is cut."""

    def __init__(self, port: int, path: str, token: str) -> None:
        self.port, self.path, self.token = port, path, token
        self.live_at: float | None = None
        self.newest_at = 0.0
        self.newest = ""
        self.codes = Counter[int]()

    async def run(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        ask = f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        writer.write(ask.encode())
        kind = ""
        while line := (await reader.readline()).decode():
            if line.startswith("event: "):
                kind = line.removeprefix("event: ").strip()
            elif line.startswith("retry: "):
                self.live_at = time.monotonic()
            elif line.startswith("data: ") and kind == "event":
                self.newest_at, self.newest = time.monotonic(), line
        writer.close()


class Room:
    """The pages of this process, in groups that have names."""

    def __init__(self) -> None:
        self.groups: dict[str, list[Any]] = {}
        self._tasks = set[asyncio.Task[None]]()

    async def open(self, group: str, sockets: list[Any], ports: list[int], bare: bool = False, host: str = HOST) -> int:
        """Open a page for each [path, session, heads], or with its language as a fourth."""
        pages = [Page(ports, *socket, bare=bare, host=host) for socket in sockets]
        self._tasks.add(asyncio.create_task(_leave_silence(pages)))
        return self._begun(group, pages)

    async def follow(self, group: str, path: str, tokens: list[str], ports: list[int]) -> int:
        """Follow a stream of events once for each token."""
        return self._begun(group, [Program(port, path, token) for port, token in zip(cycle(ports), tokens)])

    def _begun(self, group: str, those: list[Any]) -> int:
        self.groups[group] = those
        self._tasks |= {asyncio.create_task(one.run()) for one in those}
        return len(those)

    async def live(self, group: str, within: float, since: float = 0.0) -> dict[str, Any]:
        """Wait until all are live, and say when the last one was, of those that were not before a moment."""
        pages, deadline = self.groups[group], time.monotonic() + within
        while time.monotonic() < deadline and any(page.live_at is None for page in pages):
            await asyncio.sleep(0.005)
        live = [page.live_at for page in pages if page.live_at is not None]
        moments = sorted(moment for moment in live if moment >= since)
        return {
            "live": len(live),
            "again": len(moments),
            "of": len(pages),
            "half": moments[len(moments) // 2] if moments else None,
            "last": moments[-1] if moments else None,
            "codes": sum((page.codes for page in pages), Counter()),
        }

    async def cut(self, group: str) -> float:
        """Cut all connections at once, as when a network goes; when that was."""
        now = await self.forget(group)
        for page in self.groups[group]:
            if page.link:
                page.link.transport.abort()
        return now

    async def forget(self, group: str) -> float:
        """Count all pages as not live until they have news again."""
        for page in self.groups[group]:
            page.live_at, page.present = None, []
            page.codes.clear()
        return time.monotonic()

    async def heard(self, group: str, after: float, within: float) -> dict[str, Any]:
        """Wait until each page got an event after a moment. Return when the last one did, and the longest message."""
        pages, deadline = self.groups[group], time.monotonic() + within
        while (missing := sum(page.newest_at < after for page in pages)) and time.monotonic() < deadline:
            await asyncio.sleep(0.005)
        last, text = max(page.newest_at for page in pages), max((page.newest for page in pages), key=len)
        return {"missing": missing, "last": last, "text": text}

    async def places(self, group: str) -> list[tuple[str, int]]:
        """Return each page's table and its position there."""
        return [(page.path.split("/")[2], page.last.get("table", 0)) for page in self.groups[group]]

    async def stand(self, group: str) -> dict[str, Any]:
        """Return the position of the table's stream on each page, and what went wrong."""
        pages = self.groups[group]
        return {
            "table": Counter(page.last.get("table", 0) for page in pages),
            "lost": sum(page.lost for page in pages),
            "doubled": sum(page.doubled for page in pages),
            "present": max((_most_in_a_second(page.present) for page in pages), default=0),
        }


async def _leave_silence(pages: list[Page]) -> None:
    """Have pages connect again that hear nothing any more, as when a machine is gone without a word."""
    while True:
        await asyncio.sleep(1)
        for page in pages:
            if page.link and not page.bare and time.monotonic() - page.heard_at > SILENCE:
                page.link.transport.abort()


def _most_in_a_second(moments: list[float]) -> int:
    return max((sum(0 <= other - moment < 1 for other in moments) for moment in moments), default=0)


async def main(room: Room) -> None:
    """Do what the lines on stdin say: methods of `room`, by their names."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=2**26)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        asked = json.loads(line)
        answer = await getattr(room, asked.pop("do"))(**asked)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(Room()))
