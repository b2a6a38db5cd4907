"""`dev.py run`: from a bare checkout to a table with a demo campaign at it."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

from tools.environment import PYTHON, ROOT, Trouble, set_up

HOST = "127.0.0.1"

# The same in deploy/. Compressing small frames tripled the time at a thousand sockets. The access log would keep the
# tokens of invitations and of forgotten passwords, which stand in their addresses. Whom to believe about the client's
# address is decided in config/asgi.py.
UVICORN_FLAGS = [
    *("--ws-max-size", "65536"),
    *("--ws-per-message-deflate", "false"),
    *("--ws-ping-interval", "20"),
    *("--ws-ping-timeout", "20"),
    *("--timeout-graceful-shutdown", "5"),
    "--no-proxy-headers",
    "--no-server-header",
    "--no-access-log",
]

DEMO_PEOPLE = (
    "gm (runs the game)",
    "mo, iva, tess (players)",
    "watcher (spectator)",
)
DEMO_PASSWORD = "afterburn-demo"


def run(port: int) -> None:
    """Set everything up and become the server, so that Ctrl-C reaches it. Raises Trouble when that cannot be."""
    _refuse_busy(port)
    set_up("run")
    write_env()
    # The database holds people's secrets as much as .env does.
    os.umask(0o077)
    os.environ["PORT"] = str(port)
    os.environ.setdefault("DEMO", "1")
    _manage("migrate", "--verbosity=0")
    _manage("demo")
    collect_static(ROOT / "staticfiles", _manage)
    _greet(port)
    os.execv(PYTHON, [str(PYTHON), "-m", "uvicorn", "config.asgi:application", *_place(port), *UVICORN_FLAGS])


def _place(port: int) -> list[str]:
    return ["--host", HOST, "--port", str(port), "--log-level", "warning"]


def _refuse_busy(port: int) -> None:
    if not 1 <= port <= 65535:
        raise Trouble(f"{port} is no port; choose one from 1024 to 65535.")
    with socket.socket() as probe:
        # As uvicorn does: a port whose last connections are only fading away counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise Trouble(
                f"Port {port} cannot be used ({error.strerror}). Another one: python3 dev.py run --port {port + 1}"
            ) from error


def write_env() -> None:
    """Give this machine a secret of its own, readable by its owner alone. An `.env` that is there stays as it is."""
    path = ROOT / ".env"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "w") as file:
        file.write(
            f"# Made by dev.py; .env.example shows what else can stand here.\nSECRET_KEY={secrets.token_urlsafe(50)}\n"
        )


def _manage(*words: str) -> None:
    if subprocess.run([PYTHON, "manage.py", *words], cwd=ROOT, check=False).returncode:
        raise Trouble(f"`manage.py {words[0]}` failed; above is why.")


def collect_static(folder: Path, manage: Callable[..., None]) -> None:
    """Have `manage` collect static files into `folder`, which its settings name. Compressing takes seconds, so it is left out
    where nothing has changed since the last time."""
    now = hashlib.sha256((ROOT / "requirements/run.txt").read_bytes())
    for path in sorted(path for path in (ROOT / "static").rglob("*") if path.is_file()):
        now.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    stamp = folder / ".collected"
    # No list of hashed names: what is there was collected with DEBUG on.
    listed = (folder / "staticfiles.json").exists()
    if listed and stamp.exists() and stamp.read_text() == now.hexdigest():
        return
    manage("collectstatic", "--noinput", "--verbosity=0")
    stamp.write_text(now.hexdigest())


def _greet(port: int) -> None:
    print(f"\nAfterburn is at http://{HOST}:{port}/   (Ctrl-C stops it)\n")
    if os.environ["DEMO"] not in ("", "0"):
        print(f"Demo people, all with the password {DEMO_PASSWORD}:")
        for people in DEMO_PEOPLE:
            print(f"  {people}")
        print(flush=True)
