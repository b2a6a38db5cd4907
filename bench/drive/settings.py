"""The site's settings, and what a run of the drive puts wrong on purpose, told by the environment.

`DRIVE_CLOCK` is by how many seconds the clock of this process is off. `DRIVE_BUG` names one of BUGS: the checker is shown to find
each. They live here, and never in the site.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from config.settings import *  # noqa: F403

# Everyone here sends more in ten seconds than a person could, so the usual limit, with its answer 429, is only used
# where a run asks for it.
RATE_LIMIT = int(os.environ.get("DRIVE_RATE_LIMIT", RATE_LIMIT))  # noqa: F405


def _other_frames() -> None:
    """Make every 20th drawn frame differ from the log."""
    from campaigns.live import campaign_feed

    text, count = campaign_feed._text, 0

    def sometimes(*words: Any) -> str:
        nonlocal count
        count += 1
        drawn = text(*words)
        return drawn if count % 20 else drawn.replace('"hash": "', '"hash": "0')

    campaign_feed._text = sometimes


def _unwritten_answers() -> None:
    """Answer every 20th operation as done, and roll it back."""
    from django.db import transaction

    from campaigns.services import log

    once, count = log.run_once, 0

    def sometimes(*asked: Any) -> Any:
        nonlocal count
        count += 1
        result = once(*asked)
        if count % 20 == 0:
            transaction.set_rollback(True)
        return result

    log.run_once = sometimes  # type: ignore[assignment]


BUGS: dict[str, Callable[[], None]] = {
    "frames": _other_frames,
    "answers": _unwritten_answers,
}


def put_wrong() -> None:
    """Called by the server of the drive when the apps are ready (bench/drive/server.py)."""
    if bug := os.environ.get("DRIVE_BUG"):
        BUGS[bug]()
    if off := float(os.environ.get("DRIVE_CLOCK", "0")):
        import time_machine

        time_machine.travel(time.time() + off, tick=True).start()
