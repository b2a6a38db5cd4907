"""A machine of the walk's own in a scratch folder, for an ordinary user: the folders of a Debian under another root.

What the walk and the files of deploy/ call /srv, /etc, /var, /usr/local or /root is there; port 8000 is a free one; the
sockets of PostgreSQL are those of the tests'. Nothing else of them is changed. Where the suite runs as root, the walk is
nobody's, on a Python that nobody can run (only where there is none it stays root's).
"""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from tests.hosting import stand_ins
from tools.environment import ROOT
from tools.postgres import bindir

NAMES = ["apt-get", "useradd", "runuser", "install", "python3", "curl", "systemctl", "nginx", "certbot"]
FOLDERS = (
    "srv",
    "etc/systemd/system",
    "etc/postgresql/15",
    "var/lib/postgresql/15",
    "etc/caddy",
    "etc/nginx/sites-available",
    "etc/nginx/sites-enabled",
    "var/backups",
    "usr/local/sbin",
    "root",
    "bin",
)
MOVED = re.compile(r"(?<![\w./])/(?=(?:srv|etc|var|usr/local|root)/)")

# Compressing static files takes longer than the rest of the walk.
SETTINGS = """
from config.settings import *
STORAGES["staticfiles"] = {"BACKEND": "config.static.HashedNames"}
"""


class Machine:
    """`run` runs a block of the walk in a shell of its own. To be closed, so that no server stays."""

    def __init__(self, home: Path, database_url: str = "", port: int = 0) -> None:
        self.home = home
        self.python, self.account = _ordinary()
        self.port = port or free_port()
        # Without a server of the tests', it can have one of its own.
        self._sockets = unquote(urlsplit(database_url).netloc.rpartition("@")[2]) or f"{home}/var/lib/postgresql/15"
        self.data = Path(self._sockets) / ("data" if database_url else "main")
        """Where the server of PostgreSQL has its files."""
        for name in FOLDERS:
            (home / name).mkdir(parents=True)
        (home / "walk_settings.py").write_text(SETTINGS)
        self._put_stand_ins()
        self.give_away()

    def run(self, block: str) -> subprocess.CompletedProcess[str]:
        """Run a block as typed into a new shell, which stops at the first failure. Output and errors are merged."""
        return subprocess.run(
            ["/bin/sh", "-eu", "-c", self.moved(block)],
            env=self._environment(),
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            **self.account,
        )

    def moved(self, text: str) -> str:
        """Return the text with paths and ports of a whole machine replaced by this one's."""
        text = MOVED.sub(f"{self.home}/", text)
        text = text.replace("%2Fvar%2Frun%2Fpostgresql", quote(self._sockets, safe=""))
        # The network between two servers is this machine's own, and its PostgreSQL may be built without TLS.
        text = text.replace("10.0.0.", "127.0.0.").replace(r"10\.0\.0\.", r"127\.0\.0\.")
        text = text.replace("hostssl ", "host ").replace("?sslmode=require", "")
        return re.sub(r"\b8000\b", str(self.port), text)

    def close(self) -> None:
        self.run("systemctl stop afterburn")

    def _put_stand_ins(self) -> None:
        program = self.home / "stand_ins.py"
        shutil.copy(stand_ins.__file__, program)
        (self.home / "machine.json").write_text(json.dumps(self._payload()))
        for name in NAMES:
            file = self.home / "bin" / name
            file.write_text(f'#!/bin/sh\nexec {self.python} -I {program} {name} "$@"\n')
            file.chmod(0o755)

    def _environment(self) -> dict[str, str]:
        programs = bindir(Path(self._sockets))
        return {
            "PATH": f"{self.home}/bin:{self.home}/usr/local/sbin:{programs}:/usr/bin:/bin",
            "HOME": str(self.home / "root"),
            "PGHOST": self._sockets,
            "PGUSER": "postgres",
            **_port_of_postgresql(),
            # No settings of the user who runs the tests, and no signing of commits.
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }

    def _payload(self) -> dict[str, Any]:
        """Return the data for the stand-ins."""
        return {
            "python": self.python,
            "packages": sysconfig.get_path("purelib"),
            "units": str(self.home / "etc/systemd/system"),
            "log": str(self.home / "server.log"),
            "postgresql": self._sockets,
            "data": str(self.data),
            "postgresql_conf": str(self.home / "etc/postgresql/15/main"),
            "port": self.port,
            "environment": {
                "DJANGO_SETTINGS_MODULE": "walk_settings",
                "PYTHONPATH": str(self.home),
                "PIP_DISABLE_PIP_VERSION_CHECK": "1",
                "PIP_NO_CACHE_DIR": "1",
                "PIP_NO_INDEX": "1",
                **_port_of_postgresql(),
            },
        }

    def give_away(self) -> None:
        """Make all of it the walk's own, where the tests' user is another."""
        if self.account:
            for path in [self.home, *self.home.rglob("*")]:
                os.chown(path, self.account["user"], self.account["group"])


def _ordinary() -> tuple[str, dict[str, Any]]:
    """Return a Python, and the account to run it: nobody, if the tests run as root and nobody can run it."""
    if os.geteuid() != 0:
        return sys.executable, {}
    nobody = pwd.getpwnam("nobody")
    account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    for python in (sys.executable, shutil.which(f"python{version}", path="/usr/local/bin:/usr/bin")):
        if python and _can_run(python, account):
            return python, account
    return sys.executable, {}


def _can_run(python: str, account: dict[str, Any]) -> bool:
    environment = {"PYTHONPATH": sysconfig.get_path("purelib")}
    needs = f"import django, psycopg, uvicorn, venv; open({str(ROOT / 'manage.py')!r})"
    try:
        done = subprocess.run([python, "-c", needs], env=environment, capture_output=True, check=False, **account)
    except OSError:
        return False
    return done.returncode == 0


def _port_of_postgresql() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name == "PGPORT"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
