"""Who is at the table now: one row for each open socket, renewed while it lives. Several tabs of one person count once.

Rows are dated by the database, which all processes share: those of a server whose clock is behind would count as dead at others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from campaigns.models import Membership, Presence
from database.fullness import write_unless_full

GONE_AFTER = 30  # seconds: a process that was killed leaves rows behind; after this they count no more


def arrive(rows: Iterable[Presence]) -> None:
    """Sockets open, now. Rows that are there already stay as they are."""
    opened = list(rows)
    for row in opened:
        row.seen_at = Now()  # the database's own time
    Presence.objects.bulk_create(opened, ignore_conflicts=True)


def leave(*row_ids: UUID) -> None:
    """Sockets close: until now their members were here."""
    if not row_ids:
        return
    rows = Presence.objects.filter(pk__in=row_ids)
    Membership.objects.filter(pk__in=rows.values("membership")).update(here_at=timezone.now())
    rows.delete()


def renew(row_ids: Iterable[UUID]) -> None:
    """These sockets still live; rows long dead are swept away."""
    rows = Presence.objects.filter(pk__in=list(row_ids))
    write_unless_full("who is at the tables", lambda: (rows.update(seen_at=Now()), sweep()))


def sweep() -> int:
    """Delete the rows of sockets whose process was killed long ago. How many they were."""
    return Presence.objects.filter(seen_at__lt=Now() - timedelta(seconds=20 * GONE_AFTER)).delete()[0]


def at_table_now(campaign_id: UUID) -> dict[str, Any]:
    """{"people": [{"member", "name", "initials", "colour"}], "watching": number of those who came by the spectator link}."""
    return at_tables_now([campaign_id])[campaign_id]


def at_tables_now(campaign_ids: Collection[UUID]) -> dict[UUID, dict[str, Any]]:
    """Return the same for each of these campaigns, in one query."""
    tables: dict[UUID, dict[str, Any]] = {campaign_id: {"people": [], "watching": 0} for campaign_id in campaign_ids}
    listed: set[int] = set()
    for socket in alive(*campaign_ids).select_related("membership__user").order_by("membership"):
        table, member = tables[socket.campaign_id], socket.membership
        if member is None:
            table["watching"] += 1
        elif member.left_at is None and member.pk not in listed:
            person = {"member": member.pk, "name": member.name, "colour": member.colour}
            table["people"].append(person | {"initials": initials(member.name)})
            listed.add(member.pk)
    return tables


def alive(*campaign_ids: UUID) -> QuerySet[Presence]:
    """The rows of sockets that are open now at these tables."""
    return Presence.objects.filter(campaign__in=campaign_ids, seen_at__gt=Now() - timedelta(seconds=GONE_AFTER))


def initials(name: str) -> str:
    """Two letters for a token: of the first two words, else the first two of the name."""
    words = name.split()
    return (words[0][0] + words[1][0] if len(words) > 1 else name[:2]).upper()
