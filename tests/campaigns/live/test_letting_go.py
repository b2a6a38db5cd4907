"""Connections end although their clients take nothing more: real sockets at a real uvicorn, in the loop of the test."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
import uvicorn
from django.conf import settings

from campaigns import consumers
from campaigns.live.socket_writer import SILENT_AFTER
from campaigns.services import members, play
from config.application import application
from tests.campaigns.live.clients import act, settled
from tests.campaigns.live.sockets import browser

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@asynccontextmanager
async def served():
    """Yield uvicorn with the site; `server_state.connections` are its protocols, one for each open socket."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(
            uvicorn.Config(application, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
        )
        serving = asyncio.create_task(server.serve([listening]))
        await settled(lambda: server.started)
        try:
            yield server, listening.getsockname()
        finally:
            server.should_exit = True
            await serving


@asynccontextmanager
async def deaf(place, slug, cookies):
    """Yield a client that asks for everything and reads only that it is admitted. Little fits into the kernel's buffers."""
    loop = asyncio.get_running_loop()
    with socket.socket() as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        link.setblocking(False)
        await loop.sock_connect(link, place)
        said = {
            "Host": "testserver",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Origin": settings.CSRF_TRUSTED_ORIGINS[0],
            "Cookie": "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items()),
            "Sec-WebSocket-Key": base64.b64encode(bytes(16)).decode(),
            "Sec-WebSocket-Version": "13",
        }
        lines = [f"GET /c/{slug}/live/ HTTP/1.1", *(f"{name}: {value}" for name, value in said.items()), "", ""]
        await loop.sock_sendall(link, "\r\n".join(lines).encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += await loop.sock_recv(link, 1)
        assert answer.startswith(b"HTTP/1.1 101 ")
        words = json.dumps({"since": {}}).encode()
        await loop.sock_sendall(link, bytes([0x81, 0x80 | len(words), 0, 0, 0, 0]) + words)
        yield link


@act
def say(person, count, words):
    for _ in range(count):
        play.say(person.member, words, key=uuid4())


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(consumers, "LET_GO_AFTER", 0)


@pytest.mark.parametrize("ends", ["silence", "removal", "close"])
async def test_a_client_that_reads_nothing_is_let_go_of_with_all_that_is_queued_for_it(
    cast, board, clock, patience, at_once, ends
):
    await say(cast.gm, 50, "Nobody reads this. " * 200)
    slug, client = cast.campaign.slug, await browser(cast.player)
    async with served() as (server, place), deaf(place, slug, client.cookies) as link:
        (held,) = server.server_state.connections
        # Nothing more can be sent, not even a goodbye.
        await settled(lambda: not held.writable.is_set())
        if ends == "close":
            await asyncio.get_running_loop().sock_sendall(link, bytes([0x88, 0x80, 0, 0, 0, 0]))
        elif ends == "removal":
            await act(members.remove_member)(cast.gm.member, cast.player.member, key=uuid4())
            await board.poll(beat=False)
        else:
            await board.poll(beat=True)
            clock.now += SILENT_AFTER + 1
            await board.poll(beat=False)
        await settled(lambda: not server.server_state.connections)
        assert held.transport.get_extra_info("socket").fileno() == -1
        assert not board.sockets
