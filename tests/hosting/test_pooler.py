"""A table behind pgbouncer: the file of docs/scaling.md, with the places of this machine and a pool of two.

All that requests and the worker do is then done on two connections of PostgreSQL that change hands after every transaction.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bench.live_world import ROOT, Clients, Server, Site, clients, post, served, site, sockets
from bench.waiting import waited
from tests.hosting.machine import free_port
from tests.hosting.test_replica import Browser, Servers, is_read_there
from tools.postgres import folder_of, postgres, replica_of

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
(INI,) = re.findall(r"^```ini\n(.*?)^```$", (ROOT / "docs/scaling.md").read_text(), re.MULTILINE | re.DOTALL)
(USERLIST,) = re.findall(
    r'^runuser -u postgres -- psql .* -c "(SELECT .*)" > ', (ROOT / "docs/scaling.md").read_text(), re.M
)
PATIENCE = 60  # seconds
ROLLS = 24

WEBHOOK = """
import django; django.setup()
from uuid import uuid4
from campaigns.models import Membership, Role
from webhooks.models import Format
from webhooks.services import add_webhook
gm = Membership.objects.select_related("campaign").get(campaign__slug={slug!r}, role=Role.GM)
add_webhook(gm, {address!r}, sent_as=Format.STANDARD, topics=["roll"], key=uuid4())
"""

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed")


class Pooled:
    """A PostgreSQL, `direct`, and the pooler before it. The role `afterburn` needs a password for each."""

    def __init__(self, server: str, home: Path) -> None:
        self.sockets, self.server = folder_of(server), server
        self._server, self.port = server.rpartition("/")[0], free_port()
        place = str(self.sockets).replace("/", "%2F")
        self.direct = f"postgres://afterburn:secret@{place}/afterburn"
        self.url = f"postgres://afterburn:secret@127.0.0.1:{self.port}/afterburn"
        with psycopg.connect(f"{self._server}/postgres", autocommit=True) as link:
            link.execute("CREATE ROLE afterburn LOGIN PASSWORD 'secret'")
            link.execute("CREATE DATABASE afterburn OWNER afterburn")
            hba = self.sockets / "data/pg_hba.conf"
            hba.write_text(f"local all afterburn scram-sha-256\n{hba.read_text()}")
            link.execute("SELECT pg_reload_conf()")
            (row,) = link.execute(USERLIST.replace(r"\"", '"'))
        (home / "userlist.txt").write_text(f"{row[0]}\n")
        ini = INI.replace("host=127.0.0.1 port=5432", f"host={self.sockets}").replace("6432", str(self.port))
        ini = ini.replace("/etc/pgbouncer", str(home)).replace("default_pool_size = 20", "default_pool_size = 2")
        (home / "pgbouncer.ini").write_text(ini)

    def asked(self, command: str) -> list[dict[str, Any]]:
        """Return what the pooler's console says."""
        console = f"postgres://afterburn:secret@127.0.0.1:{self.port}/pgbouncer"
        with psycopg.connect(console, autocommit=True, cursor_factory=psycopg.ClientCursor) as link:
            cursor = link.execute(command)
            return [dict(zip([c.name for c in cursor.description], row, strict=True)) for row in cursor]

    def listening(self) -> set[int]:
        with psycopg.connect(f"{self._server}/afterburn") as link:
            return {pid for (pid,) in link.execute("SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN %'")}


@pytest.fixture
def pooled(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pooled]:
    with postgres() as server, tempfile.TemporaryDirectory(prefix="afterburn-pool-", dir="/tmp") as folder:
        home = Path(folder)
        there = Pooled(server, home)
        account: dict[str, Any] = {}
        if os.geteuid() == 0:
            owner = (there.sockets / "data").stat()
            account = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
            for path in (home, *home.iterdir()):
                os.chown(path, owner.st_uid, owner.st_gid)
        log = (home / "log").open("wb")
        pooler = subprocess.Popen([PGBOUNCER, home / "pgbouncer.ini"], stdout=log, stderr=log, **account)
        try:
            assert waited(lambda: b"process up" in (home / "log").read_bytes(), PATIENCE), (home / "log").read_text()
            monkeypatch.setenv("DATABASE_DIRECT_URL", there.direct)
            monkeypatch.setenv("WEBHOOK_NETWORKS", "127.0.0.1")
            yield there
        finally:
            pooler.terminate()
            pooler.wait()
            log.close()


def test_a_direct_url_that_leads_nowhere_stops_the_site_in_a_sentence(pooled: Pooled, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_DIRECT_URL", "postgres://afterburn:secret@127.0.0.1:1/afterburn")
    command, environment = [sys.executable, "manage.py", "check"], Site(pooled.url).environment
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "DATABASE_DIRECT_URL can’t be reached: " in done.stderr
    assert "secret" not in done.stderr


@contextmanager
def receiving() -> Iterator[tuple[str, list[bytes]]]:
    """Yield the address of a receiver of webhooks, and what it was sent."""
    taken: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/table", taken
        server.shutdown()


@contextmanager
def delivering(site: Site) -> Iterator[None]:
    worker = subprocess.Popen([sys.executable, "manage.py", "deliver"], cwd=ROOT, env=site.environment)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait()


def test_a_table_of_two_processes_is_played_through_the_pooler(pooled: Pooled, tmp_path: Path):
    here = site(pooled.url)  # its migrations, too, go through the pooler
    (table,) = here.tables(1, 4, 0)
    slug, seats = table["slug"], [session for role in table["sessions"].values() for session in role]
    with receiving() as (address, taken), clients() as pages, served(here, 2) as servers, delivering(here):
        here.run("-c", WEBHOOK.format(slug=slug, address=address))
        for server in servers:
            pages.ask("open", group=f"at {server.port}", sockets=sockets([table]), ports=[server.port])
            assert pages.ask("live", group=f"at {server.port}", within=PATIENCE)["live"] == len(seats)
        # Each process listens, on a connection that the pooler does not know of.
        assert len(pooled.listening()) == 2
        assert not pooled.listening() & {server["remote_pid"] for server in pooled.asked("SHOW SERVERS")}
        with psycopg.connect(pooled.direct, autocommit=True) as ear:
            ear.execute("LISTEN afterburn")
            (before,) = {place for stand in _stands(pages, servers) for place in map(int, stand["table"])}
            with ThreadPoolExecutor(4) as people:
                asked = [(servers[n % 2].port, slug, seats[n % len(seats)], "/r 5") for n in range(ROLLS)]
                posted = people.map(lambda one: post(*one), asked)
                # Beside them one long transaction, on one of the two.
                here.run("manage.py", "backup", str(tmp_path / "site.backup"))
                assert len([*posted]) == ROLLS
            told = next(ear.notifies(timeout=PATIENCE, stop_after=1))
        assert told.channel == "afterburn"

        everywhere = {"table": {str(before + ROLLS): len(seats)}, "lost": 0, "doubled": 0}
        assert waited(lambda: all(everywhere.items() <= one.items() for one in _stands(pages, servers)), PATIENCE), (
            before,
            _stands(pages, servers),
        )
        assert waited(lambda: len(taken) >= ROLLS, PATIENCE), len(taken)
        (pool,) = [row for row in pooled.asked("SHOW POOLS") if row["database"] == "afterburn"]
        assert pool["pool_mode"] == "transaction"
        held = [row for row in pooled.asked("SHOW CLIENTS") if row["database"] == "afterburn"]
        assert len(held) > 2 >= len(pooled.asked("SHOW SERVERS"))
        # By rows that come in batches. It raises where a chain is broken.
        here.run("manage.py", "check_log")


def test_a_replica_is_read_beside_the_pooler(pooled: Pooled, monkeypatch: pytest.MonkeyPatch):
    here = site(pooled.url)
    (table,) = here.tables(1, 4, 12)
    (session,) = table["sessions"]["gm"]
    with psycopg.connect(pooled.server, autocommit=True) as link:
        link.execute("ALTER SYSTEM SET log_statement = 'all'")
        link.execute("SELECT pg_reload_conf()")
    with replica_of(pooled.server, log_statement="all") as copy:
        copy = copy.replace("//postgres@", "//afterburn:secret@")
        monkeypatch.setenv("DATABASE_REPLICA_URL", copy)
        both = Servers(Site(pooled.direct), copy)
        with clients() as pages, served(here, 2) as (one, other):
            pages.ask("open", group="all", sockets=sockets([table]), ports=[other.port])
            assert pages.ask("live", group="all", within=PATIENCE)["live"] == 4
            began = pages.ask("forget", group="all")
            gm, words = Browser(one.port, session, table["slug"]), "By the pooler, and read beside it."
            gm.say(words)
            assert words in gm.get("log/")[1], "its own words, wherever they stand"
            assert not pages.ask("heard", group="all", after=began, within=PATIENCE)["missing"]
            assert is_read_there(both, Browser(other.port, session, table["slug"]), words=words)
            assert 0 < len(pooled.asked("SHOW SERVERS")) <= 2


def _stands(pages: Clients, servers: list[Server]) -> list[dict[str, Any]]:
    return [pages.ask("stand", group=f"at {server.port}") for server in servers]
