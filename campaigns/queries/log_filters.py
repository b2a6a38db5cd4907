"""What somebody looks for in the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class LogFilters:
    """What is looked for; what is left empty does not matter.

    `subjects` are keys such as "clock:<uuid>", all of which an event has to be about. `since` is the first moment that counts,
    `until` the first that does not. Every word of `words` has to begin a word of the event; a single letter has to be
    one. `named` says that the log calls people by their numbers here, so that `who` may lead.
    """

    words: str = ""
    topic: str = ""
    outcome: str = ""
    system: str = ""
    subjects: tuple[str, ...] = ()
    who: int | None = None
    session: int | None = None
    scene: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    oldest_first: bool = False
    named: bool = True


EVERYTHING = LogFilters()
OLDEST_FIRST = LogFilters(oldest_first=True)
