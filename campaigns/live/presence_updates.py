"""Who comes, goes and writes at the tables of this process: written to the database and told together, at most every half second.

The first change is told at once. In a crowd, those that come within the next half second are told as one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from channels.db import database_sync_to_async
from django.db import InterfaceError, OperationalError, transaction
from django.template.loader import render_to_string

from campaigns.live import editing_presence as places
from campaigns.live import presence
from campaigns.models import Presence

log = logging.getLogger(__name__)

TOLD_EVERY = 0.5  # seconds

Told = dict[UUID, tuple[str, list[dict[str, Any]]]]
"""By campaign: how the list of those who are there looks, and where they are writing."""


@dataclass
class Changes:
    """Of rows of Presence, by id, and the campaigns in which something changes."""

    came: dict[UUID, Presence] = field(default_factory=dict)
    went: set[UUID] = field(default_factory=set)
    stood: dict[UUID, dict[str, Any] | None] = field(default_factory=dict)
    campaigns: set[UUID] = field(default_factory=set)


class PresenceUpdates:
    """`tell` is called with what has to be told of each campaign."""

    def __init__(self, tell: Callable[[Told], None]) -> None:
        self._tell = tell
        self._changes = Changes()
        self._changed = asyncio.Event()
        self._written = asyncio.Event()
        self._ended = False

    def come(self, campaign_id: UUID, member_id: int | None) -> UUID:
        """A socket opens. The id of its row, which is soon there."""
        row = Presence(campaign_id=campaign_id, membership_id=member_id)
        self._changes.came[row.pk] = row
        self._note(campaign_id)
        return row.pk

    async def go(self, campaign_id: UUID, row_id: UUID) -> None:
        """A socket closes; returns when that is written, or will not be any more."""
        self._changes.went.add(row_id)
        self._note(campaign_id)
        if not self._ended:
            await self._written.wait()

    def stand(self, campaign_id: UUID, row_id: UUID, place: dict[str, Any] | None) -> None:
        """Somebody begins to write at a place of their page, or ends (None)."""
        self._changes.stood[row_id] = place
        self._note(campaign_id)

    def look_again(self, campaign_ids: Iterable[UUID]) -> None:
        """Other processes may have written who is at these tables."""
        for campaign_id in campaign_ids:
            self._note(campaign_id)

    async def run(self) -> None:
        """For as long as the process lives."""
        try:
            while True:
                await self._changed.wait()
                await self._flush()
                await asyncio.sleep(TOLD_EVERY)
        finally:
            self._ended = True
            self._written.set()

    async def _flush(self) -> None:
        taken, written = self._changes, self._written
        self._changes, self._written = Changes(), asyncio.Event()
        self._changed.clear()
        try:
            self._tell(await _write(taken))
        except (OperationalError, InterfaceError) as error:
            log.warning("The database does not answer (%s); who is at the tables is told later.", type(error).__name__)
            self._put_back(taken)
        except Exception:
            log.exception("Who came and went could not be told.")
        finally:
            written.set()

    def _note(self, campaign_id: UUID) -> None:
        self._changes.campaigns.add(campaign_id)
        self._changed.set()

    def _put_back(self, taken: Changes) -> None:
        now = self._changes
        self._changes = Changes(
            taken.came | now.came, taken.went | now.went, taken.stood | now.stood, taken.campaigns | now.campaigns
        )
        self._changed.set()


@database_sync_to_async
def _write(changes: Changes) -> Told:
    with transaction.atomic():
        presence.arrive(changes.came.values())
        for row_id, place in changes.stood.items():
            places.stand(row_id, place)
        presence.leave(*changes.went)
    here, writing = presence.at_tables_now(changes.campaigns), places.places(*changes.campaigns)
    return {
        campaign_id: (render_to_string("campaigns/_presence.html", here[campaign_id]), writing[campaign_id])
        for campaign_id in changes.campaigns
    }
