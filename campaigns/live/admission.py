"""Letting sockets in: those that ask at about the same time are looked up together, so that a thousand that come back at once
cost a few queries and not some for each.

What asks while a batch is looked up is the next batch: one socket alone waits for nothing, and a crowd waits here, where nobody
is cut for being silent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from channels.db import database_sync_to_async

from campaigns.live import viewers as viewers
from campaigns.live.campaign_feed import CampaignFeed
from campaigns.models import Viewer

AT_ONCE = 200
"""The most in one batch: in a larger one the first of a thousand would wait as long as the last."""


class Applicant(Protocol):
    """A socket that asks to follow a campaign: its slug, the key of the browser's session, and where its page stands."""

    slug: str
    session_key: str | None
    since: Mapping[str, int]

    def admit(self, feed: CampaignFeed, head: int, viewer: Viewer) -> None:
        """`head` is that of the feed *before* the viewer was looked up (see SocketWriter)."""


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
                # Who has gone meanwhile waits no more.
                if answered.done():
                    continue
                if viewer and applicant.slug in feeds:
                    applicant.admit(feeds[applicant.slug], heads[applicant.slug], viewer)
                answered.set_result(None)


async def _looked_up(
    feeds: Mapping[str, CampaignFeed], batch: Sequence[Entry]
) -> tuple[dict[str, int], list[Viewer | None]]:
    """The heads of these feeds, and who asks, as found after that; and found anew where a door was shut meanwhile, as those who
    are here were."""
    while True:
        stood = {slug: (feed.head, feed.doors) for slug, feed in feeds.items()}
        viewers = await _viewers([(applicant.slug, applicant.session_key) for applicant, _ in batch])
        if all(feeds[slug].doors == doors for slug, (_, doors) in stood.items()):
            return {slug: head for slug, (head, _) in stood.items()}, viewers


@database_sync_to_async
def _viewers(asked: Sequence[tuple[str, str | None]]) -> list[Viewer | None]:
    return viewers.find(asked)
