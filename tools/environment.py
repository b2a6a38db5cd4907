"""The project's own `.venv`, made and kept in step with the locks in `requirements/`."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
CACHE = ROOT / ".cache"
QUIET = "--disable-pip-version-check"

NO_VENV = """\
Python could not make a virtual environment here. On Debian and Ubuntu this mends it:

    apt install python3-venv
"""


class Trouble(Exception):
    """Something the person at the keyboard can mend; the message says how."""


def set_up(lock: str) -> None:
    """Make `.venv` hold `requirements/<lock>.txt` ("run" or "test"). Does nothing when it already does."""
    if not _works():
        print("Making .venv …", flush=True)
        made = subprocess.run(
            [sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True, check=False
        )
        if made.returncode:
            raise Trouble(f"{made.stdout}{made.stderr}\n{NO_VENV}")
    if not _holds(lock):
        _install(lock)


def _works() -> bool:
    """Return whether the .venv can start: one that was moved, or whose Python is gone, cannot."""
    if not PYTHON.exists():
        return False
    return subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0


def _file(lock: str) -> Path:
    return ROOT / "requirements" / f"{lock}.txt"


def _stamp(lock: str) -> Path:
    return VENV / f"{lock}.sha256"


def _hash(lock: str) -> str:
    return hashlib.sha256(_file(lock).read_bytes()).hexdigest()


def _holds(lock: str) -> bool:
    stamp = _stamp(lock)
    return stamp.exists() and stamp.read_text() == _hash(lock)


def _install(lock: str) -> None:
    print("Installing what Afterburn is built on; the first time this takes about half a minute …", flush=True)
    # uv takes a tenth of pip's time. Where it finds no packages, as with an index that only pip is told of, pip installs them.
    by_uv = _run("pip", "uv", QUIET) and _run("uv pip", lock, "--no-cache", "--python", str(PYTHON))
    if not by_uv and not _run("pip", lock, QUIET):
        raise Trouble("The packages could not be installed; pip says above why. Run the command again to retry.")
    _stamp(lock).write_text(_hash(lock))
    if lock == "test":
        # Everything in the smaller lock is in this one, at the same versions.
        _stamp("run").write_text(_hash("run"))


def _run(installer: str, lock: str, *options: str) -> bool:
    """Return whether an installer, "pip" or "uv pip", could install a lock."""
    command = [
        str(PYTHON),
        "-m",
        *installer.split(),
        "install",
        "--quiet",
        "--require-hashes",
        *options,
        "-r",
        str(_file(lock)),
    ]
    return subprocess.run(command, check=False).returncode == 0
