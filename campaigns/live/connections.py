"""A process's side of the live table: its feeds, its open sockets, and what keeps them true.

The listener makes delivery fast; the poller makes it certain: every two seconds each feed pulls, each socket's right to be here
is looked up again, and sockets that have fallen silent are cut.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import Context
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from channels.db import database_sync_to_async
from django.db import DatabaseError, InterfaceError, connection

from campaigns.live import admission as admission
from campaigns.live import drafts, presence
from campaigns.live import notifications as notifications
from campaigns.live.admission import AdmissionQueue
from campaigns.live.campaign_feed import CampaignFeed, behind, open_feeds
from campaigns.live.notifications import CHANNEL, DRAFTS, where
from campaigns.live.presence import PresenceUpdates, Told
from campaigns.live.socket_writer import RESEATED, SILENT
from campaigns.metrics import CUT, FEEDS, SOCKETS
from campaigns.models import Viewer

log = logging.getLogger(__name__)

POLL_EVERY = 2.0  # seconds
POLLS_A_BEAT = 5
LONGEST_PAUSE = 5.0  # seconds between attempts to listen


class Socket(Protocol):
    """An open socket (campaigns/consumers.py), which a connection manager keeps true. It has a feed and a viewer from when it
    was admitted."""

    feed: CampaignFeed | None
    viewer: Viewer | None
    presence_id: UUID | None
    credential: admission.Credential

    @property
    def is_silent(self) -> bool: ...

    def beat(self) -> None: ...

    def stop(self) -> None: ...

    async def say_goodbye(self, code: int) -> None: ...


class ConnectionManager:
    """The feeds and the sockets of this process, made within its event loop; see the module's docstring."""

    def __init__(self) -> None:
        self.feeds: dict[UUID, CampaignFeed] = {}
        self.sockets: set[Socket] = set()
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.admission = AdmissionQueue(self.entering)
        self.presence = PresenceUpdates(self._tell_present)
        notifications.listen(self._notified)
        drafts.listen(self._drafted)
        self._start(self._poll_for_ever())
        self._start(self.presence.run())
        if connection.vendor == "postgresql":
            self._start(listen_for_ever(self._pull_soon, self._pull_all_soon))

    def close(self) -> None:
        """Stop everything: for the end of a test's event loop. A server's connection manager lives as long as its process."""
        notifications.unlisten(self._notified)
        drafts.unlisten(self._drafted)
        self.admission.close()
        for task in self._tasks:
            task.cancel()

    @asynccontextmanager
    async def entering(self, slugs: Iterable[str]) -> AsyncIterator[Mapping[str, CampaignFeed]]:
        """Give the feeds of the campaigns among these, by their slugs, kept while sockets find their viewers there.

        Entered by one after the other only: by the admission queue.
        """
        feeds = {feed.slug: feed for feed in self.feeds.values() if feed.slug in {*slugs}}
        # Counted before any wait, as a poll drops unused feeds.
        for feed in feeds.values():
            feed.arriving += 1
        try:
            if new := {*slugs} - feeds.keys():
                opened = await open_feeds(new)
                for feed in opened:
                    feed.arriving += 1
                    feed.look_again = self._cut_the_lost_at
                    self.feeds[feed.campaign_id] = feeds[feed.slug] = feed
                # Before they were here no notification could reach them.
                for feed in await behind(opened):
                    await feed.pull()
            yield feeds
        finally:
            for feed in feeds.values():
                feed.arriving -= 1

    def _tell_present(self, presence: Told) -> None:
        for campaign_id, (present, writing) in presence.items():
            if feed := self.feeds.get(campaign_id):
                feed.tell_present(present, writing)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _notified(self, campaign_id: UUID) -> None:
        """Hear a notification from any thread of this process."""
        if not self._loop.is_closed():
            # In a context of its own: a request's names a thread that ends with the request, and pulling would wait for it.
            self._loop.call_soon_threadsafe(self._pull_soon, campaign_id, context=Context())

    def _drafted(self, draft: drafts.Draft) -> None:
        """Pass on a draft that is being written for a table, from any thread of this process."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell_draft, draft, context=Context())

    def _tell_draft(self, draft: drafts.Draft) -> None:
        if feed := self.feeds.get(UUID(draft.campaign)):
            for writer in tuple(feed.writers):
                if draft.is_seen_by(writer.viewer):
                    writer.tell_draft(draft.frame)

    def _pull_soon(self, campaign_id: UUID) -> None:
        if campaign_id in self.feeds:
            self._start(self._pull(self.feeds[campaign_id]))

    def _pull_all_soon(self) -> None:
        for campaign_id in self.feeds:
            self._pull_soon(campaign_id)

    async def _pull(self, feed: CampaignFeed) -> None:
        try:
            await feed.pull()
            self._give_up_replaced()
        except (DatabaseError, InterfaceError) as error:
            # The next poll tries again; until then no beat is sent, and the pages say that they may be behind.
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
                # Without the poll, those who lost access would not be disconnected.
                log.exception("A poll failed; trying again.")

    async def poll(self, *, beat: bool) -> None:
        """Bring everything up to date: silent sockets, events, viewers, presence; with `beat`, send every client the
        heads of its streams.
        """
        # Before anything is asked of the database, which may be away.
        for socket in tuple(self.sockets):
            if socket.is_silent:
                self._cut(socket, SILENT)
        # Sockets that come while the viewers are looked up are not in this list, so that none is cut for being new.
        sockets = tuple(self.sockets)
        self._drop_unused_feeds()
        for feed in await behind([*self.feeds.values()]):
            await feed.pull()
        self._give_up_replaced()
        await self._cut_the_lost([(socket, socket.viewer) for socket in sockets if socket.viewer])
        if beat:
            await database_sync_to_async(presence.renew)([s.presence_id for s in sockets if s.presence_id])
            for socket in sockets:
                socket.beat()
        self.presence.look_again(self.feeds)
        SOCKETS.set(len(self.sockets))
        FEEDS.set(len(self.feeds))

    async def _cut_the_lost_at(self, feed: CampaignFeed) -> None:
        await self._cut_the_lost(
            [(socket, socket.viewer) for socket in self.sockets if socket.viewer and socket.feed is feed]
        )

    async def _cut_the_lost(self, held: Sequence[tuple[Socket, Viewer]]) -> None:
        gone = await database_sync_to_async(admission.lost_viewers)(
            [(viewer, socket.credential) for socket, viewer in held]
        )
        for position, code in gone.items():
            self._cut(held[position][0], code)

    def _cut(self, socket: Socket, code: int) -> None:
        CUT.labels(code).inc()
        self.sockets.discard(socket)
        socket.stop()
        # Not awaited: a client that reads nothing would hold up the poll and everyone else.
        self._start(socket.say_goodbye(code))

    def _give_up_replaced(self) -> None:
        """Make pages load again whose log was replaced by a restored one: they show events that no longer exist."""
        for campaign_id, feed in [*self.feeds.items()]:
            if feed.is_replaced:
                log.error("The log of %s is another one than it was, or shorter: its pages are loaded anew.", feed.slug)
                del self.feeds[campaign_id]
                for socket in [held for held in self.sockets if held.feed is feed]:
                    self._cut(socket, RESEATED)

    def _drop_unused_feeds(self) -> None:
        used = {socket.feed.campaign_id for socket in self.sockets if socket.feed}
        for campaign_id, feed in list(self.feeds.items()):
            if campaign_id not in used and not feed.arriving:
                del self.feeds[campaign_id]


_managers: WeakKeyDictionary[asyncio.AbstractEventLoop, ConnectionManager] = WeakKeyDictionary()


def manager() -> ConnectionManager:
    """Return the one of the running event loop, started at its first socket."""
    loop = asyncio.get_running_loop()
    if loop not in _managers:
        _managers[loop] = ConnectionManager()
    return _managers[loop]


async def listen_for_ever(hear: Callable[[UUID], None], reconnected: Callable[[], None]) -> None:
    """Call `hear` for every notification; after each (re)connection `reconnected`, since notifications may have been missed
    before it."""
    pause = 0.1
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**where(), autocommit=True) as link:
                await link.execute(f"LISTEN {CHANNEL}; LISTEN {DRAFTS}")
                pause = 0.1
                reconnected()
                async for notice in link.notifies():
                    with suppress(ValueError):  # anybody with an account in the database may use the channel
                        drafts.heard(notice.payload) if notice.channel == DRAFTS else hear(UUID(notice.payload))
        except psycopg.Error as error:
            # The poller continues: until then events come up to two seconds later, and none is lost.
            log.warning("The connection for notifications is gone (%s); trying again.", type(error).__name__)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)
