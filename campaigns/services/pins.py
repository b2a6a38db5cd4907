"""Pinning moments of a session: any member pins what they may see, and all who may see it find it on the session's page."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.events import MOMENT_PINNED, MOMENT_UNPINNED
from campaigns.kinds import EventKind
from campaigns.models import Event, Membership, Pin, Role
from campaigns.models.scene_overrides import place_of
from campaigns.models.streams import TABLE
from campaigns.services.log import UnitOfWork, service


@service(Role.PLAYER)
def pin(work: UnitOfWork, uid: UUID, *, key: UUID) -> Pin:
    """Pin a moment; pinning it twice is doing it once. Raises NotFound for what the one who pins may not see, Invalid for what
    happened outside of every session."""
    events = _told(work, uid)
    # What happened outside of every session can be moved into one and out again, and would take its pin with it.
    session = place_of(events[0])[0] if events[0].session else None
    if session is None or events[0].kind in (MOMENT_PINNED, MOMENT_UNPINNED):
        raise Invalid("Only what happens in a session can be pinned.")
    held, new = Pin.objects.get_or_create(
        campaign=work.campaign, uid=uid, defaults={"session": session, "by": work.by, "at": work.now}
    )
    if new:
        _tell(work, MOMENT_PINNED, events)
    return held


@service(Role.PLAYER)
def unpin(work: UnitOfWork, uid: UUID, *, key: UUID) -> None:
    """Take a pin off again. Raises Forbidden for a player who did not put it there; where there is none, nothing happens."""
    events = _told(work, uid)
    held = Pin.objects.filter(campaign=work.campaign, uid=uid).first()
    if held is None:
        return
    if held.by_id != work.by.pk and not work.by.is_gm:
        raise Forbidden("Only the GM and the one who pinned it can take this pin off.")
    held.delete()
    _tell(work, MOMENT_UNPINNED, events)


def _told(work: UnitOfWork, uid: UUID) -> list[Event]:
    """All tellings of a moment; at least one of them is for the one who acts."""
    events = list(
        Event.objects.filter(campaign=work.campaign, uid=uid).select_related("stream", "session").order_by("pk")
    )
    if not any(_may_see(work.by, event) for event in events):
        raise NotFound
    return events


def _may_see(member: Membership, event: Event) -> bool:
    return member.is_gm or event.stream.name in (TABLE, member.stream)


def _tell(work: UnitOfWork, kind: EventKind, events: list[Event]) -> None:
    """To exactly those who see the moment itself."""
    payload = {"of": str(events[0].uid)}
    streams = sorted({event.stream.name for event in events})
    for stream in [TABLE] if TABLE in streams else streams:
        work.record(kind, payload, stream=stream)
