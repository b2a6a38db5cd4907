"""A process's side of the live table: its hubs, its open sockets, and what keeps them true.

The listener makes delivery fast; the poller makes it certain: every two seconds each hub pulls, each socket's right to be here
is looked up again, and sockets that have fallen silent are cut.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from contextvars import Context
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.db import DatabaseError, InterfaceError, connection

from campaigns.live import hints, presence, seats
from campaigns.live.hub import Hub
from campaigns.live.listener import listen_for_ever
from campaigns.live.pump import SILENT
from campaigns.models import Seat

log = logging.getLogger(__name__)

POLL_EVERY = 2.0  # seconds
POLLS_A_BEAT = 5


class Socket(Protocol):
    """What a switchboard keeps true: an open socket at a table (campaigns/consumers.py)."""

    hub: Hub | None
    presence_id: UUID | None

    @property
    def seat(self) -> Seat: ...

    @property
    def session_key(self) -> str | None: ...

    @property
    def is_silent(self) -> bool: ...

    def beat(self) -> None: ...

    def stop(self) -> None: ...

    async def say_goodbye(self, code: int) -> None: ...


class Switchboard:
    """The hubs and the sockets of this process, made within its event loop; see the module's docstring."""

    def __init__(self) -> None:
        self.hubs: dict[UUID, Hub] = {}
        self.sockets: set[Socket] = set()
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._opening = asyncio.Lock()
        hints.listen(self._hinted)
        self._start(self._poll_for_ever())
        if connection.vendor == "postgresql":
            self._start(listen_for_ever(self._pull_soon, self._pull_all_soon))

    def close(self) -> None:
        """Stop everything: for the end of a test's event loop. A server's switchboard lives as long as its process."""
        hints.unlisten(self._hinted)
        for task in self._tasks:
            task.cancel()

    @asynccontextmanager
    async def entering(self, campaign_id: UUID) -> AsyncIterator[Hub]:
        """The hub of a campaign, up to date, and kept while a socket finds its seat there."""
        async with self._opening:
            if campaign_id not in self.hubs:
                self.hubs[campaign_id] = await Hub.open(campaign_id)
            hub = self.hubs[campaign_id]
            hub.arriving += 1
        try:
            await hub.pull()
            yield hub
        finally:
            hub.arriving -= 1

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _hinted(self, campaign_id: UUID) -> None:
        """A hint from any thread of this process."""
        if not self._loop.is_closed():
            # In a context of its own: a request's names a thread that ends with the request, and pulling would wait for it.
            self._loop.call_soon_threadsafe(self._pull_soon, campaign_id, context=Context())

    def _pull_soon(self, campaign_id: UUID) -> None:
        if campaign_id in self.hubs:
            self._start(self._pull(self.hubs[campaign_id]))

    def _pull_all_soon(self) -> None:
        for campaign_id in self.hubs:
            self._pull_soon(campaign_id)

    async def _pull(self, hub: Hub) -> None:
        try:
            await hub.pull()
        except (DatabaseError, InterfaceError) as error:
            # The next poll tries again; meanwhile no beat is sent, and the pages say that they may be behind.
            log.warning("Could not read the log (%s); trying again.", type(error).__name__)

    async def _poll_for_ever(self) -> None:
        polls = 0
        while True:
            await asyncio.sleep(POLL_EVERY)
            polls += 1
            try:
                await self.poll(beat=polls % POLLS_A_BEAT == 0)
            except (DatabaseError, InterfaceError) as error:
                log.warning("The database does not answer (%s); trying again.", type(error).__name__)
            except Exception:
                # Without the poll nobody would be cut who has lost their seat.
                log.exception("A poll failed; trying again.")

    async def poll(self, *, beat: bool) -> None:
        """Make everything true again: events, seats, silence, presence; with `beat` tell every client where its streams stand."""
        # Sockets that come while the seats are looked up are not in this list, so that none is cut for being new.
        sockets = tuple(self.sockets)
        self._drop_empty_hubs()
        for hub in tuple(self.hubs.values()):
            await hub.pull()
        gone = await database_sync_to_async(seats.lost)([(s.seat, s.session_key) for s in sockets])
        for position, socket in enumerate(sockets):
            if position in gone:
                self._cut(socket, gone[position])
            elif socket.is_silent:
                self._cut(socket, SILENT)
        if beat:
            await database_sync_to_async(presence.renew)([s.presence_id for s in sockets if s.presence_id])
        for hub in tuple(self.hubs.values()):
            await hub.refresh_presence()
        if beat:
            for socket in sockets:
                socket.beat()

    def _cut(self, socket: Socket, code: int) -> None:
        self.sockets.discard(socket)
        socket.stop()
        # Not waited for: a client that reads nothing would hold up the poll, and with it everybody else.
        self._start(socket.say_goodbye(code))

    def _drop_empty_hubs(self) -> None:
        used = {socket.hub.campaign_id for socket in self.sockets if socket.hub}
        for campaign_id, hub in list(self.hubs.items()):
            if campaign_id not in used and not hub.arriving:
                del self.hubs[campaign_id]


_switchboards: WeakKeyDictionary[asyncio.AbstractEventLoop, Switchboard] = WeakKeyDictionary()


def switchboard() -> Switchboard:
    """The one of the running event loop, started at its first socket."""
    loop = asyncio.get_running_loop()
    if loop not in _switchboards:
        _switchboards[loop] = Switchboard()
    return _switchboards[loop]
