"""Notifications: "something is new in this campaign", and nothing else. Lost, doubled or early, they change only delay.

On PostgreSQL a notification is a NOTIFY to every process, after the commit and not within it: a transaction that
notifies takes a lock at its commit that exists once per server, and holds it until the disk has answered, so all tables
would wait for each other. One connection per process sends them all, and those that arrive while it waits for the
server are merged into the next. On SQLite there is one process, and the notification is a call after the commit.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

CHANNEL = "afterburn"
DRAFTS = "afterburn_drafts"


def where() -> dict[str, Any]:
    """Return the database of this process, past a pooler, as psycopg wants it, without what only Django's own connections use."""
    direct = "direct" if "direct" in connections.settings else DEFAULT_DB_ALIAS
    params = connections[direct].get_connection_params()
    ours = ("cursor_factory", "context", "prepare_threshold", "pool", "server_side_binding", "isolation_level")
    return {key: value for key, value in params.items() if key not in ours}


log = logging.getLogger(__name__)

IDLE = 30.0  # seconds without anything to tell, after which the connection is given up


class Notifier:
    """Sends notifications from its own thread: writers do not wait for it, and those that come while it sends are merged.

    A notification that cannot be sent is lost: the other processes poll.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[str, str]] = {}  # by what it is about: a channel, and what to say there
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = False

    def tell(self, campaign_id: UUID) -> None:
        """Notify all processes of something new in a campaign. May be called from any thread."""
        self._put(str(campaign_id), CHANNEL, str(campaign_id))

    def say(self, about: str, words: str) -> None:
        """Send these words on the channel of drafts; they give way to newer ones `about` the same. May be called from any
        thread."""
        self._put(f"draft {about}", DRAFTS, words)

    def _put(self, about: str, channel: str, words: str) -> None:
        with self._changed:
            self._waiting[about] = (channel, words)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._send_all, name="notifier", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Send what is waiting and close the connection; the next notification opens another."""
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
        """Return all waiting notifications as soon as there are any; [] at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing, IDLE)
            campaigns, self._waiting = [*self._waiting.values()], {}
            if not campaigns:
                # Under the same lock, so that the next caller starts another thread.
                self._thread = None
            return campaigns


_listeners: set[Callable[[UUID], None]] = set()
_notifier = Notifier()


def send(campaign_id: UUID) -> None:
    """Notify of a campaign once this transaction is committed. Call it inside the transaction that writes."""
    announce = _notifier.tell if connection.vendor == "postgresql" else tell
    # robust: the operation is done, whatever becomes of the notification
    transaction.on_commit(lambda: announce(campaign_id), robust=True)


def say(about: str, words: str) -> None:
    """Send these words on the channel of drafts, at once; they give way to newer ones `about` the same."""
    _notifier.say(about, words)


def close() -> None:
    """Let go of what notifications are sent by: for the end of the database that they are sent in."""
    _notifier.close()


def tell(campaign_id: UUID) -> None:
    """Wake what listens in this process. May be called from any thread."""
    for listener in tuple(_listeners):
        listener(campaign_id)


def listen(listener: Callable[[UUID], None]) -> None:
    """Call `listener` with the id of every campaign that this process is notified of."""
    _listeners.add(listener)


def unlisten(listener: Callable[[UUID], None]) -> None:
    """End `listen`; nothing happens where it has ended before."""
    _listeners.discard(listener)
