"""`python -m bench.joining`: how long it takes until all are live again: after a thousand sockets were cut at once, after a
restart of the server, and while two processes are restarted one after the other. With `--network` (as root), what two servers
do when one dies and when its cable is pulled: each on a machine of its own (bench/network.py) behind nginx, with a replica.

The clients are in a process of their own and come back as static/js/live.js does; where there are two server processes they try
them in turn, as behind a proxy. Wanted: all live within 6 seconds, after restarts within 10, nothing lost, and nobody cut
(close codes are printed) because the server had not come to them yet.
"""

from __future__ import annotations

import os
import re
import threading
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import psycopg

from bench import network, proxy
from bench.databases import KINDS, new_databases
from bench.live_clients import SILENCE
from bench.live_world import HOST, ROOT, Clients, Server, Site, clients, kind, post, running, served, site, sockets
from bench.waiting import waited
from tools.postgres import postgres, replica_of

EVENTS = 60  # that have happened at a table before
PATIENCE = 90  # seconds
SETTLES = 5.0  # seconds
SAID_EVERY = 0.5  # seconds, while servers are restarted
TALKING = 10  # tables, over the network
STEADY = 20.0  # seconds
SERVERS = dict(re.findall(r"^(\w+) = (\w+)$", (ROOT / "deploy/postgresql.conf").read_text(), re.MULTILINE))
"""What PostgreSQL is told where a second server shares it."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.joining", description="Time how sockets come back all at once.")
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--only", choices=KINDS, help="one database alone")
    parser.add_argument(
        "--network", action="store_true", help="two servers and a replica, each on a machine of its own"
    )
    asked = parser.parse_args(arguments)
    if asked.network:
        over_network(asked)
        return
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
                with (
                    served(new, processes) as servers,
                    proxy.nginx(servers, flags=" max_fails=0") as door,
                    clients() as people,
                ):
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


def over_network(asked: Namespace) -> None:
    """Have one of two servers killed, and one's cable pulled, while rolls are made at some of the tables."""
    with ExitStack() as stack:
        first, second, standby, home = stack.enter_context(network.machines(("first", "second", "standby", "home")))
        stack.enter_context(first.inside())
        url = stack.enter_context(postgres(listen_addresses=first.address, **SERVERS))
        network.let_in(url)
        with psycopg.connect(url.replace("/afterburn", "/postgres"), autocommit=True) as link:
            link.execute("CREATE DATABASE afterburn")
        there = {machine: f"postgres://postgres@{machine.address}/afterburn" for machine in (first, standby)}
        new = site(there[first], first.address)
        tables = new.tables(asked.tables, asked.sockets // asked.tables, EVENTS)
        with standby.inside():
            follows = {"primary_conninfo": f"host={first.address} user=postgres", "listen_addresses": standby.address}
            stack.enter_context(replica_of(url, **SERVERS, **follows))
        os.environ["DATABASE_REPLICA_URL"] = there[standby]
        one, other = servers = [Server(new, first.address), Server(new, second.address)]
        stack.enter_context(running([one]))
        with second.inside():
            stack.enter_context(running([other]))
        door = stack.enter_context(proxy.nginx(servers, first.address))
        talks = [Talk(table, [door], first.address) for table in tables[:TALKING]]
        with home.inside():
            people = stack.enter_context(clients())
            began = time.monotonic()
            people.ask("open", group="all", sockets=sockets(tables), ports=[door], host=first.address)
            _tell("opened", began, people)
            for talk in talks:
                talk.start()
        _cost(servers)
        report = {"people": people, "database": url, "of": second.address}
        _fault("the first's process killed", one.kill, 2.0, **report)
        one.start()
        one.wait()
        _cost(servers)
        _fault("the second's cable pulled", lambda: second.cable("down"), SILENCE + 5, **report)
        second.cable("up")
        back = waited(lambda: _asked(url, LISTENS, second.address), PATIENCE)
        print(f"  its cable put back: it hears of news again after {back or PATIENCE:.1f} s")
        for talk in talks:
            talk.end()
        _missing(people, tables, url)
        _cost(servers)


LISTENS = "SELECT count(*) > 0 FROM pg_stat_activity WHERE client_addr = %s AND query LIKE 'LISTEN %%'"
ALONE = "SELECT count(*) = 0 FROM pg_stat_activity WHERE client_addr = %s"


def _asked(url: str, question: str, *words: Any) -> Any:
    with psycopg.connect(url) as link:
        return link.execute(question, words).fetchone()[0]  # type: ignore[index]


def _fault(title: str, fault: Callable[[], None], after: float, people: Clients, database: str, of: str) -> None:
    """Cause a fault, and tell when all who noticed it within so many seconds were live again."""
    began = time.monotonic()
    fault()
    let_go = waited(lambda: _asked(database, ALONE, of), after)
    time.sleep(max(0.0, began + after - time.monotonic()))
    _tell(title, began, people, since=began)
    if let_go:
        print(f"  PostgreSQL let go of that server's connections after {let_go:.1f} s")


def _cost(servers: list[Server]) -> None:
    """Tell what the servers take while nothing happens but rolls."""
    before = [server.processor() for server in servers]
    time.sleep(STEADY)
    for title, server, used in zip(("first", "second"), servers, before, strict=True):
        share = (server.processor() - used) / STEADY
        print(f"  the {title}: {server.memory():.0f} MB, {share:.0%} of a processor; load {os.getloadavg()[0]:.1f}")


def _missing(people: Clients, tables: list[dict[str, Any]], url: str) -> None:
    """Tell how many events the pages have not got that are in the log, once they had time for it."""
    slugs = [table["slug"] for table in tables]
    stands = "campaigns_stream s JOIN campaigns_campaign c ON c.id = s.campaign_id"
    wanted = f"SELECT c.slug, s.seq FROM {stands} WHERE s.name = 'table'"  # our own words
    with psycopg.connect(url) as link:
        heads = dict(link.execute(wanted).fetchall())

    def missing() -> int:
        return sum(max(0, heads[slug] - seq) for slug, seq in people.ask("places", group="all"))

    waited(lambda: not missing(), PATIENCE)
    made = sum(heads[slug] - table["heads"]["player"]["table"] for slug, table in zip(slugs, tables, strict=True))
    stand = people.ask("stand", group="all")
    print(f"  rolls meanwhile: {made}; missing on pages: {missing()}, gaps {stand['lost']}, doubled {stand['doubled']}")


class Talk(threading.Thread):
    """A person who keeps talking, to whichever server answers."""

    def __init__(self, table: dict[str, Any], ports: list[int], host: str = HOST) -> None:
        super().__init__(daemon=True)
        self._table, self._ports, self._host, self._ended = table, ports, host, threading.Event()
        self.said = 0

    def run(self) -> None:
        while not self._ended.wait(SAID_EVERY):
            for port in self._ports:
                try:
                    post(port, self._table["slug"], self._table["sessions"]["player"][0], "Do you hear me?", self._host)
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


def _tell(title: str, began: float, people: Clients, since: float = 0.0) -> None:
    report = people.ask("live", group="all", within=PATIENCE, since=since)
    half, last = ((report[name] or PATIENCE) - began for name in ("half", "last"))
    stand = people.ask("stand", group="all")
    again = f" ({report['again']} again)" if since else ""
    print(
        f"{title:28} {report['live']:>5} of {report['of']} live{again}, half after {half:5.1f} s, the last after {last:5.1f} s; "
        f"cut {report['codes']}, gaps {stand['lost']}, presence at most {stand['present']} a second",
        flush=True,
    )


if __name__ == "__main__":
    main()
