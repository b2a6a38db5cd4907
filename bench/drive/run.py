"""One run: a world is made, put under load for a while with a fault in the middle, and left to settle; then the checker looks."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from argparse import Namespace
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.databases import new_databases
from bench.drive.checks import Applied, Findings, Page, Row, check
from bench.drive.faults import FAULTS
from bench.drive.proxy import Proxy
from bench.drive.receiver import Receiver, prepare
from bench.drive.world import DriveServer, DriveSite, DriveWorker, World, keeping_what_it_says
from bench.drive.writers import Writers
from bench.live_world import HOST, clients, running, site

LIVE_WITHIN = 90  # seconds
PROXIED = 10  # pages behind the proxy, with faults of the network
SAMPLE_EVERY = 1.0
SAMPLE_SOAK_EVERY = 10.0
ARENAS = "2"  # of glibc, as deploy/ has it


@dataclass
class Sample:
    """What each process has, the servers first: all that DriveServer.shares says, and its descriptors."""

    at: float
    memory: list[dict[str, float]]
    descriptors: list[int]


@dataclass
class Run:
    """The record of a run. `fault` is when it began and ended; `late` who was not up to date in time."""

    asked: Namespace
    names: list[str] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    fault: tuple[float, float] | None = None
    told: str = ""
    late: list[str] = field(default_factory=list)
    answers: list[tuple[int | None, float, float]] = field(default_factory=list)
    client_late: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    asked_again: int = 0
    wrong: list[str] = field(default_factory=list)
    sizes: str = ""
    complaints: Counter[str] = field(default_factory=Counter)
    findings: Findings = field(default_factory=Findings)


def run(asked: Namespace) -> Run:
    """Raises RuntimeError where the site does not even start."""
    logs = tempfile.TemporaryDirectory(prefix="afterburn-drive-")
    databases = closing(new_databases(asked.database))
    with logs as folder, databases as urls, keeping_what_it_says(site(next(urls))) as plain:
        more = {"DRIVE_BUG": asked.bug, "DRIVE_RATE_LIMIT": str(asked.rate_limit)}
        more |= {"WEBHOOK_NETWORKS": HOST, "MALLOC_ARENA_MAX": ARENAS}
        mine = DriveSite(plain.database_url, plain.secret, more=more, logs=folder)
        people = max(asked.sockets // asked.campaigns, 5)
        words = ("-m", "bench.drive.rows", "make", "drive", str(asked.campaigns), str(people))
        tables = json.loads(mine.run(*words))
        return asyncio.run(_driven(asked, mine, tables))


async def _driven(asked: Namespace, mine: DriveSite, tables: list[dict[str, Any]]) -> Run:
    record, receiver = Run(asked), Receiver()
    with (
        running([DriveServer(mine, {}) for _ in range(asked.processes)]) as servers,
        running([DriveWorker(mine)] if asked.evening else []) as workers,
        clients("bench.drive.readers") as readers,
    ):
        ports = [server.port for server in servers]
        writers = Writers(tables, ports, twice=asked.twice, evening=asked.evening)
        if asked.evening:
            await receiver.start()
            for table in tables:
                await prepare(ports[0], table, receiver)
        world = World(mine, servers, workers, readers, writers, Proxy(ports[0]), tables)
        await world.proxy.start()
        await asyncio.to_thread(_open, world, asked)
        sampling = asyncio.create_task(_sample(record, [*servers, *workers]))
        await asyncio.gather(world.writers.run(asked.rate, asked.seconds), _fault(record, world))
        await world.writers.finish(asked.within)
        heads = await asyncio.to_thread(world.heads)
        record.late = await asyncio.to_thread(readers.ask, "behind", heads=heads, within=_left(record))
        sampling.cancel()
        writers = world.writers
        record.statuses, record.answers, record.client_late = writers.statuses, writers.answers, writers.late
        record.done, record.refusals, record.taken = writers.done, writers.refusals, receiver.taken
        await asyncio.to_thread(_judge, record, world)
    return record


def _open(world: World, asked: Namespace) -> None:
    """Open all pages, some of them behind the proxy if the fault is one of the network."""
    pages = [
        {**who, "slug": table["slug"], "heads": table["heads"], "streams": _streams(who)}
        for table in world.tables
        for who in table["people"]
        if not (asked.evening and who["is_away"])
    ][: asked.sockets]
    behind = PROXIED if asked.fault in ("half-open", "slow", "lag") else 0
    direct = [server.port for server in world.servers]
    groups = {"all": (pages[behind:], direct), "proxied": (pages[:behind], [world.proxy.port])}
    for group, (some, ports) in groups.items():
        world.readers.ask("watch", group=group, pages=some, ports=ports)
        live = world.readers.ask("live", group=group, within=LIVE_WITHIN)
        if live["live"] < len(some):
            raise RuntimeError(f"Only {live['live']} of {len(some)} pages are live.")
    for table in world.tables if asked.evening else ():
        watched = [[f"/c/{table['slug']}/live/{table['watch']}/", "", {}]]
        world.readers.ask("open", group=f"overlay {table['slug']}", sockets=watched, ports=direct)
        path, tokens = f"/api/v1/campaigns/{table['slug']}/events/stream", [who["token"] for who in table["people"][:2]]
        world.readers.ask("follow", group=f"programs {table['slug']}", path=path, tokens=tokens, ports=direct)


def _streams(who: dict[str, Any]) -> list[str] | None:
    """Return the streams that a person may see, by the rule and not by the site's answer; None for all."""
    return None if who["role"] == "gm" else ["table", f"member:{who['member']}"]


async def _fault(record: Run, world: World) -> None:
    if not record.asked.fault:
        return
    await asyncio.sleep(record.asked.seconds / 3)
    began = time.monotonic()
    record.told = await FAULTS[record.asked.fault](world)
    record.fault = began, time.monotonic()


async def _sample(record: Run, servers: list[DriveServer]) -> None:
    began, record.names = time.monotonic(), [f"{type(one).__name__} {number}" for number, one in enumerate(servers)]
    while True:
        try:
            memory, descriptors = [one.shares() for one in servers], [one.descriptors() for one in servers]
            record.samples.append(Sample(time.monotonic(), memory, descriptors))
            if record.asked.memory:
                with Path(record.asked.memory).open("a") as file:
                    shares = (f"{one[name]:.2f}" for one in memory for name in ("Rss", "Pss", "Anonymous"))
                    print(f"{time.monotonic() - began:.0f}", *shares, *descriptors, sep="\t", file=file)
        except (OSError, IndexError, KeyError):
            pass  # one of them has just been killed
        await asyncio.sleep(SAMPLE_SOAK_EVERY if record.asked.soak else SAMPLE_EVERY)


def _left(record: Run) -> float:
    """Return the seconds left in which all pages have to be up to date."""
    over = record.fault[1] if record.fault else time.monotonic()
    return max(record.asked.within - (time.monotonic() - over), 5.0)


def _judge(record: Run, world: World) -> None:
    """Ask the pages, then the log, and compare."""
    with tempfile.TemporaryDirectory(prefix="afterburn-drive-") as folder:
        path = Path(folder) / "applied.json"
        world.readers.ask("dump", path=str(path))
        pages = json.loads(path.read_text())
    log = json.loads(world.site.run("-m", "bench.drive.rows", "read"))
    record.wrong = log["wrong"]
    if record.asked.evening and world.is_postgresql:
        record.sizes = world.site.run("-m", "bench.drive.sizes")
    record.complaints = sum((server.complaints() for server in [*world.servers, *world.workers]), Counter())
    record.codes = sum((Counter(page["codes"]) for page in pages), Counter())
    record.asked_again = sum(page["again"] for page in pages)
    rows = [Row(*row) for row in log["rows"]]
    record.findings = check(world.writers.operations.values(), rows, [_page(page, log["removed"]) for page in pages])


def _page(fields: dict[str, Any], removed: dict[str, int]) -> Page:
    page, applied = fields["page"], [Applied(*event) for event in fields["applied"]]
    return Page(page["slug"], page["streams"], fields["began"], applied, removed.get(str(page["member"])))
