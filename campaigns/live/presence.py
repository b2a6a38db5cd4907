"""Keep who is at the table now: one row for each open socket, renewed while it lives. Several tabs of one person count once.

Rows are dated by the database, which all processes share: those of a server whose clock is behind would count as dead at others.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from channels.db import database_sync_to_async
from django.core import signing
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from campaigns.models import Membership, Presence, Stream, Viewer
from database.fullness import write_unless_full

GONE_AFTER = 30  # seconds: a process that was killed leaves rows behind; after this they count no more


SHOWN = (
    "campaign",
    *(
        f"membership__{name}"
        for name in ("left_at", "role", "called", "alike", "user__username", "user__display_name", "user__colour")
    ),
)
"""The columns that are read of those present: every live page asks for them."""


def arrive(rows: Iterable[Presence]) -> None:
    """Store newly opened sockets with the database's time. Existing rows stay as they are."""
    opened = list(rows)
    for row in opened:
        row.seen_at = Now()  # the database's own time
    Presence.objects.bulk_create(opened, ignore_conflicts=True)


def leave(*row_ids: UUID) -> None:
    """Delete closed sockets, and note that their members were here until now."""
    if not row_ids:
        return
    rows = Presence.objects.filter(pk__in=row_ids)
    Membership.objects.filter(pk__in=rows.values("membership")).update(here_at=timezone.now())
    rows.delete()


def renew(row_ids: Iterable[UUID]) -> None:
    """Renew the rows of sockets that still live; rows long dead are swept away."""
    rows = Presence.objects.filter(pk__in=list(row_ids))
    write_unless_full("who is at the tables", lambda: (rows.update(seen_at=Now()), sweep()))


def sweep() -> int:
    """Delete the rows of sockets whose process was killed long ago. How many they were."""
    return Presence.objects.filter(seen_at__lt=Now() - timedelta(seconds=20 * GONE_AFTER)).delete()[0]


def at_table_now(campaign_id: UUID) -> dict[str, Any]:
    """Return {"people": [{"member", "name", "initials", "colour", "role"}], "watching": viewers by the spectator link}."""
    return at_tables_now([campaign_id])[campaign_id]


def at_tables_now(campaign_ids: Collection[UUID]) -> dict[UUID, dict[str, Any]]:
    """Return the same for each of these campaigns, in one query."""
    tables: dict[UUID, dict[str, Any]] = {campaign_id: {"people": [], "watching": 0} for campaign_id in campaign_ids}
    listed: set[int] = set()
    sockets = alive(*campaign_ids).select_related("membership__user").only(*SHOWN)
    for socket in sockets.order_by("membership"):
        table, member = tables[socket.campaign_id], socket.membership
        if member is None:
            table["watching"] += 1
        elif member.left_at is None and member.pk not in listed:
            person = {"member": member.pk, "name": member.name, "colour": member.colour, "role": member.role}
            table["people"].append(person | {"initials": initials(member.name)})
            listed.add(member.pk)
    return tables


def alive(*campaign_ids: UUID) -> QuerySet[Presence]:
    """Return the rows of sockets that are open now at these tables."""
    return Presence.objects.filter(campaign__in=campaign_ids, seen_at__gt=Now() - timedelta(seconds=GONE_AFTER))


def initials(name: str) -> str:
    """Return two letters for a token: of the first two words, else the first two of the name."""
    words = name.split()
    return (words[0][0] + words[1][0] if len(words) > 1 else name[:2]).upper()


SALT = "place"
FIELD = re.compile(r"[\w./-]{1,120}")
LONGEST_TOKEN = 2000


def token(campaign_id: UUID, subject: str, streams: Iterable[str]) -> str:
    """Sign a token for a page on which `subject` ("character:<id>") is edited, for readers of one of `streams`."""
    # Without a time in it: a page that shows the same is the same, byte for byte.
    return signing.Signer(salt=SALT).sign_object([str(campaign_id), subject, sorted(streams)], compress=True)


def read(campaign_id: UUID, message: Any) -> dict[str, Any] | None:
    """Return the place that a client says it is at: {"token", "field"}. None for nowhere, and for what no page has given it."""
    if not isinstance(message, dict):
        return None
    address, field = message.get("token"), message.get("field")
    if not isinstance(address, str) or len(address) > LONGEST_TOKEN or not isinstance(field, str):
        return None
    if not FIELD.fullmatch(field):
        return None
    try:
        campaign, subject, streams = signing.Signer(salt=SALT).unsign_object(address)
    except (signing.BadSignature, ValueError):
        return None
    return {"subject": subject, "field": field, "streams": streams} if campaign == str(campaign_id) else None


def stand(row_id: UUID, place: dict[str, Any] | None) -> None:
    """Note where the socket with this row of Presence is writing now."""
    Presence.objects.filter(pk=row_id).update(place=place)


def places(*campaign_ids: UUID) -> dict[UUID, list[dict[str, Any]]]:
    """Return where people are writing, at each of these tables: [{"member", "name", "subject", "field", "streams"}]."""
    by_campaign: dict[UUID, list[dict[str, Any]]] = {campaign_id: [] for campaign_id in campaign_ids}
    for row in alive(*campaign_ids).exclude(place=None).select_related("membership__user").order_by("pk"):
        if row.membership and row.place:
            place = {"member": row.membership.number, "name": row.membership.name, **row.place}
            by_campaign[row.campaign_id].append(place)
    return by_campaign


def seen_by(viewer: Viewer, everywhere: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return those that this viewer may know of, without their streams."""
    return [
        {name: value for name, value in place.items() if name != "streams"}
        for place in everywhere
        if viewer.streams is None or not set(viewer.streams).isdisjoint(place["streams"])
    ]


log = logging.getLogger(__name__)

TOLD_EVERY = 0.5  # seconds

Told = dict[UUID, tuple[dict[str, Any], list[dict[str, Any]]]]
"""By campaign: who is present (as in `at_table_now`), and where they are writing."""


@dataclass
class Changes:
    """Changes of rows of Presence, by id, and the campaigns in which something changes."""

    came: dict[UUID, Presence] = field(default_factory=dict)
    went: set[UUID] = field(default_factory=set)
    stood: dict[UUID, dict[str, Any] | None] = field(default_factory=dict)
    campaigns: set[UUID] = field(default_factory=set)


class PresenceUpdates:
    """Changes of presence that wait to be sent; `tell` is called with those of each campaign."""

    def __init__(self, tell: Callable[[Told], None]) -> None:
        self._tell = tell
        self._changes = Changes()
        self._changed = asyncio.Event()
        self._written = asyncio.Event()
        self._ended = False

    def come(self, campaign_id: UUID, member_id: int | None) -> UUID:
        """Note that a socket opens; return the id of its row, which is soon there."""
        row = Presence(campaign_id=campaign_id, membership_id=member_id)
        self._changes.came[row.pk] = row
        self._note(campaign_id)
        return row.pk

    async def go(self, campaign_id: UUID, row_id: UUID) -> None:
        """Note that a socket closes; return when that is written, or will not be any more."""
        self._changes.went.add(row_id)
        self._note(campaign_id)
        if not self._ended:
            await self._written.wait()

    def stand(self, campaign_id: UUID, row_id: UUID, place: dict[str, Any] | None) -> None:
        """Note that a person begins to write at a place of their page, or stops (None)."""
        self._changes.stood[row_id] = place
        self._note(campaign_id)

    def look_again(self, campaign_ids: Iterable[UUID]) -> None:
        """Check who is at these tables again: other processes may have changed it."""
        for campaign_id in campaign_ids:
            self._note(campaign_id)

    async def run(self) -> None:
        """Write and send the changes, for as long as the process lives."""
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
        arrive(changes.came.values())
        for row_id, place in changes.stood.items():
            stand(row_id, place)
        leave(*changes.went)
    here, writing = at_tables_now(changes.campaigns), places(*changes.campaigns)
    return {campaign_id: (here[campaign_id], writing[campaign_id]) for campaign_id in changes.campaigns}


def follow(viewer: Viewer, token: str = "") -> dict[str, Any]:
    """Return the context of a live page: `live` ({"url" of the socket, "heads": JSON of stream -> number, "hashes": of
    stream -> its hash}) and `presence`. The socket is the user's, or with a `token` that of the spectator link.

    Call it before reading anything else: events that happen after it are then sent again, and drawing one twice is harmless.
    """
    # In a fixed order: the physical order of rows would reveal activity in other streams.
    streams = Stream.objects.filter(campaign=viewer.campaign).order_by("name").values_list("name", "seq", "head")
    known = [stream for stream in streams if viewer.streams is None or stream[0] in viewer.streams]
    heads, hashes = {name: seq for name, seq, _ in known}, {name: head for name, seq, head in known if seq}
    url = f"/c/{viewer.campaign.slug}/live/{f'{token}/' if token else ''}"
    return {
        "live": {"url": url, "heads": json.dumps(heads), "hashes": json.dumps(hashes)},
        "presence": at_table_now(viewer.campaign.pk),
    }
