"""The socket of a table. It carries events out, and inward only where the client stands."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import suppress
from typing import Any
from uuid import UUID

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError, InterfaceError

from campaigns.access import viewer_of
from campaigns.errors import NotFound
from campaigns.live import editing_presence as places
from campaigns.live import presence
from campaigns.live.campaign_feed import CampaignFeed
from campaigns.live.connections import ConnectionManager, manager
from campaigns.live.socket_writer import GONE, LATER, Closed, SocketWriter
from campaigns.models import Campaign, Viewer

log = logging.getLogger(__name__)

STREAMS_AT_MOST = 1000
STANDS_EVERY = 0.2  # seconds


class TableConsumer(AsyncWebsocketConsumer):
    """First message in: {"since": {"table": 17, …}}; later ones: {"got": frames received on this socket}, and
    {"at": {"token", "field"}} or {"at": null}, where on its page somebody is writing (campaigns/live/editing_presence.py).

    Out: {"t": "event", "stream", "seq", "prev", "hash", "html"} (hashes: its own, that of the one before), {"t": "presence",
    "html"}, {"t": "places", "places"}, {"t": "beat", "heads"}.
    """

    feed: CampaignFeed | None = None
    presence_id: UUID | None = None
    _seat: Viewer
    _pump: SocketWriter | None = None
    _sending: asyncio.Task[None] | None = None
    _board: ConnectionManager
    _stood_at = 0.0

    async def connect(self) -> None:
        # Accepted before it is refused, so that the browser learns why: a close code, and not one byte more.
        await self.accept()
        self._board = manager()
        campaign_id = await self._campaign_id()
        if campaign_id is None:
            await self.close(GONE)
            return
        async with self._board.entering(campaign_id) as feed:
            head = feed.head
            try:
                self._seat = await database_sync_to_async(self._find_seat)()
            except NotFound:
                await self.close(GONE)
                return
            self.feed = feed
            self._pump = SocketWriter(feed, head, self._seat, self._send_text)
            self._board.sockets.add(self)
        member = self._seat.membership if self._seat.real is None else self._seat.real
        self.presence_id = await database_sync_to_async(presence.arrive)(campaign_id, member.pk if member else None)
        await feed.refresh_presence()

    async def disconnect(self, code: int) -> None:
        self.stop()
        if self.feed is None:
            return
        self._board.sockets.discard(self)
        if self.presence_id:
            await database_sync_to_async(presence.leave)(self.presence_id)
        await self.feed.refresh_presence()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._pump is None:
            return
        said = _parsed(text_data)
        if self._sending is None and isinstance(said.get("since"), dict):
            self._sending = asyncio.create_task(self._run(self._pump, _numbers(said["since"])))
        elif isinstance(said.get("got"), int):
            self._pump.heard(said["got"])
        elif "at" in said:
            await self._stand(said["at"])

    def stop(self) -> None:
        """Send no more events, from this moment on."""
        if self._sending:
            self._sending.cancel()

    async def say_goodbye(self, code: int) -> None:
        """Close the socket from this side."""
        with suppress(RuntimeError, OSError):  # it has just closed by itself
            await self.close(code)

    def beat(self) -> None:
        if self._pump and self._sending:
            self._pump.beat()

    @property
    def is_silent(self) -> bool:
        return self._pump is not None and self._pump.is_silent

    @property
    def viewer(self) -> Viewer:
        """The viewer it was given when it connected."""
        return self._seat

    @property
    def session_key(self) -> str | None:
        return self.scope["session"].session_key

    async def _stand(self, said: Any) -> None:
        """Somebody begins or ends writing. No more often than people can, whatever a client sends."""
        now = time.monotonic()
        if self.feed is None or self.presence_id is None or now - self._stood_at < STANDS_EVERY:
            return
        self._stood_at = now
        await database_sync_to_async(places.stand)(self.presence_id, places.read(self.feed.campaign_id, said))
        await self.feed.refresh_presence()

    def _find_seat(self) -> Viewer:
        return viewer_of(self.scope["user"], self.scope["session"], self.scope["url_route"]["kwargs"]["slug"])

    @database_sync_to_async
    def _campaign_id(self) -> UUID | None:
        slug = self.scope["url_route"]["kwargs"]["slug"]
        return Campaign.objects.filter(slug=slug).values_list("pk", flat=True).first()

    async def _run(self, writer: SocketWriter, since: dict[str, int]) -> None:
        try:
            await writer.run(since)
        except Closed as closed:
            await self._leave(closed.code)
        except OSError:
            # The client has just gone; `disconnect` tidies up, and there is nobody to say anything to.
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
        await self.send(text_data=text)


def _parsed(text: str | None) -> dict[str, Any]:
    """What a client said; nonsense is nothing."""
    try:
        said = json.loads(text or "")
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _numbers(since: dict[str, Any]) -> dict[str, int]:
    """The client's position: stream names to numbers, the plausible ones."""
    pairs = list(since.items())[:STREAMS_AT_MOST]
    return {name: seq for name, seq in pairs if isinstance(seq, int) and not isinstance(seq, bool) and seq >= 0}
