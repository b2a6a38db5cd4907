"""Shared parts of the live table's benches: tables full of people in a database of their own, servers, and clients in a
separate process (bench/live_clients.py).

Accounts and their sessions are inserted at once: the same rows that services would write, in less time.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import zip_longest
from pathlib import Path
from socket import socket
from typing import Any, TypeVar
from urllib.parse import urlencode
from uuid import uuid4

from bench.waiting import waited

ROOT = Path(__file__).parents[1]
HOST = "127.0.0.1"
START_WITHIN = 120  # seconds: on a machine that has much else to do
TICK = os.sysconf("SC_CLK_TCK")
TOKEN = "c" * 32  # of forms: their cookie says the same


@dataclass
class Site:
    """An installation with its database; its processes all answer at SITE_URL's origin, which names `host`."""

    database_url: str
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(40))
    host: str = HOST

    @property
    def environment(self) -> dict[str, str]:
        ours = {"DATABASE_URL": self.database_url, "SECRET_KEY": self.secret, "ENV_FILE": os.devnull, "DEBUG": "0"}
        return os.environ | ours | {"DJANGO_SETTINGS_MODULE": "config.settings", "SITE_URL": f"http://{self.host}"}

    def run(self, *words: str) -> str:
        command = [sys.executable, *words]
        return subprocess.check_output(command, cwd=ROOT, env=self.environment, text=True)  # our own words

    def tables(self, count: int, people: int, events: int) -> list[dict[str, Any]]:
        """Make `count` tables of as many `people`: [{"slug", "sessions": {role: session keys}, "heads": {role: …}}]."""
        words = [f"t{secrets.token_hex(3)}", *map(str, (count, people, events))]
        made: list[dict[str, Any]] = json.loads(self.run("-m", "bench.live_rows", *words))
        return made


def kind(url: str) -> str:
    """Return which of KINDS a database is."""
    return "sqlite" if url.startswith("sqlite") else "postgresql"


def site(url: str, host: str = HOST) -> Site:
    """Return a new installation in a new database, with its tables and static files."""
    from tools.serving import collect_static

    new = Site(url, host=host)
    new.run("manage.py", "migrate", "--verbosity=0")
    collect_static(ROOT / "staticfiles", lambda *words: print(end=new.run("manage.py", *words)))
    return new


def wait_for(port: int, address: str = HOST, host: str = HOST) -> None:
    """Wait until a server answers there for this host. Raises RuntimeError if that takes too long."""

    def answers() -> bool:
        with suppress(OSError), closing(HTTPConnection(address, port, timeout=5)) as link:
            link.request("GET", "/healthz", headers={"Host": host})
            answer = link.getresponse()
            answer.read()
            return answer.status == 200
        return False

    if waited(answers, START_WITHIN) is None:
        raise RuntimeError(f"The server at port {port} did not become ready.")


class Server:
    """A process of uvicorn as hosts start it; it keeps its port when it is started again."""

    def __init__(self, site: Site, address: str = HOST) -> None:
        from tools.serving import UVICORN_FLAGS

        self.port, self.address, self._host = free_port(), address, site.host
        place = ["--host", address, "--port", str(self.port), "--log-level", "warning"]
        self._command = [sys.executable, "-m", "uvicorn", "config.asgi:application", *place, *UVICORN_FLAGS]
        self._environment = site.environment
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, cwd=ROOT, env=self._environment)  # our own words

    def wait(self) -> None:
        """Wait until the server is ready. Raises RuntimeError if that takes too long."""
        wait_for(self.port, self.address, self._host)

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait()

    @property
    def pid(self) -> int:
        return self.process.pid if self.process else 0

    def kill(self) -> None:
        """Kill it (kill -9)."""
        if self.process:
            self.process.kill()
            self.process.wait()

    def memory(self) -> float:
        """Return the memory that the process uses (RSS), in MB."""
        return self.shares()["Rss"]

    def shares(self) -> dict[str, float]:
        """Return what the process has of the machine's memory, in MB: Rss, Pss (which shares what is shared) and Anonymous
        (what no file can give back)."""
        lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines()[1:]
        return {name: int(rest.split()[0]) * 1024 / 1e6 for name, _, rest in (line.partition(":") for line in lines)}

    def processor(self) -> float:
        """Return the seconds of a processor that the process has used."""
        return sum(map(int, Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / TICK


S = TypeVar("S", bound=Server)


@contextmanager
def served(site: Site, processes: int = 1) -> Iterator[list[Server]]:
    with running([Server(site) for _ in range(processes)]) as servers:
        yield servers


@contextmanager
def running(servers: list[S]) -> Iterator[list[S]]:
    """Yield these servers, ready: all are started before the first is waited for, and all are stopped at the end."""
    try:
        for server in servers:
            server.start()
        for server in servers:
            server.wait()
        yield servers
    finally:
        for server in servers:
            server.stop()


@contextmanager
def shown(environment: Mapping[str, str], **output: Any) -> Iterator[str]:
    """Serve what this environment names to a browser, as hosts do, and yield its URL."""
    from tools.serving import UVICORN_FLAGS

    port = free_port()
    url = f"http://{HOST}:{port}"
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port), *UVICORN_FLAGS]
    server = subprocess.Popen(command, cwd=ROOT, env={**environment, "SITE_URL": url}, **output)  # our own words
    try:
        wait_for(port)
        yield url
    finally:
        server.terminate()
        server.wait()


class Clients:
    """The process that holds the sockets; `ask` returns when it has carried out the command."""

    def __init__(self, module: str) -> None:
        command = [sys.executable, "-m", module]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(command, cwd=ROOT, text=True, **pipes)  # our own words

    def ask(self, what: str, **more: Any) -> Any:
        """Raises RuntimeError where the process has ended."""
        print(json.dumps({"do": what, **more}), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline() if self._process.stdout else ""
        if not answer:
            raise RuntimeError("The clients have ended.")
        return json.loads(answer)

    def close(self) -> None:
        with self._process:
            self._process.kill()


def sockets(tables: list[dict[str, Any]]) -> list[Any]:
    """Return what to open for everyone at these tables: [path, session, positions of their page], the roles mixed."""
    rows = []
    for table in tables:
        columns = [
            [[f"/c/{table['slug']}/live/", session, table["heads"][role]] for session in sessions]
            for role, sessions in table["sessions"].items()
        ]
        rows += [socket for row in zip_longest(*columns) for socket in row if socket]
    return rows


@contextmanager
def clients(module: str = "bench.live_clients") -> Iterator[Clients]:
    process = Clients(module)
    try:
        yield process
    finally:
        process.close()


def post(port: int, slug: str, session: str, text: str, host: str = HOST) -> float:
    """Say something or roll ("/r 5") at a table; seconds until it was answered. Raises RuntimeError unless it was done."""
    form = {"text": text, "voice": "player", "key": str(uuid4()), "csrfmiddlewaretoken": TOKEN}
    headers = {
        "Cookie": f"sessionid={session}; csrftoken={TOKEN}",
        "Origin": f"http://{host}",
        "HX-Request": "true",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    began = time.monotonic()
    link = HTTPConnection(host, port, timeout=30)
    with closing(link):
        link.request("POST", f"/c/{slug}/compose/", urlencode(form), headers)
        answer = link.getresponse()
        if answer.status != 204:
            raise RuntimeError(f"{answer.status}: {answer.read().decode()[:500]}")
    return time.monotonic() - began


def free_port() -> int:
    with socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
