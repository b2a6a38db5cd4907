"""`python -m bench.fanout`: from the POST of a roll until the last of N sockets at that table has it, beside a broadcast of the
same bytes by a bare server of `websockets` that does nothing else, told to in turn with ours.

With `--programs` the same is timed of N sockets beside N programs that follow the API's stream of events, told of the same rolls.

The clients of both are in one process of their own, their roles mixed. On SQLite with one server process, on PostgreSQL with
one and with two. The median of several times counts; the ratio is ours to the bare one's, the share its deliveries a second to
the bare one's. Wanted: a ratio of at most 5 at 100 sockets and 1.7 at 1000, there a share of at least 0.6.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from bench.databases import KINDS, new_databases
from bench.live_world import HOST, ROOT, Clients, Server, Site, clients, free_port, kind, post, served, site, sockets

EVENTS = 20  # that have happened at a table before
ROLES = 3
PATIENCE = 90  # seconds
ROLL = "/r 5 d6"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.fanout", description="Time how a roll reaches everybody.")
    parser.add_argument("--sockets", type=int, nargs="+", default=[10, 100, 500, 1000])
    parser.add_argument("--rolls", type=int, default=20)
    parser.add_argument("--languages", nargs="+", default=["en-gb"], help="that the pages are read in, in turn")
    parser.add_argument("--only", choices=KINDS, help="one database alone")
    parser.add_argument(
        "--programs", action="store_true", help="as many programs by the API, in place of the bare server"
    )
    parser.add_argument("--bare", type=int, metavar="PORT", help="be the bare server")
    asked = parser.parse_args(arguments)
    if asked.bare:
        import uvloop

        uvloop.run(broadcast_for_ever(asked.bare))
        return
    for url in new_databases(asked.only):
        new, database = site(url), kind(url)
        for processes in (1,) if database == "sqlite" else (1, 2):
            print(f"\n{database}, {processes} server process{'es' if processes > 1 else ''}")
            if asked.programs:
                print(f"{'each':>8}{'answered':>12}{'sockets':>12}{'programs':>12}{'ratio':>8}")
                for count in asked.sockets:
                    beside_programs(new, processes, count, asked)
                continue
            print(
                f"{'sockets':>8}{'answered':>12}{'delivered':>12}{'bare':>12}{'ratio':>8}{'a second':>12}{'share':>8}"
            )
            for count in asked.sockets:
                measure(new, processes, count, asked)


def measure(new: Site, processes: int, count: int, asked: Namespace) -> None:
    tables = new.tables(1, count, EVENTS)
    with served(new, processes) as servers, clients() as people, bare_server() as bare:
        # In runs of one for each role, so that every role is read in every language.
        everybody = [
            [*socket, asked.languages[place // ROLES % len(asked.languages)]]
            for place, socket in enumerate(sockets(tables))
        ]
        people.ask("open", group="ours", sockets=everybody, ports=[server.port for server in servers])
        people.ask("open", group="bare", sockets=everybody, ports=[bare.port], bare=True)
        for group in ("ours", "bare"):
            live = people.ask("live", group=group, within=PATIENCE)["live"]
            if live < count:
                raise SystemExit(f"Only {live} of {count} sockets are live ({group}).")
        race = Race(tables[0], servers, bare, people)
        race.both()  # the first of each fills caches
        times = [race.both() for _ in range(asked.rolls)]
    answered, ours, theirs = (median(column) for column in zip(*times, strict=True))
    print(
        f"{count:>8}{1000 * answered:>9.1f} ms{1000 * ours:>9.1f} ms{1000 * theirs:>9.1f} ms{ours / theirs:>8.2f}"
        f"{count / ours:>12,.0f}{theirs / ours:>8.2f}",
        flush=True,
    )


def beside_programs(new: Site, processes: int, count: int, asked: Namespace) -> None:
    """Print when the last of N sockets and the last of N programs hear of the same rolls from the same servers."""
    tables = new.tables(1, count, EVENTS)
    (table,) = tables
    with served(new, processes) as servers, clients() as pages, clients() as programs:
        ports = [server.port for server in servers]
        pages.ask("open", group="ours", sockets=sockets(tables), ports=ports)
        path = f"/api/v1/campaigns/{table['slug']}/events/stream"
        programs.ask("follow", group="ours", path=path, tokens=table["tokens"], ports=ports)
        for people in (pages, programs):
            live = people.ask("live", group="ours", within=PATIENCE)["live"]
            if live < count:
                raise SystemExit(f"Only {live} of {count} are live.")
        players, times = itertools.cycle(table["sessions"]["player"]), []
        for server, player, _ in zip(itertools.cycle(servers), players, range(asked.rolls + 1)):
            began = time.monotonic()
            answered = post(server.port, table["slug"], player, ROLL)
            heard = [people.ask("heard", group="ours", after=began, within=PATIENCE) for people in (pages, programs)]
            if missing := sum(each["missing"] for each in heard):
                raise SystemExit(f"{missing} heard nothing.")
            times.append((answered, *(each["last"] - began for each in heard)))
    # The first fills caches.
    answered, by_socket, by_stream = (median(column) for column in zip(*times[1:], strict=True))
    figures = "".join(f"{1000 * seconds:>9.1f} ms" for seconds in (answered, by_socket, by_stream))
    print(f"{count:>8}{figures}{by_stream / by_socket:>8.2f}", flush=True)


class Bare:
    """The bare server: it sends everything it gets to all."""

    def __init__(self) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "bench.fanout", "--bare", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, text=True)  # our own words

    def send(self, text: str) -> None:
        print(json.dumps(text), file=self.process.stdin, flush=True)


@contextmanager
def bare_server() -> Iterator[Bare]:
    bare = Bare()
    try:
        yield bare
    finally:
        bare.process.kill()
        bare.process.wait()


async def broadcast_for_ever(port: int) -> None:
    from websockets.asyncio.server import ServerConnection, broadcast, serve

    connected: set[ServerConnection] = set()

    async def hear(link: ServerConnection) -> None:
        connected.add(link)
        await link.send('{"t": "beat", "heads": {}}')
        try:
            async for _ in link:
                pass
        finally:
            connected.discard(link)

    reader = asyncio.StreamReader(limit=2**26)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with serve(hear, HOST, port, compression=None):
        while line := await reader.readline():
            broadcast(connected, json.loads(line))


class Race:
    """Alternates rolls on our server and on the bare one, by one player after the other, so that no player hits the limit."""

    def __init__(self, table: dict[str, Any], servers: list[Server], bare: Bare, people: Clients) -> None:
        self._table, self._bare, self._people = table, bare, people
        players = table["sessions"]["player"]
        self._turns = zip(itertools.cycle(servers), itertools.cycle(players))

    def both(self) -> tuple[float, float, float]:
        """Return the seconds until the roll was answered, until the last socket had it, and until the last of the bare
        ones had it.
        """
        server, player = next(self._turns)
        answered = 0.0

        def roll() -> None:
            nonlocal answered
            answered = post(server.port, self._table["slug"], player, ROLL)

        ours, text = self._timed("ours", roll)
        theirs, _ = self._timed("bare", lambda: self._bare.send(text))
        return answered, ours, theirs

    def _timed(self, group: str, do: Callable[[], None]) -> tuple[float, str]:
        began = time.monotonic()
        do()
        heard = self._people.ask("heard", group=group, after=began, within=PATIENCE)
        if heard["missing"]:
            raise SystemExit(f"{heard['missing']} sockets heard nothing ({group}).")
        return heard["last"] - began, heard["text"]


if __name__ == "__main__":
    main()
