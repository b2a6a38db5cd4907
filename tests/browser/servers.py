"""Real server processes over one PostgreSQL, started and stopped by the fixtures in conftest.py."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psycopg
from psycopg import sql

from tools.serving import UVICORN_FLAGS

HOST = "127.0.0.1"
PATIENCE = 30  # seconds


@dataclass(frozen=True)
class Site:
    """One installation of Afterburn: a database that any number of server processes share."""

    database_url: str
    logs: Path
    settings: str = "tests.browser.settings"

    def environment(self, url: str = f"http://{HOST}") -> dict[str, str]:
        return os.environ | {
            "DJANGO_SETTINGS_MODULE": self.settings,
            "DATABASE_URL": self.database_url,
            "SITE_URL": url,
        }

    def run(self, *words: str) -> None:
        """A Python process of its own with this site's settings."""
        subprocess.run([sys.executable, *words], env=self.environment(), check=True)

    def manage(self, *words: str) -> None:
        self.run("manage.py", *words)

    @contextmanager
    def serve(self, server: str = "uvicorn") -> Iterator[str]:
        """Start "uvicorn" or "daphne"; yields its address once it is ready, and stops it in the end."""
        port = _free_port()
        url = f"http://{HOST}:{port}"
        log = self.logs / f"{server}-{port}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", *_command(server, port)], env=self.environment(url), stdout=output, stderr=output
            )
        try:
            _wait_for(url, process, log)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def new_database(server_url: str) -> Iterator[str]:
    """A database of its own on the server of `server_url`; yields its URL and drops it in the end."""
    server, _, _ = server_url.rpartition("/")
    name = f"browser_{secrets.token_hex(4)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield f"{server}/{name}"
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _command(server: str, port: int) -> list[str]:
    application = "config.asgi:application"
    if server == "daphne":
        return ["daphne", "-b", HOST, "-p", str(port), application]
    return ["uvicorn", application, "--host", HOST, "--port", str(port), *UVICORN_FLAGS]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(f"{url}/readyz", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"The server at {url} did not become ready:\n{log.read_text()}")
