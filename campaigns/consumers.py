"""The socket of a table. It sends events, and receives only the client's position."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.urls import path, re_path

from campaigns.access import token_hash
from campaigns.live import drafts
from campaigns.live import presence as places
from campaigns.live.campaign_feed import CampaignFeed, Readers
from campaigns.live.connections import Credential, Link, manager
from campaigns.live.socket_writer import GONE, LATER, SILENT_AFTER, Closed, SocketWriter
from campaigns.models import Viewer
from people.middleware import language_of

LET_GO_AFTER = 1.0  # seconds, in which a client that lives takes its close code and closes as well

DROPPING = struct.pack("ii", 1, 0)  # SO_LINGER: on, 0 seconds. The kernel drops its queue as well.


def let_go(send: Callable[..., Any]) -> None:
    """Let the connection behind an application's `send` end in a moment, with what is queued for its client.

    uvicorn's `send` is a method of its protocol, which has the transport. Other servers' are left as they are.
    """
    transport: asyncio.Transport | None = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        asyncio.get_running_loop().call_later(LET_GO_AFTER, _abort, transport)


def _abort(transport: asyncio.Transport) -> None:
    with suppress(OSError):  # it has ended by itself
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, DROPPING)
    transport.abort()


log = logging.getLogger(__name__)

STREAMS_AT_MOST = 1000
STANDS_EVERY = 0.2  # seconds
DRAFTS_EVERY = 0.3

Message = dict[str, Any]


class TableConsumer:
    """One socket, as an ASGI application. Channels' consumers pass every message through a thread because of database
    connections, which a socket has none of: the connection manager queries for all of them.

    The first message in asks for admission: {"since": {"table": 17, …}, "hashes": {"table": "ab…", …}, "language": the
    page's}. Later ones are {"got": frames received on this socket}, {"at": {"token", "field"}} or {"at": null}, where
    on the page the person is writing (campaigns/live/presence.py), and {"draft": {"token", "field", "text"}}, what a GM
    is writing for all (campaigns/live/drafts.py).

    Out: {"t": "event", "stream", "seq", "prev", "hash", "html"} (hashes: its own and that of the event before it),
    {"t": "presence", "html"}, {"t": "places", "places"}, {"t": "draft", "subject", "name", "text"}, {"t": "beat",
    "heads"}, which also has "paused", the words on everyone's page, while play is paused.
    """

    feed: CampaignFeed | None = None
    viewer: Viewer | None = None
    presence_id: UUID | None = None
    since: Mapping[str, int]
    hashes: Mapping[str, str]
    language: str
    _writer: SocketWriter | None = None
    _following: asyncio.Task[None] | None = None
    _stood_at = 0.0
    _drafted_at = 0.0
    _drafts = False

    def __init__(self, scope: Message, send: Callable[[Message], Awaitable[None]]) -> None:
        self.slug: str = scope["url_route"]["kwargs"]["slug"]
        token = scope["url_route"]["kwargs"].get("token")
        self.credential: Credential = (
            Link(token_hash(token)) if token else scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        )
        self._send = send
        self._board = manager()
        self._opened_at = time.monotonic()

    async def run(self, receive: Callable[[], Awaitable[Message]]) -> None:
        """Handle messages until either side closes the socket."""
        self._board.sockets.add(self)
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.connect":
                    # Accepted before it may be refused, so that the browser learns why: a close code, and not one byte more.
                    await self._send({"type": "websocket.accept"})
                else:
                    self._hear(_parsed(message.get("text")))
        finally:
            self._board.sockets.discard(self)
            self.stop()
            let_go(self._send)
            if self.feed and self.presence_id:
                await self._board.presence.go(self.feed.campaign_id, self.presence_id)

    def admit(self, feed: CampaignFeed, head: int, viewer: Viewer) -> None:
        """Start to follow the feed as this viewer; `head` is the feed's head from before the viewer was looked up."""
        self.feed, self.viewer = feed, viewer
        self._writer = SocketWriter(feed, head, viewer, Readers(viewer.role, self.language), self._send_text)
        member = viewer.membership if viewer.real is None else viewer.real
        self.presence_id = self._board.presence.come(feed.campaign_id, member.pk if member else None)

    def stop(self) -> None:
        """Send no more events, from this moment on."""
        if self._following:
            self._following.cancel()

    async def say_goodbye(self, code: int) -> None:
        """Close the socket from this side, whether or not its client reads that."""
        let_go(self._send)
        with suppress(RuntimeError, OSError):  # it has just closed by itself
            await self._send({"type": "websocket.close", "code": code})

    def beat(self) -> None:
        if self._writer:
            self._writer.beat()

    @property
    def is_silent(self) -> bool:
        """Return whether the client has been silent for too long. While it waits for admission, nothing is expected of it."""
        if self._writer:
            return self._writer.is_silent
        return self._following is None and time.monotonic() - self._opened_at > SILENT_AFTER

    def _hear(self, message: dict[str, Any]) -> None:
        if self._following is None and isinstance(message.get("since"), dict):
            self.since, self.hashes = _numbers(message["since"]), _hashes(message.get("hashes"))
            self.language = language_of(message.get("language"))
            self._following = asyncio.create_task(self._follow())
        elif self._writer and isinstance(message.get("got"), int):
            self._writer.heard(message["got"])
        elif "at" in message:
            self._stand(message["at"])
        elif "draft" in message:
            self._draft(message["draft"])

    def _stand(self, message: Any) -> None:
        """Note that the person begins or stops writing, no more often than people can, whatever a client sends."""
        now = time.monotonic()
        if self.feed is None or self.presence_id is None or now - self._stood_at < STANDS_EVERY:
            return
        self._stood_at = now
        place = places.read(self.feed.campaign_id, message)
        self._board.presence.stand(self.feed.campaign_id, self.presence_id, place)

    def _draft(self, message: Any) -> None:
        """Send on what a GM writes for the table. Updates within DRAFTS_EVERY are dropped, except the last."""
        now = time.monotonic()
        draft = drafts.read(self.viewer, message) if self.viewer else None
        if draft is None or (now - self._drafted_at < DRAFTS_EVERY if draft.text else not self._drafts):
            return
        self._drafted_at, self._drafts = now, bool(draft.text)
        drafts.send(draft)

    async def _follow(self) -> None:
        try:
            await self._board.admission.ask(self)
            if self._writer is None:
                raise Closed(GONE)
            await self._writer.run(self.since, self.hashes)
        except Closed as closed:
            await self._leave(closed.code)
        except OSError:
            # The client has just gone, so nothing can be sent to it.
            self._board.sockets.discard(self)
        except (DatabaseError, InterfaceError) as error:
            log.warning("Could not read the log for a socket (%s); it may come back.", type(error).__name__)
            await self._leave(LATER)
        except Exception:
            log.exception("A socket failed; it may come back.")
            await self._leave(LATER)

    async def _leave(self, code: int) -> None:
        self._board.sockets.discard(self)
        await self.say_goodbye(code)

    async def _send_text(self, text: str) -> None:
        await self._send({"type": "websocket.send", "text": text})


async def table_socket(scope: Message, receive: Callable[[], Awaitable[Message]], send: Any) -> None:
    """Serve a socket: the application that `websocket_urlpatterns` names."""
    await TableConsumer(scope, send).run(receive)


def _parsed(text: str | None) -> dict[str, Any]:
    """Return a client's message as a dict; {} if it cannot be read."""
    try:
        message = json.loads(text or "")
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _numbers(since: dict[str, Any]) -> dict[str, int]:
    """Return the client's position: stream names to numbers, the plausible ones."""
    pairs = list(since.items())[:STREAMS_AT_MOST]
    return {name: seq for name, seq in pairs if isinstance(seq, int) and not isinstance(seq, bool) and seq >= 0}


def _hashes(hashes: Any) -> dict[str, str]:
    """Return the hashes of the events under these numbers, as far as the client knows them."""
    pairs = list(hashes.items())[:STREAMS_AT_MOST] if isinstance(hashes, dict) else []
    return {name: hash for name, hash in pairs if isinstance(hash, str)}


class NoSocket(AsyncWebsocketConsumer):
    """Refuses sockets at unknown addresses, as an unknown page would."""

    async def connect(self) -> None:
        await self.close()


# Routes of Channels lead to ASGI applications instead of views.
websocket_urlpatterns = [
    path("c/<slug:slug>/live/", table_socket),  # type: ignore[arg-type]
    path("c/<slug:slug>/live/<str:token>/", table_socket),  # type: ignore[arg-type]  # by the spectator link
]
nowhere = re_path("", NoSocket.as_asgi())
