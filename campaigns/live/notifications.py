"""Notifications: "something is new in this campaign", and nothing else. Lost, doubled or early, they change only delay.

On PostgreSQL a notification is a NOTIFY inside the writing transaction, so it is sent if and only if that commits, in commit
order, to every process. On SQLite there is one process, and the notification is a call after the commit.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.db import connection, transaction

CHANNEL = "afterburn"

_listeners: set[Callable[[UUID], None]] = set()


def send(campaign_id: UUID) -> None:
    """Call inside the writing transaction."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(campaign_id)])
    else:
        # robust: the operation is done, whatever becomes of the notification
        transaction.on_commit(lambda: tell(campaign_id), robust=True)


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
