"""Real server processes over one PostgreSQL, started and stopped by the fixtures in conftest.py."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psycopg
from psycopg import sql

from tests.processes import forks_of
from tools.serving import UVICORN_FLAGS

HOST = "127.0.0.1"
PATIENCE = 30  # seconds


@dataclass(frozen=True)
class Site:
    """One installation of Afterburn: a database that any number of server processes share. `more` is added to its environment."""

    database_url: str
    logs: Path
    settings: str = "tests.browser.settings"
    more: Mapping[str, str] = field(default_factory=dict)

    def environment(self, url: str = f"http://{HOST}") -> dict[str, str]:
        return os.environ | {
            "DJANGO_SETTINGS_MODULE": self.settings,
            "DATABASE_URL": self.database_url,
            "SITE_URL": url,
            **self.more,
        }

    def run(self, *words: str) -> None:
        """Run `python WORDS` with this site's settings in another process. Raises RuntimeError if it fails."""
        done = forks_of(self.settings, *self.more.items()).run(self.environment(), *words)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)[:200]}\n{done.stdout}\n{done.stderr}")

    def manage(self, *words: str) -> None:
        self.run("manage.py", *words)

    @contextmanager
    def serve(self, program: str = "uvicorn") -> Iterator[str]:
        """Start "uvicorn", "daphne" or "runserver"; yields its address once it is ready, and stops it in the end."""
        server = Server(self, program)
        try:
            server.start()
            server.wait()
            yield server.url
        finally:
            server.stop()


class Server:
    """A server process of a site, by a program of `_command`. It keeps its address when it is killed and started again."""

    _process: subprocess.Popen[bytes] | None = None

    def __init__(self, site: Site, program: str = "uvicorn") -> None:
        port = free_port()
        self.url = f"http://{HOST}:{port}"
        self._environment = site.environment(self.url) | {"DEBUG": "1" if program == "runserver" else "0"}
        self._command = [sys.executable, "-m", *_command(program, port)]
        self._log = site.logs / f"{program}-{port}.log"

    def start(self) -> None:
        """Start it; it is not ready before `wait` returns."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(self._command, env=self._environment, stdout=output, stderr=output)

    def wait(self) -> None:
        """Wait until the server is ready. Raises RuntimeError, with its log, if it has ended or takes longer than PATIENCE."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._process and self._process.poll() is None:
            try:
                with urlopen(f"{self.url}/readyz", timeout=5):
                    return
            except (URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError(f"The server at {self.url} did not become ready:\n{self._log.read_text()}")

    def kill(self) -> None:
        """Kill the server as kill -9 does: it can finish nothing."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def new_database(server_url: str, template: str = "template1") -> Iterator[str]:
    """Yield the URL of a new database on the server of `server_url`, a copy of another; it is dropped at the end."""
    server, _, _ = server_url.rpartition("/")
    name = f"browser_{secrets.token_hex(4)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        words = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(words.format(sql.Identifier(name), sql.Identifier(template)))
        yield f"{server}/{name}"
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _command(server: str, port: int) -> list[str]:
    """Return the command that starts "uvicorn", "daphne" or Django's "runserver"."""
    application = "config.asgi:application"
    if server == "runserver":
        return ["django", "runserver", "--noreload", f"{HOST}:{port}"]
    if server == "daphne":
        return ["daphne", "-b", HOST, "-p", str(port), application]
    return ["uvicorn", application, "--host", HOST, "--port", str(port), *UVICORN_FLAGS]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
