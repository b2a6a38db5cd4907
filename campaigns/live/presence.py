"""Who is at the table now: one row for each open socket, renewed while it lives. Several tabs of one person count once.

Rows are dated by the database, which all processes share: those of a server whose clock is behind would count as dead at others.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.utils import timezone

from campaigns.models import Membership, Presence

GONE_AFTER = 30  # seconds: a process that was killed leaves rows behind; after this they count no more


def arrive(campaign_id: UUID, member_id: int | None) -> UUID:
    """A socket opens. Its row's id."""
    row = Presence.objects.create(campaign_id=campaign_id, membership_id=member_id, seen_at=Now())
    return row.pk


def leave(row_id: UUID) -> None:
    """A socket closes: until now its member was here."""
    row = Presence.objects.filter(pk=row_id)
    Membership.objects.filter(pk__in=row.values("membership")).update(here_at=timezone.now())
    row.delete()


def renew(row_ids: Iterable[UUID]) -> None:
    """These sockets still live; rows long dead are swept away."""
    Presence.objects.filter(pk__in=list(row_ids)).update(seen_at=Now())
    Presence.objects.filter(seen_at__lt=Now() - timedelta(seconds=20 * GONE_AFTER)).delete()


def at_table_now(campaign_id: UUID) -> dict[str, Any]:
    """{"people": [{"member", "name", "initials", "colour"}], "watching": number of those who came by the spectator link}."""
    sockets = alive(campaign_id)
    members = (
        Membership.objects.active().select_related("user").filter(pk__in=sockets.values("membership")).order_by("pk")
    )
    people = [{"member": m.pk, "name": m.name, "initials": initials(m.name), "colour": m.colour} for m in members]
    return {"people": people, "watching": sockets.filter(membership=None).count()}


def alive(campaign_id: UUID) -> QuerySet[Presence]:
    """The rows of sockets that are open now."""
    return Presence.objects.filter(campaign=campaign_id, seen_at__gt=Now() - timedelta(seconds=GONE_AFTER))


def render(campaign_id: UUID) -> str:
    return render_to_string("campaigns/_presence.html", at_table_now(campaign_id))


def initials(name: str) -> str:
    """Two letters for a token: of the first two words, else the first two of the name."""
    words = name.split()
    return (words[0][0] + words[1][0] if len(words) > 1 else name[:2]).upper()
