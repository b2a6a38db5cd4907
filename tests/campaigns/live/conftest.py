"""The live table without waiting: polls happen when a test says so, and everything is stopped in the end."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
import pytest_asyncio

from campaigns import consumers
from campaigns.live import connections as live
from campaigns.live import presence, socket_writer
from tests.campaigns.live.clients import Client, settled


@pytest_asyncio.fixture
async def board(monkeypatch):
    """Yield the process's connection manager, whose poller sleeps through the test."""
    monkeypatch.setattr(live, "POLL_EVERY", 3600)
    monkeypatch.setattr(presence, "TOLD_EVERY", 0)
    board = live.manager()
    yield board
    board.close()
    await asyncio.sleep(0)


@pytest_asyncio.fixture
async def sit():
    """`client = await sit(feed, viewer, since)` returns a client of a real socket writer that has caught up."""
    tasks = []

    async def sit_down(feed, viewer, since=None, **kwargs):
        client = Client(feed, viewer, **kwargs)
        tasks.append(asyncio.create_task(client.run(since or {})))
        if client.acknowledges:
            await settled(lambda: client.closed or client.beats)
        return client

    yield sit_down
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def clock(monkeypatch):
    """Return the clock by which silence is counted: `clock.now`, in seconds."""
    clock = SimpleNamespace(now=1000.0)
    for module in (socket_writer, consumers):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock
