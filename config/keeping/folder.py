"""A folder of backups, named by when they were made, of which the oldest go."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

SUFFIX = ".backup"
NAME = f"afterburn-%Y-%m-%d-%H%M%S{SUFFIX}"


def next_in(folder: Path) -> Path:
    """The file for a backup that is made now, in UTC."""
    return folder / datetime.now(UTC).strftime(NAME)


def thin_out(folder: Path, keep: int) -> list[Path]:
    """Delete all but the newest `keep` backups (at least 1), and return those that went. Files of other names stay."""
    backups = sorted(path for path in folder.iterdir() if _is_one(path))
    old = backups[: -max(1, keep)]
    for path in old:
        path.unlink()
    return old


def _is_one(path: Path) -> bool:
    try:
        return bool(datetime.strptime(path.name, NAME).replace(tzinfo=UTC)) and path.is_file()
    except ValueError:
        return False
