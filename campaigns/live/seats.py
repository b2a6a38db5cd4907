"""Whether those who are connected still have their seats: looked up for all sockets of a process at once, in three queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.contrib.sessions.models import Session
from django.utils import timezone

from campaigns.models import Campaign, Membership

if TYPE_CHECKING:
    from campaigns.access import Seat


def lost(seats: Iterable[tuple[Seat, str | None]]) -> set[int]:
    """Positions of those (seat, session key) that hold no more: removed, given another role, signed out, link switched off."""
    held = list(seats)
    sessions = set(
        Session.objects.filter(
            session_key__in={key for _, key in held if key}, expire_date__gt=timezone.now()
        ).values_list("session_key", flat=True)
    )
    members = [m for seat, _ in held for m in (seat.membership, seat.real) if m]
    roles = dict(Membership.objects.here().filter(pk__in={m.pk for m in members}).values_list("pk", "role"))
    watching = {seat.campaign.pk for seat, _ in held if _came_by_link(seat)}
    links = dict(Campaign.objects.filter(pk__in=watching).values_list("pk", "watch_hash"))
    gone = set()
    for position, (seat, key) in enumerate(held):
        signed_out = key is not None and key not in sessions
        reseated = any(roles.get(m.pk) != m.role for m in (seat.membership, seat.real) if m)
        unlinked = _came_by_link(seat) and links.get(seat.campaign.pk) != seat.campaign.watch_hash
        if signed_out or reseated or unlinked:
            gone.add(position)
    return gone


def _came_by_link(seat: Seat) -> bool:
    return seat.membership is None and seat.real is None
