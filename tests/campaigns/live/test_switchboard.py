"""How hints reach the hubs of a process."""

import asyncio
from contextvars import ContextVar
from uuid import uuid4

import pytest

request = ContextVar("request", default="none")


@pytest.mark.asyncio
async def test_a_hint_is_followed_outside_the_request_that_gave_it(board, monkeypatch):
    """In the request's own context, reading the log would wait for the request's thread, which has ended by then."""
    heard = []
    monkeypatch.setattr(board, "_pull_soon", lambda campaign_id: heard.append(request.get()))
    request.set("mine")
    board._hinted(uuid4())
    await asyncio.sleep(0)
    assert heard == ["none"]
