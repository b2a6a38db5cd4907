"""A proxy between some pages and a server that makes their connections bad: it swallows, slows or delays."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path

from bench.live_world import HOST

CHUNK = 4096
ESTABLISHED = "01"
MOST_UNDER_WAY = 1000  # chunks


class Proxy:
    """`mode` is "pass", "swallow" (nothing is read any more, on either side), "lag" or "slow"; it may change at any moment."""

    LAG = 0.5  # seconds
    SLOW = 2048  # bytes a second, to the page

    def __init__(self, to: int) -> None:
        self.to, self.mode, self.port = to, "pass", 0
        self.upstream: set[int] = set()
        self._held = asyncio.Event()
        self._tasks = set[asyncio.Task[None]]()

    async def start(self) -> None:
        server = await asyncio.start_server(self._accepted, HOST, 0)
        self.port = server.sockets[0].getsockname()[1]

    def established(self, ports: set[int]) -> int:
        """Return how many of the connections from these ports the server still holds open."""
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        ends = [(int(row[1].split(":")[1], 16), int(row[2].split(":")[1], 16)) for row in rows if row[3] == ESTABLISHED]
        return sum(mine == self.to and theirs in ports for mine, theirs in ends)

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._accept(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            above, below = await asyncio.open_connection(HOST, self.to, limit=CHUNK)
        except OSError:
            writer.transport.abort()
            return
        port = below.get_extra_info("sockname")[1]
        self.upstream.add(port)
        try:
            both = (self._pump(reader, below, down=False), self._pump(above, writer, down=True))
            await asyncio.gather(*both)
        finally:
            self.upstream.discard(port)
            for end in (below, writer):
                end.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, down: bool) -> None:
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(MOST_UNDER_WAY)
        sending = asyncio.create_task(self._send(due, sink))
        with suppress(OSError):
            while (data := await source.read(CHUNK)) and self.mode != "swallow":
                if self.mode == "slow" and down:
                    await asyncio.sleep(len(data) / self.SLOW)
                await due.put((time.monotonic() + self.LAG * (self.mode == "lag"), data))
        if self.mode == "swallow":
            await self._held.wait()  # not even an end comes through
        await due.put((0, b""))
        await sending

    async def _send(self, due: asyncio.Queue[tuple[float, bytes]], sink: asyncio.StreamWriter) -> None:
        """Send chunks when they are due, in their order; a late one delays those after it only as far as it has to."""
        with suppress(OSError, RuntimeError):
            while (chunk := await due.get())[1]:
                await asyncio.sleep(max(0.0, chunk[0] - time.monotonic()))
                sink.write(chunk[1])
                await sink.drain()
            sink.write_eof()

    def release(self) -> None:
        """Let everything pass again, and end the connections that swallowed data."""
        self.mode = "pass"
        self._held.set()
        self._held = asyncio.Event()
