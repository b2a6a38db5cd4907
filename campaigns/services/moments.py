"""Pinning moments of a session: any member pins what they may see, and all who may see it find it on the session's page."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Forbidden, Invalid, Missing
from campaigns.events import MOMENT_PINNED, MOMENT_UNPINNED
from campaigns.kinds import EventKind
from campaigns.models import Event, Membership, Pin, Role
from campaigns.models.filing import place_of
from campaigns.models.streams import TABLE
from campaigns.services.log import Table, at_table


@at_table(Role.PLAYER)
def pin(table: Table, uid: UUID, *, key: UUID) -> Pin:
    """Pin a moment; pinning it twice is doing it once. Raises Missing for what the one who pins may not see, Invalid for what
    happened outside of every session."""
    told = _told(table, uid)
    # What happened outside of every session can be moved into one and out again, and would take its pin with it.
    session = place_of(told[0])[0] if told[0].session else None
    if session is None or told[0].kind in (MOMENT_PINNED, MOMENT_UNPINNED):
        raise Invalid("Only what happens in a session can be pinned.")
    held, new = Pin.objects.get_or_create(
        campaign=table.campaign, uid=uid, defaults={"session": session, "by": table.by, "at": table.now}
    )
    if new:
        _tell(table, MOMENT_PINNED, told)
    return held


@at_table(Role.PLAYER)
def unpin(table: Table, uid: UUID, *, key: UUID) -> None:
    """Take a pin off again. Raises Forbidden for a player who did not put it there; where there is none, nothing happens."""
    told = _told(table, uid)
    held = Pin.objects.filter(campaign=table.campaign, uid=uid).first()
    if held is None:
        return
    if held.by_id != table.by.pk and not table.by.is_gm:
        raise Forbidden("Only the GM and the one who pinned it can take this pin off.")
    held.delete()
    _tell(table, MOMENT_UNPINNED, told)


def _told(table: Table, uid: UUID) -> list[Event]:
    """All tellings of a moment; at least one of them is for the one who acts."""
    told = list(
        Event.objects.filter(campaign=table.campaign, uid=uid).select_related("stream", "session").order_by("pk")
    )
    if not any(_may_see(table.by, event) for event in told):
        raise Missing
    return told


def _may_see(member: Membership, event: Event) -> bool:
    return member.is_gm or event.stream.name in (TABLE, member.stream)


def _tell(table: Table, kind: EventKind, told: list[Event]) -> None:
    """To exactly those who see the moment itself."""
    facts = {"of": str(told[0].uid)}
    streams = sorted({event.stream.name for event in told})
    for stream in [TABLE] if TABLE in streams else streams:
        table.record(kind, facts, stream=stream)
