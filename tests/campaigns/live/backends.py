"""What the server knows of a process's connections (PostgreSQL): those that listen, and those that notify."""

from __future__ import annotations

import asyncio

from django.db import connection

from tests.campaigns.live.clients import act

LISTENING = "LISTEN%"
NOTIFYING = "SELECT pg_notify(channel, words)%"


@act
def on_backends(what: str, last_query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {what} FROM pg_stat_activity WHERE query LIKE %s AND datname = current_database()", [last_query]
        )
        return len(cursor.fetchall())


async def come_to(count: int, last_query: str) -> None:
    """Wait until so many connections are of that kind: the server ends one some time after it was closed here."""
    async with asyncio.timeout(60):
        while await on_backends("pid", last_query) != count:
            pass


async def cut_the_one(last_query: str) -> None:
    """End the only connection of that kind."""
    await come_to(1, last_query)
    await on_backends("pg_terminate_backend(pid)", last_query)
