"""Clocks as a viewer knows them, and who may tick them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from django.utils.functional import SimpleLazyObject

from campaigns.errors import existing
from campaigns.kinds import answers, owners_asked
from campaigns.models import Campaign, Clock, ClockOwner, ClockVisibility, Event, Membership, Role, Viewer
from campaigns.models.log import person
from campaigns.models.members import TABLE


@dataclass(frozen=True)
class Owner:
    """The owner of a clock. `key` is that of an EventSubject, such as "character:<uuid>". `player` acts for it, if
    anybody does.

    `shown` says whether players know of it, `active` whether it may still be given something.
    """

    key: str
    name: str
    player: Membership | None
    shown: bool = True
    active: bool = True


def owners_of(campaign: Campaign) -> Mapping[str, Owner]:
    """Return every owner by its key, retired and hidden ones too; read when the first is asked for."""
    owners: Any = SimpleLazyObject(
        lambda: {owner.key: owner for owners in answers(owners_asked, Campaign, campaign=campaign) for owner in owners}
    )
    return cast(Mapping[str, Owner], owners)


Owners = Mapping[str, Owner]
payload = dict[str, Any]


def clock_at(viewer: Viewer, clock_id: UUID) -> Clock:
    """Return a clock with all that is drawn of it. Raises NotFound for one that this viewer does not see."""
    return existing(Clock.objects.seen_by(viewer).with_related().filter(pk=clock_id).first())


def clocks_of(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the payload of the running clocks that a viewer sees, in order: the panel of the table page."""
    owners = owners_of(viewer.campaign)
    clocks = Clock.objects.seen_by(viewer).running().with_related()
    return [clock_payload(clock, owners, whole=viewer.is_gm) for clock in clocks]


def clock_payload(clock: Clock, owners: Owners, *, whole: bool) -> payload:
    """Return a clock as events keep it and pages draw it; `whole` for the GM, else as players know a shown clock.

    `filled` is None if its progress is hidden. `after` is the clock it waits for, `rival` the other one of its pair.
    """
    hidden = clock.visibility == ClockVisibility.KNOWN and not whole
    rival = clock.rival if clock.rival and (whole or clock.rival.shown) else None
    return {
        **clock.ref,
        "kind": clock.kind,
        "segments": clock.segments,
        "filled": None if hidden else clock.filled,
        "full": clock.is_full,
        "visibility": clock.visibility,
        "owner": _owner(clock, owners, whole=whole),
        "rival": rival.ref if rival else None,
        "after": clock.after.ref if clock.after and not clock.opened else None,
        "order": clock.order,
        "archived": clock.archived_at is not None,
    }


def _owner(clock: Clock, owners: Owners, *, whole: bool) -> payload:
    if clock.owner == ClockOwner.PLAYER and clock.owner_member:
        return {"what": clock.owner, "person": person(clock.owner_member)}
    if clock.owner == ClockOwner.CHARACTER:
        owner = owners.get(clock.owner_subject)
        if owner and (whole or owner.shown):
            played = person(owner.player) if owner.player else None
            thing = {"id": owner.key.partition(":")[2], "name": owner.name}
            return {"what": clock.owner, "thing": thing, "person": played}
        return {"what": ClockOwner.GM.value}
    return {"what": clock.owner}


def may_tick(member: Membership | None, clock: Clock, owners: Owners) -> bool:
    """Return whether a member may tick a clock: GMs every one; players those that all see and that are their own, their
    character's or the crew's.
    """
    if member is None or clock.archived_at or not clock.opened:
        return False
    if member.is_gm:
        return True
    if not clock.shown or clock.visibility != ClockVisibility.VISIBLE or not Role(member.role).at_least(Role.PLAYER):
        return False
    if clock.owner == ClockOwner.CHARACTER:
        owner = owners.get(clock.owner_subject)
        return owner is not None and owner.player == member
    return clock.owner == ClockOwner.CREW or (clock.owner == ClockOwner.PLAYER and clock.owner_member_id == member.pk)


@dataclass(frozen=True)
class Sides:
    """A clock at one moment: what the GM knows, what players know (None where they know nothing), whether that is less."""

    whole: payload
    players: payload | None
    less: bool


def sides(clock: Clock, owners: Owners) -> Sides:
    """Return the clock as it is now."""
    players = clock_payload(clock, owners, whole=False) if clock.shown else None
    return Sides(clock_payload(clock, owners, whole=True), players, clock.told_less)


def sees_event(member: Membership, uid: UUID) -> bool:
    """Return whether an event with this uid exists that the member may see."""
    events = Event.objects.filter(campaign=member.campaign_id, uid=uid)
    if not member.is_gm:
        events = events.filter(stream__name__in=[TABLE, member.stream])
    return events.exists()
