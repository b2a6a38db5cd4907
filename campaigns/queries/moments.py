"""The pinned moments of a session."""

from __future__ import annotations

from uuid import UUID

from campaigns.models import Event, GameSession, Pin, Role, Seat
from campaigns.models.log import EventQuerySet


def pinned(seat: Seat, session: GameSession) -> EventQuerySet:
    """The pinned moments of a session that this viewer may see, oldest first, each in its richest telling."""
    wanted = Pin.objects.filter(session=session).values("uid")
    found = Event.objects.seen_by(seat).told_once(seat).filter(uid__in=wanted)
    return found.whole().select_related("campaign").order_by("pk")


def pins_of(seat: Seat, session: GameSession) -> set[UUID]:
    """The pins of a session that this viewer may take off: the GM all, a player their own."""
    if seat.only_looks or not seat.role.at_least(Role.PLAYER):
        return set()
    pins = Pin.objects.filter(session=session)
    return set((pins if seat.is_gm else pins.filter(by=seat.membership)).values_list("uid", flat=True))
