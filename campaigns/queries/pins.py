"""The pinned moments of a session."""

from __future__ import annotations

from uuid import UUID

from campaigns.models import Event, GameSession, Pin, Role, Viewer


def pinned(viewer: Viewer, session: GameSession) -> list[Event]:
    """The pinned moments of a session that this viewer may see, oldest first, each in its richest telling."""
    # A few ids, and put in order here: with all that is joined, SQLite would walk through the whole log.
    wanted = list(Pin.objects.filter(session=session).values_list("uid", flat=True))
    pinned_ids = Event.objects.filter(campaign=viewer.campaign, uid__in=wanted).values_list("pk", flat=True)
    visible = Event.objects.seen_by(viewer).deduplicated(viewer).filter(pk__in=list(pinned_ids))
    return sorted(visible.with_related().select_related("campaign").order_by(), key=lambda event: event.pk)


def pins_of(viewer: Viewer, session: GameSession) -> set[UUID]:
    """The pins of a session that this viewer may take off: the GM all, a player their own."""
    if viewer.is_read_only or not viewer.role.at_least(Role.PLAYER):
        return set()
    pins = Pin.objects.filter(session=session)
    return set((pins if viewer.is_gm else pins.filter(by=viewer.membership)).values_list("uid", flat=True))
