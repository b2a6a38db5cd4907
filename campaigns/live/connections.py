"""A process's side of the live table: its feeds, its open sockets, and what keeps them true.

The listener makes delivery fast; the poller makes it certain: every two seconds each feed pulls, each socket's right to be here
is looked up again, and sockets that have fallen silent are cut.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from contextvars import Context
from typing import Any, NamedTuple, Protocol, TypeAlias
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from campaigns.access import Claim, viewers_by_link, viewers_of
from campaigns.live import drafts, presence
from campaigns.live import notifications as notifications
from campaigns.live.campaign_feed import CampaignFeed, behind, open_feeds
from campaigns.live.notifications import CHANNEL, DRAFTS, where
from campaigns.live.presence import PresenceUpdates, Told
from campaigns.live.socket_writer import GONE, RESEATED, SILENT
from campaigns.metrics import CUT, FEEDS, SOCKETS
from campaigns.models import ApiToken, Campaign, Membership, Viewer
from people.sessions import going_on, live

# Admission of sockets: those that ask at about the same time are looked up together, so that a thousand reconnecting
# at once cost a few queries and not some for each.
#
# Requests during a lookup form the next batch: a single socket waits for nothing, and a crowd waits here, where nobody is
# cut for being silent.


class Bearer(NamedTuple):
    """A program that comes with a token, by the token's hash."""

    hash: str


class Link(NamedTuple):
    """A page that only uses the spectator link, whoever is signed in in its browser: the overlay of a stream. By the
    hash of the link's token.
    """

    hash: str


Credential: TypeAlias = str | Bearer | Link | None
"""A client's credential: the key of a browser's session, a token, the spectator link, or nothing."""


def find_viewers(asked: Sequence[tuple[str, Credential]]) -> list[Viewer | None]:
    """Return the viewers of these (slug, credential) as pages and routes would find them; None for those who do not belong there.

    However many ask, that is one query for sessions, one for tokens, one for links and one for members. Two more are for those
    who look on without being members: one for the campaigns, and one for the accounts of those among them who have one.
    """
    by_session = iter(_by_session([(slug, held) for slug, held in asked if not isinstance(held, (Bearer, Link))]))
    tokens = _good(held for _, held in asked)
    by_link = viewers_by_link(held.hash for _, held in asked if isinstance(held, Link))

    def found(held: Credential) -> Viewer | None:
        if isinstance(held, Bearer):
            return tokens[held].viewer if held in tokens else None
        return by_link.get(held.hash) if isinstance(held, Link) else next(by_session)

    viewers = [(slug, found(held)) for slug, held in asked]
    return [viewer if viewer and viewer.campaign.slug == slug else None for slug, viewer in viewers]


def _good(credentials: Iterable[Credential]) -> dict[Bearer, ApiToken]:
    hashes = {held.hash for held in credentials if isinstance(held, Bearer)}
    tokens = ApiToken.objects.good(timezone.now()).with_members().filter(hash__in=hashes) if hashes else ()
    return {Bearer(token.hash): token for token in tokens}


def _by_session(asked: Sequence[tuple[str, str | None]]) -> list[Viewer | None]:
    if not asked:
        return []
    sessions = live(key for _, key in asked if key)
    claims = [_claim(slug, sessions.get(key or "", {})) for slug, key in asked]
    viewers = viewers_of(claims)
    users = _users(claims, viewers)
    nobody = []
    for place, claim in enumerate(claims):
        if claim.user_id is None or viewers[place] is None:
            continue
        user = users.get(claim.user_id)
        if user is None or not user.is_active:
            nobody.append(place)
        elif not _is_proven(user, claim.session):
            viewers[place] = None
    # A deactivated person counts as nobody, which a link may have made of them.
    for place in nobody:
        (viewers[place],) = viewers_of([claims[place]._replace(user_id=None)])
    return viewers


def _claim(slug: str, session: dict[str, Any]) -> Claim:
    signed_in = SESSION_KEY in session and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    return Claim(get_user_model()._meta.pk.to_python(session[SESSION_KEY]) if signed_in else None, session, slug)


def _users(claims: Sequence[Claim], viewers: Sequence[Viewer | None]) -> dict[int | None, Any]:
    """Return the accounts of those who have a viewer."""
    members = [viewer.real or viewer.membership for viewer in viewers if viewer]
    users: dict[int | None, Any] = {member.user_id: member.user for member in members if member}
    others = {claim.user_id for claim, viewer in zip(claims, viewers, strict=True) if viewer} - {None, *users}
    return users | (get_user_model().objects.in_bulk(others) if others else {})


def _is_proven(user: Any, session: dict[str, Any]) -> bool:
    """Return whether the session's sign-in was made with the user's current password."""
    proof = session.get(HASH_SESSION_KEY, "")
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(proof, known) for known in hashes)


def lost_viewers(viewers: Iterable[tuple[Viewer, Credential]]) -> dict[int, int]:
    """Return which of these (viewer, credential) pairs are no longer valid: their positions, each with the code to close
    the socket with.

    GONE: removed, signed out, or switched off, with a token that was revoked or expired, or without the spectator link
    or sample table they came by. RESEATED: in another role or with another password, so the page has to be loaded again.
    """
    sockets = list(viewers)
    sessions = going_on(key for _, key in sockets if isinstance(key, str) and key)
    tokens = _good(credential for _, credential in sockets)
    people = {member.pk for viewer, _ in sockets for member in _members(viewer)}
    here = Membership.objects.active().filter(pk__in=people)
    now = {pk: (role, password) for pk, role, password in here.values_list("pk", "role", "user__password")}
    switched_off = set(here.filter(user__is_active=False).values_list("pk", flat=True))
    watching = {viewer.campaign.pk for viewer, _ in sockets if not _members(viewer)}
    doors = {
        pk: door for pk, *door in Campaign.objects.filter(pk__in=watching).values_list("pk", "watch_hash", "is_sample")
    }
    gone = {}
    for position, (viewer, key) in enumerate(sockets):
        signed_out = key not in tokens if isinstance(key, Bearer) else isinstance(key, str) and key not in sessions
        unlinked = not _members(viewer) and _is_shut(viewer.campaign, *doors.get(viewer.campaign.pk, ("", False)))
        # A GM may see the campaign as someone who cannot sign in.
        shut_out = any(member.pk in switched_off for member in _members(viewer)[-1:])
        if signed_out or unlinked or shut_out or any(member.pk not in now for member in _members(viewer)):
            gone[position] = GONE
        elif any(now[member.pk] != (member.role, member.user and member.user.password) for member in _members(viewer)):
            gone[position] = RESEATED
    return gone


def _is_shut(seen: Campaign, watch_hash: str, is_sample: bool) -> bool:
    """Return whether viewers who are not members may watch no more. `seen` is the campaign as it was when they were admitted.

    Those who came by the link to a former sample table are cut off too, and admitted again when they load the page.
    """
    return not is_sample and (seen.is_sample or watch_hash != seen.watch_hash)


def _members(viewer: Viewer) -> list[Membership]:
    """Return the viewer's membership and, last, the GM's own in a preview; [] for those who only watch."""
    return [member for member in (viewer.membership, viewer.real) if member]


AT_ONCE = 200
"""The most in one batch: in a larger one the first of a thousand would wait as long as the last."""


class Applicant(Protocol):
    """A socket that asks to follow a campaign: its slug, its credential, and its page's position."""

    slug: str
    credential: Credential
    since: Mapping[str, int]

    def admit(self, feed: CampaignFeed, head: int, viewer: Viewer) -> None:
        """Admit the applicant. `head` is the feed's head *before* the viewer was looked up (see SocketWriter)."""


Entering = Callable[[set[str]], AbstractAsyncContextManager[Mapping[str, CampaignFeed]]]
Entry = tuple[Applicant, asyncio.Future[None]]


class AdmissionQueue:
    """`entering` gives the feeds of those of these slugs that are campaigns, and keeps them for as long as it is entered."""

    def __init__(self, entering: Entering) -> None:
        self._entering = entering
        self._waiting: deque[Entry] = deque()
        self._working: asyncio.Task[None] | None = None

    async def ask(self, applicant: Applicant) -> None:
        """Wait until it was admitted, or was found not to belong there. Raises what the database raises."""
        answered = asyncio.get_running_loop().create_future()
        self._waiting.append((applicant, answered))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        await answered

    def close(self) -> None:
        if self._working:
            self._working.cancel()

    async def _work(self) -> None:
        try:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
                if waiting := [applied for applied in batch if not applied[1].done()]:
                    await self._answer(waiting)
        finally:
            self._working = None

    async def _answer(self, batch: Sequence[Entry]) -> None:
        try:
            await self._admit(batch)
        except Exception as error:
            for _, answered in batch:
                if not answered.done():
                    answered.set_exception(error)

    async def _admit(self, batch: Sequence[Entry]) -> None:
        async with self._entering({applicant.slug for applicant, _ in batch}) as feeds:
            for applicant, _ in batch:
                feed = feeds.get(applicant.slug)
                # A page that was drawn a moment ago may know more than a feed that waits for its notification.
                if feed and feed.is_behind(applicant.since):
                    await feed.pull()
            heads, viewers = await _looked_up(feeds, batch)
            for (applicant, answered), viewer in zip(batch, viewers, strict=True):
                # A client that has gone no longer waits.
                if answered.done():
                    continue
                if viewer and applicant.slug in feeds:
                    applicant.admit(feeds[applicant.slug], heads[applicant.slug], viewer)
                answered.set_result(None)


async def _looked_up(
    feeds: Mapping[str, CampaignFeed], batch: Sequence[Entry]
) -> tuple[dict[str, int], list[Viewer | None]]:
    """Return the heads of these feeds, and the viewers as looked up after reading them.

    Both are read again if somebody lost access in the meantime.
    """
    while True:
        stood = {slug: (feed.head, feed.doors) for slug, feed in feeds.items()}
        viewers = await _viewers([(applicant.slug, applicant.credential) for applicant, _ in batch])
        if all(feeds[slug].doors == doors for slug, (_, doors) in stood.items()):
            return {slug: head for slug, (head, _) in stood.items()}, viewers


@database_sync_to_async
def _viewers(asked: Sequence[tuple[str, Credential]]) -> list[Viewer | None]:
    return find_viewers(asked)


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
    credential: Credential

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
        gone = await database_sync_to_async(lost_viewers)([(viewer, socket.credential) for socket, viewer in held])
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
