"""The pinned moments of a session."""

from __future__ import annotations

from uuid import UUID

from campaigns.models import Event, GameSession, Pin, Role, Viewer
from campaigns.models.log import EventQuerySet


def pinned(viewer: Viewer, session: GameSession) -> EventQuerySet:
    """The pinned moments of a session that this viewer may see, oldest first, each in its richest telling."""
    # A few, and not a subquery: the index by uid goes on leading.
    wanted = list(Pin.objects.filter(session=session).values_list("uid", flat=True))
    found = Event.objects.seen_by(viewer).told_once(viewer).filter(uid__in=wanted)
    return found.with_related().select_related("campaign").order_by("pk")


def pins_of(viewer: Viewer, session: GameSession) -> set[UUID]:
    """The pins of a session that this viewer may take off: the GM all, a player their own."""
    if viewer.is_read_only or not viewer.role.at_least(Role.PLAYER):
        return set()
    pins = Pin.objects.filter(session=session)
    return set((pins if viewer.is_gm else pins.filter(by=viewer.membership)).values_list("uid", flat=True))
