"""`python -m bench.replica`: pages of the log a second while rolls are made, on a PostgreSQL alone and with a streaming replica.

Everything is on this machine: the servers of the site, both PostgreSQLs and the clients share its cores. So beside the pages
stands what each PostgreSQL worked in that time: a replica on a machine of its own takes that off the primary.
"""

from __future__ import annotations

import os
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from typing import Any

from bench.databases import new_databases
from bench.live_world import HOST, Server, post, served, site
from tools.postgres import folder_of, replica_of

TABLES, PEOPLE, EVENTS = 16, 5, 150
PROCESSES, READERS = 2, 6
WRITERS = 32  # two for each table: so many rolls may be under way while readers are answered
TICK = os.sysconf("SC_CLK_TCK")
FIELDS_OF_TIME = slice(
    11, 15
)  # of /proc/…/stat after the name: own and ended children's time, in user mode and in the kernel


def main() -> None:
    parser = ArgumentParser(prog="python -m bench.replica", description="Read the log while rolls are made.")
    parser.add_argument("--rolls", type=float, default=30, help="a second")
    parser.add_argument("--seconds", type=float, default=30)
    asked = parser.parse_args()
    for url in new_databases("postgresql"):
        new = site(url)
        tables = new.tables(TABLES, PEOPLE, EVENTS)
        print(f"{'':<18}{'pages':>8}{'rolls':>8}{'load':>8}   a second; processor ms a second of: primary, replica")
        with replica_of(url) as copy:
            for words, more in {"primary alone": "", "with a replica": copy}.items():
                os.environ["DATABASE_REPLICA_URL"] = more
                with served(new, PROCESSES) as servers:
                    _read(servers, tables, 5)  # until it is read
                    before, began = (_worked(url), _worked(copy)), time.monotonic()
                    with _rolling(servers, tables, asked.rolls) as rolled:
                        pages = _read(servers, tables, asked.seconds)
                        rolls = rolled()
                    took = time.monotonic() - began
                    after = (_worked(url), _worked(copy))
                    primary, replica = (1000 * (now - then) / took for then, now in zip(before, after, strict=True))
                    rates = f"{pages / took:>8.1f}{rolls / took:>8.1f}{os.getloadavg()[0]:>8.1f}"
                    print(f"{words:<18}{rates}   {primary:.0f}, {replica:.0f}", flush=True)


def _read(servers: list[Server], tables: list[dict[str, Any]], seconds: float) -> int:
    """Read logs, one page after another in each of so many threads, and return how many pages that were."""
    end = time.monotonic() + seconds
    turns = cycle([(server.port, table) for table in tables for server in servers])

    def read(_: int) -> int:
        pages = 0
        while time.monotonic() < end:
            port, table = next(turns)
            # Who watches writes nothing. With too much to do, a page is refused, and not counted.
            with closing(HTTPConnection(HOST, port, timeout=60)) as link:
                cookie = {"Cookie": f"sessionid={table['sessions']['spectator'][0]}"}
                link.request("GET", f"/c/{table['slug']}/log/", headers=cookie)
                answer = link.getresponse()
                page = answer.read()
                if answer.status not in (200, 503) or (answer.status == 200 and b"event-" not in page):
                    raise RuntimeError(f"The log was answered with {answer.status}.")
            pages += answer.status == 200
        return pages

    with ThreadPoolExecutor(READERS) as readers:
        return sum(readers.map(read, range(READERS)))


@contextmanager
def _rolling(servers: list[Server], tables: list[dict[str, Any]], a_second: float) -> Iterator[Callable[[], int]]:
    """Have so many rolls made a second, as far as the servers manage; gives what counts them. One that is refused is not made."""
    over, done, began = threading.Event(), [0] * WRITERS, time.monotonic()

    def roll(writer: int) -> None:
        seats = [(table, key) for table in tables for role in ("gm", "player") for key in table["sessions"][role]]
        for turn, (table, key) in enumerate(cycle(seats[writer::WRITERS])):
            if over.wait(max(0.0, began + (turn * WRITERS + writer) / a_second - time.monotonic())):
                return
            with suppress(RuntimeError):
                post(servers[turn % len(servers)].port, table["slug"], key, "/r 5")
                done[writer] += 1

    with ThreadPoolExecutor(WRITERS) as writers:
        running = [writers.submit(roll, writer) for writer in range(WRITERS)]
        try:
            yield lambda: sum(done)
        finally:
            over.set()
        for one in running:
            one.result()


def _worked(url: str) -> float:
    """Return the seconds of processors that a PostgreSQL has used."""
    postmaster = (folder_of(url) / "data/postmaster.pid").read_text().split()[0]
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    ticks = 0
    for pid in (postmaster, *children):
        with suppress(OSError):  # one that has just ended is counted by the first
            times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[FIELDS_OF_TIME]
            ticks += sum(map(int, times if pid == postmaster else times[:2]))
    return ticks / TICK


if __name__ == "__main__":
    main()
