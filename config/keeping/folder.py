"""A folder of backups, named by when and by which release they were made, of which the oldest go."""

from __future__ import annotations

import os
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

SUFFIX = ".backup"
TIME = "afterburn-%Y-%m-%d-%H%M%S"
NAME = re.compile(rf"(afterburn-[\d-]{{17}})(-[\w.-]+)?{re.escape(SUFFIX)}")


def next_in(folder: Path) -> Path:
    """Return the file for a backup made now: afterburn-2026-11-28-021500-0.2.1-eb388480.backup, with the time in UTC."""
    return folder / f"{'-'.join([datetime.now(UTC).strftime(TIME), *_made_by()])}{SUFFIX}"


def _made_by() -> list[str]:
    """Return the release and the beginning of the commit of this code, as far as they are known."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        release: str = tomllib.load(file)["project"]["version"]
    commit = os.environ.get("COMMIT") or _read(settings.BASE_DIR / ".git/HEAD")
    if commit.startswith("ref: "):
        commit = _read(settings.BASE_DIR / ".git" / commit.removeprefix("ref: "))
    return [part for part in (release, commit[:8]) if part]


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def thin_out(folder: Path, keep: int) -> list[Path]:
    """Delete all but the newest `keep` backups (at least 1), and return those that went. Files of other names stay."""
    backups = sorted(path for path in folder.iterdir() if _is_one(path))
    old = backups[: -max(1, keep)]
    for path in old:
        path.unlink()
    return old


def newest(folder: Path) -> tuple[Path, datetime] | None:
    """Return the newest backup, whatever its name, and its time, from its name or else the file's; None without one."""
    backups = [(made_at(path), path) for path in folder.glob(f"*{SUFFIX}") if path.is_file()]
    if not backups:
        return None
    at, path = max(backups)
    return path, at


def made_at(path: Path) -> datetime:
    """Return when a backup was made, in UTC."""
    return _named(path) or datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _named(path: Path) -> datetime | None:
    found = NAME.fullmatch(path.name)
    try:
        return datetime.strptime(found[1], TIME).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def _is_one(path: Path) -> bool:
    return _named(path) is not None and path.is_file()
