"""Sockets through the whole ASGI application, as browsers open them."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.db import OperationalError

from config.application import application
from tests.campaigns.live.clients import act


class Socket(WebsocketCommunicator):
    """A browser's end: remembers everything it was sent, event frames and all others."""

    def __init__(self, slug: str, client=None, origin: str | None = None, token: str = ""):
        headers = [(b"origin", (origin or settings.CSRF_TRUSTED_ORIGINS[0]).encode())]
        if client is not None and client.cookies:
            cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
            headers.append((b"cookie", cookies.encode()))
        super().__init__(application, f"/c/{slug}/live/{token and f'{token}/'}", headers=headers)
        self.frames: list[dict] = []
        self.closed: int | None = None

    async def read(self) -> dict | None:
        """Return the next frame, acknowledged; None if the socket was closed instead."""
        message = await self.receive_output(timeout=30)
        if message["type"] == "websocket.close":
            self.closed = message["code"]
            return None
        frame = json.loads(message["text"])
        self.frames.append(frame)
        await self.send_json_to({"got": len(self.frames)})
        return frame

    async def beat(self) -> list[dict]:
        """Return all frames up to the next beat, after which the client is up to date."""
        start = len(self.frames)
        while (frame := await self.read()) is not None and frame["t"] != "beat":
            pass
        return self.frames[start:]

    async def event(self) -> dict | None:
        """Return the next event; None if the socket was closed before one came."""
        while (frame := await self.read()) is not None and frame["t"] != "event":
            pass
        return frame

    async def end(self) -> int:
        """Return the code the socket is closed with; frames before it are in `frames`."""
        while await self.read() is not None:
            pass
        return self.closed

    @property
    def events(self) -> list[tuple[str, int]]:
        return [(frame["stream"], frame["seq"]) for frame in self.frames if frame["t"] == "event"]


async def knocks(slug: str, client=None, since: dict | None = None) -> Socket:
    """Return a socket that is open and has said where its page stands, and is not let in yet."""
    link = Socket(slug, client)
    await link.connect(timeout=30)
    await link.send_json_to({"since": since or {}})
    return link


async def away(*_):
    """Stand in for what asks a database that does not answer."""
    raise OperationalError


@asynccontextmanager
async def socket(slug: str, client=None, since: dict | None = None, token: str = ""):
    """Yield a socket that has caught up, unless it was closed; with a `token`, that of a page by the spectator link alone."""
    link = Socket(slug, client, token=token)
    assert (await link.connect(timeout=30))[0]
    await link.send_json_to({"since": since or {}})
    await link.beat()
    try:
        yield link
    finally:
        await link.disconnect(timeout=30)


@act
def browser(person):
    """Return a person's test client, signed in."""
    return person.client


async def quiet(*links: Socket) -> None:
    """Check that nothing more comes, though there was time for it."""
    await asyncio.sleep(0.05)
    for link in links:
        assert await link.receive_nothing(timeout=0.05)
