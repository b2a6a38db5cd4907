"""`dev.py run`: from a bare checkout to a table, with a demo campaign on this machine or for friends in the same network."""

from __future__ import annotations

import hashlib
import os
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from tools.addresses import HOST, Address, address, refuse_busy, typed
from tools.environment import PYTHON, ROOT, Trouble, set_up

# The same in deploy/. Python's own event loop: uvloop takes in one new connection a turn (libuv's pull request 3696), so that in
# an overload requests waited for seconds before anything could refuse them. Compressing small frames tripled the time at a
# thousand sockets. The access log would keep the tokens of invitations and of forgotten passwords, which stand in their
# addresses. Whom to believe about the client's address is decided in config/application.py. What uvicorn itself says before the
# site is loaded is logged as the rest, as LOG_FORMAT says.
UVICORN_FLAGS = [
    *("--loop", "asyncio"),
    *("--ws-max-size", "65536"),
    *("--ws-per-message-deflate", "false"),
    *("--ws-ping-interval", "20"),
    *("--ws-ping-timeout", "20"),
    *("--timeout-graceful-shutdown", "5"),
    "--no-proxy-headers",
    "--no-server-header",
    "--no-access-log",
    *("--log-config", "config/uvicorn.json"),
]

DEMO_PEOPLE = (
    "gm (runs the game)",
    "mo, iva, tess (players)",
    "watcher (spectator)",
)
DEMO_PASSWORD = "afterburn-demo"

NETWORK = """\
Everybody in this network can type that address and make an account. What they type can be overheard there,
so nobody should take a password that they use elsewhere.
"""


def run(port: int, host: str = HOST, demo: bool | None = None) -> None:
    """Set everything up and become the server, so that Ctrl-C reaches it. Raises Trouble if that is not possible.

    Without `demo`, there is a demo if only this machine can reach it, or if DEMO in the environment says so.
    """
    listening = address(host)
    refuse_busy(listening, port)
    alone = str(listening) == HOST
    url = "" if alone else os.environ.get("SITE_URL", "").rstrip("/")
    url = url or f"http://{typed(listening)}:{port}"
    set_up("run")
    write_env()
    # The database holds people's secrets as much as .env does.
    os.umask(0o077)
    os.environ |= {"PORT": str(port), "DEMO": "01"[_wants_demo(listening, demo)]}
    if not alone:
        os.environ |= _reached_at(url, port) | os.environ
    _manage("migrate", "--verbosity=0")
    _manage("demo", *(() if os.environ["DEMO"] == "1" else ("--close",)))
    collect_static(ROOT / "staticfiles", _manage)
    _greet(url, alone=alone)
    # What becomes the server is its parent: it ends with that.
    subprocess.Popen([PYTHON, "manage.py", "deliver", f"--beside={os.getpid()}"], cwd=ROOT)
    os.execv(
        PYTHON, [str(PYTHON), "-m", "uvicorn", "config.asgi:application", *_place(listening, port), *UVICORN_FLAGS]
    )


def _wants_demo(listening: Address, demo: bool | None) -> bool:
    """Return whether to have a demo: its people share a known password, with a button for each, which is nothing for a
    network.
    """
    if demo is not None:
        return demo
    said = os.environ.get("DEMO", "")
    return said.lower() not in ("0", "false", "no", "off") if said else listening.is_loopback


def _reached_at(url: str, port: int) -> dict[str, str]:
    """Return the settings of a site that others reach at this address, and this machine itself also by its usual names."""
    site = urlsplit(url)
    names = [HOST, "localhost"]
    return {
        "SITE_URL": url,
        "HTTPS": "01"[site.scheme == "https"],
        "ALLOWED_HOSTS": ",".join([site.netloc.removesuffix(f":{site.port}"), *names]),
        "CSRF_TRUSTED_ORIGINS": ",".join(f"http://{name}:{port}" for name in names),
    }


def _place(listening: Address, port: int) -> list[str]:
    return ["--host", str(listening), "--port", str(port), "--log-level", "warning"]


def write_env() -> None:
    """Give this machine a secret of its own, readable only by its owner. An existing `.env` is kept."""
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
    folders = (ROOT / "static", ROOT / "scale/static", *(ROOT / "rulesets").glob("*/static"))
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        now.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    stamp = folder / ".collected"
    # Without the list of hashed names: these files were collected with DEBUG on.
    listed = (folder / "staticfiles.json").exists()
    if listed and stamp.exists() and stamp.read_text() == now.hexdigest():
        return
    manage("collectstatic", "--noinput", "--verbosity=0")
    stamp.write_text(now.hexdigest())


def _greet(url: str, *, alone: bool) -> None:
    print(f"\nAfterburn is at {url}/   (Ctrl-C stops it)\n")
    if os.environ["DEMO"] == "1":
        print(f"Demo people, all with the password {DEMO_PASSWORD}:")
        for people in DEMO_PEOPLE:
            print(f"  {people}")
        print()
    if not alone:
        print(NETWORK)
    sys.stdout.flush()
