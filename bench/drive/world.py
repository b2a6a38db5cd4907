"""What a run works with: the site, its servers, the process of its readers, and their costs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from bench.drive.proxy import Proxy
from bench.drive.writers import Writers
from bench.live_world import ROOT, Clients, Server, Site
from tools.postgres import bindir, folder_of


class DriveServer(Server):
    """A server process that can be killed and stopped, and whose environment may have `more`."""

    def __init__(self, site: Site, more: dict[str, str]) -> None:
        super().__init__(site)
        self._command = [word.replace("config.asgi", "bench.drive.server") for word in self._command]
        self._environment = site.environment | more
        self._log = Path(site.logs) / f"server-{self.port}.log"

    def start(self) -> None:
        with self._log.open("ab") as output:
            self.process = subprocess.Popen(  # our own words
                self._command, cwd=ROOT, env=self._environment, stdout=output, stderr=output
            )

    def complaints(self) -> Counter[str]:
        """Return the errors that the server logged, with their counts, without the times."""
        lines = self._log.read_text(errors="replace").splitlines()
        return Counter(line.partition(" ERROR ")[2] for line in lines if " ERROR " in line)

    def again(self, **more: str) -> None:
        """Kill it (kill -9) and start it again, with `more` in its environment this time."""
        usual = self._environment
        self.signal(signal.SIGKILL)
        if self.process:
            self.process.wait()
        self._environment = usual | more
        self.start()
        self._environment = usual
        self.wait()

    def signal(self, what: signal.Signals) -> None:
        os.kill(self.pid, what)

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGCONT)
        super().stop()


class DriveWorker(DriveServer):
    """`manage.py deliver` beside the servers."""

    def __init__(self, site: Site) -> None:
        super().__init__(site, {})
        self._command = [sys.executable, "manage.py", "deliver"]

    def wait(self) -> None:
        """Nothing waits for it."""


@dataclass
class DriveSite(Site):
    """With the settings of the drive; its servers log into the folder `logs`."""

    more: dict[str, str] = field(default_factory=dict)
    logs: str = ""

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"DJANGO_SETTINGS_MODULE": "bench.drive.settings"} | self.more


@dataclass
class World:
    """All of a run, as faults and __main__.py use it."""

    site: DriveSite
    servers: list[DriveServer]
    workers: list[DriveWorker]
    readers: Clients
    writers: Writers
    proxy: Proxy
    tables: list[dict[str, Any]]

    @property
    def is_postgresql(self) -> bool:
        return self.site.database_url.startswith("postgres")

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.site.database_url, autocommit=True)

    def heads(self) -> dict[str, dict[str, int]]:
        """Return the positions of each table's streams."""
        heads: dict[str, dict[str, int]] = json.loads(self.site.run("-m", "bench.drive.rows", "heads"))
        return heads


class PostgresServer:
    """The server behind a URL of tools/postgres.py, stopped and started while it is in use."""

    def __init__(self, url: str) -> None:
        self._home = folder_of(url)
        owner = (self._home / "data").stat()
        plain = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
        self._account: dict[str, Any] = plain if os.geteuid() == 0 else {}

    def control(self, *words: str) -> None:
        """Run pg_ctl as the server's user, with a log of its own."""
        command = [str(bindir(self._home) / "pg_ctl"), "-D", str(self._home / "data"), "-l", str(self._home / "again")]
        quiet = subprocess.DEVNULL
        # A postmaster that is its own session hears no Ctrl-C.
        subprocess.run(  # our own words
            [*command, *words], cwd=self._home, stdout=quiet, start_new_session=True, check=True, **self._account
        )

    @property
    def is_running(self) -> bool:
        return (self._home / "data" / "postmaster.pid").exists()


@contextmanager
def keeping_what_it_says(site: Site) -> Iterator[Site]:
    """Make the tests' PostgreSQL durable: it answers before anything is written, and would lose that when stopped at
    once. Servers started again by a fault end with the run.
    """
    if not site.database_url.startswith("postgres"):
        yield site
        return
    with psycopg.connect(site.database_url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE afterburn SET synchronous_commit = on")
    try:
        yield site
    finally:
        server = PostgresServer(site.database_url)
        if server.is_running:
            server.control("stop", "-m", "immediate")
