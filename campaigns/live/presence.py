"""Who is at the table now: one row for each open socket, renewed while it lives. Several tabs of one person count once.

Rows are dated by the database, which all processes share: those of a server whose clock is behind would count as dead at others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from campaigns.models import Membership, Presence
from database.compiled import Parameter, compiled
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
    return _at_tables([campaign_id], _at_table.rows(campaign=campaign_id))[campaign_id]


def at_tables_now(campaign_ids: Collection[UUID]) -> dict[UUID, dict[str, Any]]:
    """The same of each of these campaigns, in one query."""
    return _at_tables(campaign_ids, _whose(alive(*campaign_ids)))


def _at_tables(campaign_ids: Collection[UUID], sockets: Iterable[Presence]) -> dict[UUID, dict[str, Any]]:
    found: dict[UUID, dict[str, Any]] = {one: {"people": [], "watching": 0} for one in campaign_ids}
    seen: set[int] = set()
    for socket in sockets:
        m = socket.membership
        if m is None:
            found[socket.campaign_id]["watching"] += 1
        elif m.left_at is None and m.pk not in seen:
            person = {"member": m.pk, "name": m.name, "initials": initials(m.name), "colour": m.colour}
            found[socket.campaign_id]["people"].append(person)
            seen.add(m.pk)
    return found


def alive(*campaign_ids: UUID) -> QuerySet[Presence]:
    """The rows of sockets that are open now at these tables."""
    return _seen_lately(Presence.objects.filter(campaign__in=campaign_ids))


@compiled(campaign=models.UUIDField())
def _at_table(campaign: Parameter) -> QuerySet[Presence]:
    return _whose(_seen_lately(Presence.objects.filter(campaign=campaign)))


def _seen_lately(rows: QuerySet[Presence]) -> QuerySet[Presence]:
    return rows.filter(seen_at__gt=Now() - timedelta(seconds=GONE_AFTER))


def _whose(sockets: QuerySet[Presence]) -> QuerySet[Presence]:
    return sockets.select_related("membership__user").order_by("membership")


def initials(name: str) -> str:
    """Two letters for a token: of the first two words, else the first two of the name."""
    words = name.split()
    return (words[0][0] + words[1][0] if len(words) > 1 else name[:2]).upper()
