"""One LISTEN connection a process (PostgreSQL): every notification that any process sends arrives
here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

import psycopg

from campaigns.live import drafts
from campaigns.live.channel import CHANNEL, DRAFTS, where

log = logging.getLogger(__name__)

LONGEST_PAUSE = 5.0  # seconds between attempts


async def listen_for_ever(hear: Callable[[UUID], None], reconnected: Callable[[], None]) -> None:
    """Call `hear` for every notification; after each (re)connection `reconnected`, since notifications may have been missed
    before it."""
    pause = 0.1
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**where(), autocommit=True) as link:
                await link.execute(f"LISTEN {CHANNEL}")
                await link.execute(f"LISTEN {DRAFTS}")
                pause = 0.1
                reconnected()
                async for notice in link.notifies():
                    with suppress(ValueError):  # anybody with an account in the database may use the channel
                        drafts.heard(notice.payload) if notice.channel == DRAFTS else hear(UUID(notice.payload))
        except psycopg.Error as error:
            # The poller goes on meanwhile: events come up to two seconds later, none is lost.
            log.warning("The connection for notifications is gone (%s); trying again.", type(error).__name__)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)
