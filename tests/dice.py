"""Dice that fall as a test says, in its own process and in the servers it started; and as they like when it says nothing."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from rolls.services.fairness import DiceRequest, server_dice

# tests/settings.py names the file; the two processes of pytest-xdist must not take each other's dice.
FILE = Path(os.environ["TEST_DICE"] + os.environ.get("PYTEST_XDIST_WORKER", ""))


def load(*faces: int) -> None:
    """Load the next faces to fall, whoever rolls, in this order."""
    with FILE.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.writelines(f"{face}\n" for face in faces)


def unload() -> None:
    FILE.unlink(missing_ok=True)


def loaded_dice(throw: DiceRequest) -> Iterator[int]:
    """Yield the loaded faces first, then the server's own without end; settings.DICE_SOURCE of the tests."""
    while face := _taken():
        yield face
    yield from server_dice(throw)


def _taken() -> int | None:
    if not FILE.exists():
        return None
    with FILE.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        first, *rest = file.readlines() or [""]
        file.seek(0)
        file.truncate()
        file.writelines(rest)
    return int(first) if first else None
