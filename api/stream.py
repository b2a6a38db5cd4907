"""Events as they happen, as Server-Sent Events: the feed of the sockets, drawn for programs, with the same limits.

It is served beside Django (config/application.py), where a request would hold a thread, and a database connection, for
as long as the client listens.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import parse_qs
from uuid import UUID

from channels.db import database_sync_to_async
from django.db import DatabaseError, InterfaceError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from api.auth import count, good_token
from api.problems import CONTENT_TYPE, NO_TOKEN, body_of
from campaigns.access import token_hash
from campaigns.consumers import let_go
from campaigns.errors import NotFound, RateLimited
from campaigns.live.campaign_feed import CampaignFeed, Frame, Readers
from campaigns.live.connections import Bearer, Credential, manager
from campaigns.live.socket_writer import GONE, LATER, RESEATED, SILENT_AFTER, Closed, SocketWriter
from campaigns.middleware import AWAY
from campaigns.models import Viewer
from people.middleware import language_of, language_of_browser

log = logging.getLogger(__name__)

PATH: Final = re.compile(r"/api/v1/campaigns/(?P<slug>[-a-zA-Z0-9_]{1,80})/events/stream")
MOST_STREAMS: Final = 10
"""The most streams of one token in each process."""
LONGEST_POSITION: Final = 40_000  # characters: every stream of a very large table
RETRY: Final = "retry: 3000\n\n"

ENDS: Final = {
    GONE: (404, gettext_lazy("There is nothing here.")),
    RESEATED: (
        409,
        gettext_lazy(
            "This token’s role has changed, or it is too far behind. Read the streams, then follow from there."
        ),
    ),
    LATER: (503, AWAY),
}

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]


class EventStreams:
    """ASGI: answers requests for the events of a campaign as they happen; all others go on to `app`."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
        match = PATH.fullmatch(scope["path"]) if scope["method"] == "GET" else None
        if match is None:
            await self.app(scope, receive, send)
        else:
            await EventStream(match["slug"], scope, send).run(receive)


class EventWriter(SocketWriter):
    """Sends events to one program. Everything that it took counts as received, as it sends no acknowledgement: one that
    does not read is noticed when nothing more can be sent.
    """

    def __init__(self, feed: CampaignFeed, head: int, viewer: Viewer, send: Callable[[str], Awaitable[None]]) -> None:
        user = viewer.membership.user if viewer.membership else None
        language = language_of(user.language if user else "")
        super().__init__(feed, head, viewer, Readers(viewer.role, language, are_programs=True), send)
        self._position: dict[str, int] = {}
        self._sending_since: float | None = None

    async def run(self, since: Mapping[str, int], hashes: Mapping[str, str] | None = None) -> None:
        """Send what comes after `since`; without it, what comes from now on."""
        self._position = dict(since) or self.feed.heads_for(self.viewer)
        await super().run(self._position)

    def tell_present(self) -> None:
        """Do nothing: only pages show who is present."""

    def tell_places(self) -> None:
        """Do nothing: only pages show where people are writing."""

    def tell_draft(self, text: str) -> None:
        """Do nothing: only pages show what is being written."""

    def beat(self) -> None:
        """Send the heads of the streams, and whether play is paused."""
        said = {"heads": self.feed.heads_for(self.viewer), "paused": str(self.feed.paused)}
        self._asides.append(f"event: beat\ndata: {json.dumps(said)}\n\n")
        self.wake()

    @property
    def is_silent(self) -> bool:
        """Return whether the client has taken nothing for too long."""
        return self._sending_since is not None and time.monotonic() - self._sending_since > SILENT_AFTER

    async def _show(self, frame: Frame) -> None:
        if frame.is_seen_by(self.viewer):
            self._position[frame.stream] = frame.seq
            await self._put(f"event: event\ndata: {frame.texts[self.readers]}\n\n")

    async def _put(self, text: str) -> None:
        self._sending_since = time.monotonic()
        # As it is now: between a beat and its turn others may have been sent.
        await self._send(f"id: {written(self._position)}\n{text}")
        self._sending_since = None


class EventStream:
    """One program that listens, kept true by the connection manager like a socket (campaigns/consumers.py)."""

    feed: CampaignFeed | None = None
    viewer: Viewer | None = None
    presence_id: UUID | None = None
    _writer: EventWriter | None = None
    _following: asyncio.Task[None] | None = None

    def __init__(self, slug: str, scope: Message, send: Send) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        scheme, _, self.token = headers.get(b"authorization", "").partition(" ")
        self.token = self.token if scheme.lower() == "bearer" else ""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        self.since: Mapping[str, int] = read(headers.get(b"last-event-id") or query.get("after", [""])[0])
        self.slug = slug
        # That of the token's owner, once it is known.
        self.language = language_of_browser(headers.get(b"accept-language", ""))
        self.credential: Credential = Bearer(token_hash(self.token))
        self._send = send
        self._board = manager()

    async def run(self, receive: Callable[[], Awaitable[Message]]) -> None:
        """Send events until either side ends the stream."""
        if refusal := await self._refusal():
            await self._refuse(*refusal)
            return
        self._board.sockets.add(self)
        try:
            with suppress(DatabaseError, InterfaceError):
                await self._board.admission.ask(self)
            if self._writer is None:
                # Gone in this moment, or the database is.
                await self._refuse(503, AWAY)
                return
            await self._begin()
            self._following = asyncio.create_task(self._follow(self._writer))
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self._board.sockets.discard(self)
            self.stop()

    def admit(self, feed: CampaignFeed, head: int, viewer: Viewer) -> None:
        """Start to follow the feed as this viewer; `head` is the feed's head from before the viewer was looked up."""
        self.feed, self.viewer = feed, viewer
        self._writer = EventWriter(feed, head, viewer, self._send_text)

    def stop(self) -> None:
        """Send no more events, from this moment on."""
        if self._following:
            self._following.cancel()

    async def say_goodbye(self, code: int) -> None:
        """End it from this side, whether or not its client reads that."""
        let_go(self._send)
        status, detail = ENDS.get(code, ENDS[LATER])
        with translation.override(self.language):
            end = f"event: end\ndata: {json.dumps(body_of(status, detail))}\n\n"
        with suppress(RuntimeError, OSError):  # it has just ended by itself
            await self._send({"type": "http.response.body", "body": end.encode(), "more_body": False})

    def beat(self) -> None:
        if self._writer:
            self._writer.beat()

    @property
    def is_silent(self) -> bool:
        return self._writer is not None and self._writer.is_silent

    async def _refusal(self) -> tuple[int, object] | None:
        """Return the status and message of a refusal; None if the client is let in."""
        try:
            token = await database_sync_to_async(good_token)(self.token)
            if token is None:
                return 401, NO_TOKEN
            self.language = language_of(token.membership.user.language)
            translation.activate(self.language)
            count(token)
        except (DatabaseError, InterfaceError):
            return 503, AWAY
        except RateLimited as error:
            return 429, error.message
        if token.membership.campaign.slug != self.slug:
            return 404, NotFound().message
        of_token = [held for held in self._board.sockets if held.credential == self.credential]
        if len(of_token) >= MOST_STREAMS:
            return 429, _("This token already follows the table {count} times.").format(count=MOST_STREAMS)
        return None

    async def _refuse(self, status: int, detail: object) -> None:
        headers = [(b"content-type", CONTENT_TYPE.encode()), (b"cache-control", b"no-store")]
        headers += {401: [(b"www-authenticate", b"Bearer")], 429: [(b"retry-after", b"10")]}.get(status, [])
        with translation.override(self.language):
            body = json.dumps(body_of(status, detail)).encode()
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})

    async def _begin(self) -> None:
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
            (b"x-content-type-options", b"nosniff"),
        ]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._send_text(RETRY)

    async def _follow(self, writer: EventWriter) -> None:
        code = LATER
        try:
            await writer.run(self.since)
        except Closed as closed:
            code = closed.code
        except OSError:
            return  # the client has just gone
        except (DatabaseError, InterfaceError) as error:
            log.warning("Could not read the log for a program (%s); it may come back.", type(error).__name__)
        except Exception:
            log.exception("A stream of events failed; it may come back.")
        self._board.sockets.discard(self)
        await self.say_goodbye(code)

    async def _send_text(self, text: str) -> None:
        await self._send({"type": "http.response.body", "body": text.encode(), "more_body": True})


def written(position: Mapping[str, int]) -> str:
    """Return the position in each stream as the id of an event: "member:5=3,table=17"."""
    return ",".join(f"{name}={seq}" for name, seq in sorted(position.items()))


def read(sent: str) -> dict[str, int]:
    """Return the position in each stream that a program sent; parts that cannot be read are left out."""
    pairs = (pair.partition("=") for pair in sent[:LONGEST_POSITION].split(","))
    return {name: int(seq) for name, _, seq in pairs if seq.isascii() and seq.isdigit() and len(seq) < 19}
