"""Notifications: "something is new in this campaign", and nothing else. Lost, doubled or early, they change only delay.

On PostgreSQL a notification is a NOTIFY to every process, after the commit and not within it: a transaction that notifies takes
at its commit a lock that the whole server has once, and holds it until the disk has answered, so that all tables would wait for
each other. One connection of a process sends them all, and while it waits for the server what else there is to tell comes
together into the next. On SQLite there is one process, and the notification is a call after the commit.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.db import connection, transaction

from campaigns.live.notifier import Notifier

_listeners: set[Callable[[UUID], None]] = set()
_notifier = Notifier()


def send(campaign_id: UUID) -> None:
    """Call inside the writing transaction."""
    announce = _notifier.tell if connection.vendor == "postgresql" else tell
    # robust: the operation is done, whatever becomes of the notification
    transaction.on_commit(lambda: announce(campaign_id), robust=True)


def close() -> None:
    """Let go of what notifications are sent by: for the end of the database that they are sent in."""
    _notifier.close()


def tell(campaign_id: UUID) -> None:
    """Wake what listens in this process. May be called from any thread."""
    for listener in tuple(_listeners):
        listener(campaign_id)


def listen(listener: Callable[[UUID], None]) -> None:
    """Let `listener` be called with the id of every campaign of which this process is told."""
    _listeners.add(listener)


def unlisten(listener: Callable[[UUID], None]) -> None:
    """The end of `listen`; nothing where it has ended before."""
    _listeners.discard(listener)
