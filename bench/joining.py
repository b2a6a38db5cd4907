"""`python -m bench.joining`: how long it takes until all are live again: after a thousand sockets were cut at once, after a
restart of the server, and while two processes are restarted one after the other.

The clients are in a process of their own and come back as static/js/live.js does; where there are two server processes they try
them in turn, as behind a proxy. Wanted: all live within 6 seconds, after restarts within 10, nothing lost, and nobody cut
(close codes are printed) because the server had not come to them yet.
"""

from __future__ import annotations

import threading
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from bench import proxy
from bench.databases import KINDS, new_databases
from bench.live_world import Clients, Server, Site, clients, kind, post, served, site, sockets
from bench.waiting import waited

EVENTS = 60  # that have happened at a table before
PATIENCE = 90  # seconds
SETTLES = 5.0  # seconds
SAID_EVERY = 0.5  # seconds, while servers are restarted


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.joining", description="Time how sockets come back all at once.")
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--only", choices=KINDS, help="one database alone")
    asked = parser.parse_args(arguments)
    for url in new_databases(asked.only):
        database = kind(url)
        print(f"\n{database}", flush=True)
        measure(site(url), asked, processes=1 if database == "sqlite" else 2)


def measure(new: Site, asked: Namespace, processes: int) -> None:
    many = new.tables(asked.tables, asked.sockets // asked.tables, EVENTS)
    table = new.tables(1, asked.sockets, EVENTS)
    for title, tables in ((f"{asked.tables} tables", many), ("one table", table)):
        with served(new) as servers, clients() as people:
            cut(title, tables, servers, people)
    half = many[: len(many) // 2]
    with served(new) as servers, clients() as people:
        restart("a restart", half, servers, people)
    if processes > 1:
        with served(new, processes) as servers, clients() as people:
            restart("a rolling restart", half, servers, people)
            if proxy.is_there():
                with served(new, processes) as servers, proxy.nginx(_ports(servers)) as door, clients() as people:
                    restart("the same behind nginx", half, servers, people, [door])


def cut(title: str, tables: list[dict[str, Any]], servers: list[Server], people: Clients) -> None:
    _opened(tables, _ports(servers), people)
    began = people.ask("cut", group="all")
    _tell(f"{title}, cut at once", began, people)


def restart(
    title: str, tables: list[dict[str, Any]], servers: list[Server], people: Clients, doors: Sequence[int] = ()
) -> None:
    """Restart the servers one after the other while a person talks at the first table; all of it has to arrive.
    Everyone connects to one of the `doors`, by default the servers' own ports.
    """
    ports = list(doors or _ports(servers))
    _opened(tables, ports, people)
    talk = Talk(tables[0], ports)
    talk.start()
    for server in servers:
        began = people.ask("forget", group="all") if len(servers) == 1 else time.monotonic()
        server.stop()
        stopped = time.monotonic()
        server.start()
        server.wait()
        print(f"  stopped in {stopped - began:.1f} s, ready again after {time.monotonic() - began:.1f} s")
    _tell(title, began, people)
    talk.end()
    # The last push may be on its way still.
    waited(lambda: len(people.ask("stand", group="all")["table"]) == 1, SETTLES)
    stand = people.ask("stand", group="all")
    most = max(map(int, stand["table"]))
    print(f"  said meanwhile: {talk.said}; the table stands at {stand['table'][str(most)]} pages at {most}")


class Talk(threading.Thread):
    """A person who keeps talking, to whichever server answers."""

    def __init__(self, table: dict[str, Any], ports: list[int]) -> None:
        super().__init__(daemon=True)
        self._table, self._ports, self._ended = table, ports, threading.Event()
        self.said = 0

    def run(self) -> None:
        while not self._ended.wait(SAID_EVERY):
            for port in self._ports:
                try:
                    post(port, self._table["slug"], self._table["sessions"]["player"][0], "Do you hear me?")
                except (OSError, RuntimeError):
                    continue  # nobody is there, or only a proxy answers
                self.said += 1
                break

    def end(self) -> None:
        self._ended.set()
        self.join()


def _ports(servers: Sequence[Server]) -> list[int]:
    return [server.port for server in servers]


def _opened(tables: list[dict[str, Any]], ports: list[int], people: Clients) -> None:
    began = time.monotonic()
    people.ask("open", group="all", sockets=sockets(tables), ports=ports)
    _tell("opened", began, people)


def _tell(title: str, began: float, people: Clients) -> None:
    report = people.ask("live", group="all", within=PATIENCE)
    half, last = ((report[name] or PATIENCE) - began for name in ("half", "last"))
    stand = people.ask("stand", group="all")
    print(
        f"{title:28} {report['live']:>5} of {report['of']} live, half after {half:5.1f} s, the last after {last:5.1f} s; "
        f"cut {report['codes']}, gaps {stand['lost']}, presence at most {stand['present']} a second",
        flush=True,
    )


if __name__ == "__main__":
    main()
