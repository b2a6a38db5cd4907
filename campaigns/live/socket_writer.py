"""A socket writer sends one socket what it may see, in order, from the client's position.

First connection, reconnection and ordinary delivery are the same loop. A client that does not acknowledge gets only so
much, and is cut after a while, so that it costs little and delays nobody.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.utils import translation

from campaigns.live import presence as places
from campaigns.live.campaign_feed import CampaignFeed, Frame, Readers
from campaigns.models import Viewer

UNACKNOWLEDGED = 64  # frames sent and not yet acknowledged
CATCH_UP = 300  # events; a client further behind reloads the page
SILENT_AFTER = 18  # seconds without a word from a client that was asked for one
ANSWERED_IN = 5  # seconds that it has at least, where it was asked late

# Close codes, for live.js
GONE = 4404  # no such table for this person (any more)
RESEATED = 4409  # still a member, but in another role, or the log was replaced: reload the page
SILENT = 4408  # said nothing for too long: may come back
LATER = 4503  # the log cannot be read at the moment: may come back


NONE: Mapping[str, str] = {}


class Closed(Exception):
    """The socket ends here, with this code."""

    def __init__(self, code: int) -> None:
        self.code = code


class SocketWriter:
    """`head` is the feed's as it was *before* the viewer was looked up: a removal after that look has a later number, so it is
    met in the delivery; one before it has left no viewer to send to.
    """

    def __init__(
        self, feed: CampaignFeed, head: int, viewer: Viewer, readers: Readers, send: Callable[[str], Awaitable[None]]
    ) -> None:
        self.feed = feed
        self.viewer = viewer
        self.readers = readers
        self._send = send
        self._at = head
        self._sent = 0
        self._acknowledged = 0
        self._heard_at = time.monotonic()
        self._due_at: float | None = None
        self._is_waiting = False
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._asides: deque[str] = deque(maxlen=4)
        self._draft = ""
        # The people in the log who are this viewer: the member, and the one as whom a GM sees the campaign.
        self._people = [member.number for member in (viewer.real, viewer.membership) if member]

    def wake(self) -> None:
        self._news.set()

    def say(self, text: str) -> None:
        """Send something that is no event (a beat, who is present) when there is room; old ones give way to new ones."""
        self._asides.append(text)
        self.wake()

    def beat(self) -> None:
        """Send the client the heads of its streams, so that it can tell silence from loss, and whether play is paused.
        It has to answer.
        """
        if self._due_at is None:
            self._due_at = max(self._heard_at + SILENT_AFTER, time.monotonic() + ANSWERED_IN)
        with translation.override(self.readers.language):
            paused = {"paused": str(self.feed.paused)} if self.feed.paused else {}
        self.say(json.dumps({"t": "beat", "heads": self.feed.heads_for(self.viewer), **paused}))

    def tell_present(self) -> None:
        """Tell the client who is at the table."""
        self.say(self.feed.presence_frame(self.readers.language))

    def tell_places(self) -> None:
        """Tell the client where others are writing, as far as its viewer may know."""
        self.say(json.dumps({"t": "places", "places": places.seen_by(self.viewer, self.feed.places)}))

    def tell_draft(self, text: str) -> None:
        """Send the newest text that is being written for the table; older ones are skipped."""
        self._draft = text
        self.wake()

    def heard(self, received: int) -> None:
        """Note how many frames the client says it has received on this socket."""
        self._heard_at, self._due_at = time.monotonic(), None
        self._acknowledged = min(max(received, self._acknowledged), self._sent)
        self._room.set()

    @property
    def is_silent(self) -> bool:
        """Return whether the client has owed an answer for too long. It owes none while we have something to send, or
        send no beats.
        """
        return not self._is_waiting and self._due_at is not None and time.monotonic() > self._due_at

    async def run(self, since: Mapping[str, int], hashes: Mapping[str, str] = NONE) -> None:
        """Send what comes after `since` (the last number the client has of each stream; `hashes`: of these events, as far
        as it knows them) until the socket ends.

        Raises Closed when it has to end for this client.
        """
        self.feed.writers.add(self)
        try:
            await self._catch_up(since, hashes)
            while True:
                self._news.clear()
                await self._deliver()
                await self._news.wait()
        finally:
            self.feed.writers.discard(self)

    async def _catch_up(self, since: Mapping[str, int], hashes: Mapping[str, str]) -> None:
        if self.feed.is_another(self.viewer, since, hashes):
            # What the page shows was lost, in a rollback or with a backup that was restored.
            raise Closed(RESEATED)
        with self._waiting():
            missed = await self.feed.missed(self.viewer, self.readers, since, self._at, CATCH_UP)
        people = self._people
        if missed is None or any(who in (frame.removes, frame.reseats) for frame in missed for who in people):
            # Too far behind, or the page is that of the viewer they had before.
            raise Closed(RESEATED)
        for frame in missed:
            await self._show(frame)
        if self.feed.present:
            self.tell_present()
        if self.feed.places:
            self.tell_places()
        self.beat()

    async def _deliver(self) -> None:
        while True:
            frames = self.feed.after(self._at)
            if frames is None:
                raise Closed(RESEATED)
            await self._drawn(frames)
            for frame in frames:
                self._end_if_unseated(frame)
                await self._show(frame)
                self._at = frame.id
            if frames:
                continue
            if not self._asides and not self._draft:
                break
            # One at a time: a beat must not overtake events that came while the one before it waited for room.
            if self._asides:
                await self._put(self._asides.popleft())
            else:
                draft, self._draft = self._draft, ""
                await self._put(draft)

    async def _drawn(self, frames: Sequence[Frame]) -> None:
        """Draw what no other of this role has waited for when it was read."""
        mine = [frame for frame in frames if frame.is_seen_by(self.viewer)]
        if any(self.readers not in frame.texts for frame in mine):
            with self._waiting():
                await self.feed.draw(mine, self.readers)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count none of the time inside against the client, which waits for us and has nothing to say."""
        began, self._is_waiting = time.monotonic(), True
        try:
            yield
        finally:
            self._is_waiting = False
            waited = time.monotonic() - began
            self._heard_at += waited
            if self._due_at is not None:
                self._due_at += waited

    def _end_if_unseated(self, frame: Frame) -> None:
        people = self._people
        if people and frame.removes == people[0]:
            raise Closed(GONE)
        if any(who in (frame.removes, frame.reseats) for who in people):
            raise Closed(RESEATED)

    async def _show(self, frame: Frame) -> None:
        if frame.is_seen_by(self.viewer):
            await self._put(frame.texts[self.readers])

    async def _put(self, text: str) -> None:
        while self._sent - self._acknowledged >= UNACKNOWLEDGED:
            self._room.clear()
            await self._room.wait()
        self._sent += 1
        await self._send(text)
