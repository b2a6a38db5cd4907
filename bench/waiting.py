"""Waiting for events without a notification: another process that has to start, or a page that has to have an event."""

from __future__ import annotations

import time
from collections.abc import Callable


def waited(until: Callable[[], object], within: float, every: float = 0.05) -> float | None:
    """Return the seconds until `until()` is true; None if it takes longer than `within`."""
    began = time.monotonic()
    while time.monotonic() - began < within:
        if until():
            return time.monotonic() - began
        time.sleep(every)
    return None
