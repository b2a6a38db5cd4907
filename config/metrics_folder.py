"""The folder in which several server processes add their figures up: made, cleaned and looked at without a host's help.

prometheus_client reads its name from the environment when it is first imported, so it is settled before the apps are loaded.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

NAME = "PROMETHEUS_MULTIPROC_DIR"


def settle() -> None:
    """Called by each server process as it starts. Those of one parent share a folder, named after it; what parents that are gone
    have left is cleared away. A host may name another folder, which is made, and whose files stay theirs to clear."""
    named = _named()
    os.environ.pop(NAME, None)
    if named:
        with suppress(OSError):
            named.mkdir(mode=0o700, parents=True, exist_ok=True)
        # What else cannot be used is refused with all that keeps a site from serving (config/checks.py).
        if not named.exists():
            raise ImproperlyConfigured(f"{NAME} names {named}, which can’t be made. Leave {NAME} out.")
        if not faults():
            os.environ[NAME] = str(named)
        return
    if not settings.METRICS_TOKEN or settings.PROCESSES == 1:
        return
    home = Path(tempfile.gettempdir()) / f"afterburn-metrics-{os.getuid()}"
    home.mkdir(mode=0o700, exist_ok=True)
    if home.is_symlink() or home.stat().st_uid != os.getuid():
        raise ImproperlyConfigured(f"{home} is not this user’s own folder. Remove it, or name another one in {NAME}.")
    folder = home / _called(os.getppid())
    folder.mkdir(mode=0o700, exist_ok=True)
    for old in home.iterdir():
        if old.name != _called(int(old.name.partition("-")[0])):
            shutil.rmtree(old, ignore_errors=True)
    os.environ[NAME] = str(folder)


def faults() -> list[tuple[str, str]]:
    """Return (error, hint) for a folder that is named and cannot be used."""
    folder = _named()
    if not folder or (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        return []
    if not folder.exists() and os.access(_there(folder), os.W_OK | os.X_OK) and _there(folder).is_dir():
        return []  # it is made when the server starts
    return [(f"{NAME} names {folder}, which is no folder that this user can write to.", f"Leave {NAME} out.")]


def _named() -> Path | None:
    named = settings.PROMETHEUS_MULTIPROC_DIR
    return Path(named) if named and settings.METRICS_TOKEN else None


def _there(folder: Path) -> Path:
    """Return the nearest existing folder above."""
    return next((above for above in folder.absolute().parents if above.exists()), Path("/"))


def _called(process: int) -> str:
    """Return a process's number with its start time, since numbers are reused, in a container always the same; "" if it
    is gone.
    """
    try:
        started = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""
    return f"{process}-{started}"
