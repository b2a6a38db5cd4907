"""A folder of backups, named by when they were made, of which the oldest go."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

SUFFIX = ".backup"
NAME = f"afterburn-%Y-%m-%d-%H%M%S{SUFFIX}"


def next_in(folder: Path) -> Path:
    """Return the file for a backup made now, named by the time in UTC."""
    return folder / datetime.now(UTC).strftime(NAME)


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
    try:
        return datetime.strptime(path.name, NAME).replace(tzinfo=UTC)
    except ValueError:
        return None


def _is_one(path: Path) -> bool:
    return _named(path) is not None and path.is_file()
