"""The one connection over which a process notifies all others (PostgreSQL)."""

from __future__ import annotations

import logging
import threading
from uuid import UUID

import psycopg

from campaigns.live.channel import CHANNEL, DRAFTS, where

log = logging.getLogger(__name__)

IDLE = 30.0  # seconds without anything to tell, after which the connection is given up


class Notifier:
    """Sends notifications from a thread of its own: nobody who writes waits for it, and what comes meanwhile goes together.

    One that cannot be sent is lost: the others poll.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[str, str]] = {}  # by what it is about: a channel, and what to say there
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = False

    def tell(self, campaign_id: UUID) -> None:
        """Something is new there. May be called from any thread."""
        self._put(str(campaign_id), CHANNEL, str(campaign_id))

    def say(self, about: str, words: str) -> None:
        """These words, on the channel of drafts; they give way to newer ones `about` the same. May be called from any thread."""
        self._put(f"draft {about}", DRAFTS, words)

    def _put(self, about: str, channel: str, words: str) -> None:
        with self._changed:
            self._waiting[about] = (channel, words)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._send_all, name="notifier", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Send what waits and give up the connection; the next to tell something opens another."""
        with self._changed:
            thread, self._closing = self._thread, True
            self._changed.notify()
        if thread is not None:
            thread.join()
        self._closing = False

    def _send_all(self) -> None:
        try:
            with psycopg.connect(**where(), autocommit=True) as link:
                while campaigns := self._next():
                    channels, words = zip(*campaigns, strict=True)
                    notify = (
                        "SELECT pg_notify(channel, words) FROM unnest(%s::text[], %s::text[]) AS told (channel, words)"
                    )
                    link.execute(notify, [list(channels), list(words)])
        except psycopg.Error as error:
            log.warning("Notifications were lost (%s): others see what is new when they poll.", type(error).__name__)
            with self._changed:
                self._waiting.clear()
                self._thread = None

    def _next(self) -> list[tuple[str, str]]:
        """All that there is to tell, as soon as there is anything; nothing at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing, IDLE)
            campaigns, self._waiting = [*self._waiting.values()], {}
            if not campaigns:
                # Under the same lock, so that whoever tells something now starts another thread.
                self._thread = None
            return campaigns
