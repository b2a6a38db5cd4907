"""The faults in the middle of a run, by name. Each returns when it is over, with what it saw; then the checker looks."""

from __future__ import annotations

import asyncio
import random
import resource
import signal
import sqlite3
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from bench.drive.world import PostgresServer, World
from bench.waiting import waited

HELD = 10  # seconds that a campaign's row is held
STOPPED = 3
CUT_WITHIN = 25
OVERLOAD = 300  # operations a second
ANY = random.Random(5)  # no secret


async def kill(world: World) -> str:
    """Kill a server (kill -9) and start it again."""
    await asyncio.to_thread(ANY.choice(world.servers).again)
    return ""


async def stop(world: World) -> str:
    """Stop a server for some seconds (SIGSTOP), then let it continue."""
    server = ANY.choice(world.servers)
    server.signal(signal.SIGSTOP)
    await asyncio.sleep(STOPPED)
    server.signal(signal.SIGCONT)
    return ""


async def postgres(world: World) -> str:
    """Stop PostgreSQL at once, as in a crash, and start it again."""
    server = PostgresServer(world.site.database_url)
    await asyncio.to_thread(server.control, "restart", "-m", "immediate", "-w")
    return ""


async def terminate(world: World) -> str:
    """Terminate all connections to the database."""
    return await asyncio.to_thread(_terminated, world, "TRUE")


async def listen(world: World) -> str:
    """Terminate the connections that wait for notifications."""
    return await asyncio.to_thread(_terminated, world, "query LIKE 'LISTEN%'")


def _terminated(world: World, which: str) -> str:
    asked = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    with world.connect() as connection:
        ended = connection.execute(f"{asked} AND pid <> pg_backend_pid() AND {which}").fetchall()
    return f"{len(ended)} connections"


async def lock(world: World) -> str:
    """Hold a campaign's row (on SQLite: the database) for long."""
    await asyncio.to_thread(_held_row if world.is_postgresql else _held_database, world)
    return ""


def _held_row(world: World) -> None:
    with world.connect() as connection, connection.transaction():
        slug = world.tables[0]["slug"]
        connection.execute("SELECT 1 FROM campaigns_campaign WHERE slug = %s FOR UPDATE", [slug])
        connection.execute("SELECT pg_sleep(%s)", [HELD])


def _held_database(world: World) -> None:
    connection = sqlite3.connect(urlsplit(world.site.database_url).path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    waited(lambda: False, HELD)
    connection.execute("ROLLBACK")
    connection.close()


async def cut(world: World) -> str:
    """Cut all connections of the pages, as when a network goes down."""
    await asyncio.to_thread(world.readers.ask, "cut", group="all")
    return ""


async def half_open(world: World) -> str:
    """Let nothing through the proxied connections any more, in either direction, without closing them."""
    return await _bad(world, "swallow")


async def slow(world: World) -> str:
    """Let pages read only two kilobytes a second."""
    return await _bad(world, "slow")


async def lag(world: World) -> str:
    """Delay everything to and from pages by half a second each way."""
    world.proxy.mode = "lag"
    await asyncio.sleep(HELD)
    world.proxy.release()
    return ""


async def _bad(world: World, mode: str) -> str:
    """Return when the server closes these connections, and what they cost it until then."""
    server, ports = world.servers[0], set(world.proxy.upstream)
    before, world.proxy.mode = server.memory(), mode
    gone = await asyncio.to_thread(waited, lambda: not world.proxy.established(ports), CUT_WITHIN)
    cost = (server.memory() - before) / max(len(ports), 1)
    world.proxy.release()
    when = f"let go of after {gone:.0f} s" if gone else f"{world.proxy.established(ports)} held after {CUT_WITHIN} s"
    return f"{len(ports)} connections, {when}; {cost:.2f} MB each"


async def disk(world: World) -> str:
    """Fill SQLite's disk: limit the size of files that the server may write, as only root can mount a small disk."""
    (server,) = world.servers
    usual = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, usual[1]))
    await asyncio.sleep(STOPPED)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, usual)
    return ""


async def clock(world: World) -> str:
    """Run a server whose clock is two hours behind."""
    server = world.servers[-1]
    await asyncio.to_thread(server.again, DRIVE_CLOCK="-7200")
    await asyncio.sleep(HELD)
    await asyncio.to_thread(server.again)
    return ""


async def remove(world: World) -> str:
    """Remove a spectator from the first table; the checker looks at what they get afterwards."""
    table = world.tables[0]
    spectator = next(person for person in table["people"] if person["role"] == "spectator")
    return f"answered with {await world.writers.remove(table, spectator['member'])}"


async def overload(world: World) -> str:
    """Send far more than can be done, for a while, without resending."""
    before = world.writers.statuses.copy()
    await world.writers.run(OVERLOAD, HELD, resend=False)
    return f"answered by its end {dict(world.writers.statuses - before)}"


FAULTS: dict[str, Callable[[World], Awaitable[str]]] = {
    "kill": kill,
    "stop": stop,
    "postgres": postgres,
    "terminate": terminate,
    "listen": listen,
    "lock": lock,
    "cut": cut,
    "half-open": half_open,
    "slow": slow,
    "lag": lag,
    "disk": disk,
    "clock": clock,
    "remove": remove,
    "overload": overload,
}
ONLY = {"postgres": "postgresql", "terminate": "postgresql", "listen": "postgresql", "disk": "sqlite"}
"""The database that a fault needs."""
