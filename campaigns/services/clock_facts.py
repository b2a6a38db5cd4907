"""What is told of a clock, and to whom.

A clock that everybody sees is told once, in `table`. Of a known clock, and of a racing pair, players are told less than the GM:
a row for each, under one uid, the players' marked `less`. A secret clock, or one that waits for another, is told in `gm` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from campaigns.clocks import End, Ticked
from campaigns.models import Clock, ClockOwner, ClockSight, Event, Membership, Role
from campaigns.models.log import GM, TABLE, member_stream
from campaigns.owners import Owner, owners_of
from campaigns.services.log import About, Table, person

Owners = Mapping[str, Owner]
Facts = dict[str, Any]


def clock_facts(clock: Clock, owners: Owners, *, whole: bool) -> Facts:
    """A clock as events keep it and pages draw it; `whole` is what the GM knows, else what players know of a shown clock.

    `filled` is None where its progress is hidden. `after` is the clock it waits for, `rival` the other one of its pair.
    """
    hidden = clock.sight == ClockSight.KNOWN and not whole
    rival = clock.rival if clock.rival and (whole or clock.rival.shown) else None
    return {
        **clock.ref,
        "kind": clock.kind,
        "segments": clock.segments,
        "filled": None if hidden else clock.filled,
        "full": clock.is_full,
        "sight": clock.sight,
        "owner": _owner(clock, owners, whole=whole),
        "rival": rival.ref if rival else None,
        "after": clock.after.ref if clock.after and not clock.opened else None,
        "order": clock.order,
        "archived": clock.archived_at is not None,
    }


def _owner(clock: Clock, owners: Owners, *, whole: bool) -> Facts:
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
    """The GM ticks every clock; a player those that all see, and that are their own, their character's or the crew's."""
    if member is None or clock.archived_at or not clock.opened:
        return False
    if member.is_gm:
        return True
    if not clock.shown or clock.sight != ClockSight.VISIBLE or not Role(member.role).at_least(Role.PLAYER):
        return False
    owner = owners.get(clock.owner_subject)
    return (
        clock.owner == ClockOwner.CREW
        or (clock.owner == ClockOwner.PLAYER and clock.owner_member_id == member.pk)
        or (clock.owner == ClockOwner.CHARACTER and owner is not None and owner.player == member)
    )


@dataclass(frozen=True)
class Sides:
    """A clock at one moment: what the GM knows, what players know (None where they know nothing), whether that is less."""

    whole: Facts
    players: Facts | None
    less: bool


def sides(clock: Clock, owners: Owners) -> Sides:
    """The clock as it is now."""
    players = clock_facts(clock, owners, whole=False) if clock.shown else None
    return Sides(clock_facts(clock, owners, whole=True), players, clock.told_less)


def tell(table: Table, kind: str, clock: Clock, whole: Facts | None, players: Facts | None, *, less: bool) -> None:
    """Write one event for those who may know: see the module's docstring. None is for those to whom nothing has happened."""
    about = [About(clock.subject, clock.name)]
    if players is not None:
        table.record(kind, players | {"less": less}, about=about, which=clock.subject)
    if whole is not None and (players is None or less):
        table.record(kind, whole | {"less": False}, stream=GM, about=about, which=clock.subject)


def tell_change(
    table: Table, clock: Clock, before: Sides | None, after: Sides, *, opened_by: Clock | None = None
) -> None:
    """A clock was made (`before` is None), changed, opened, shown or hidden. For players a hidden clock is `gone`."""
    # The name of a clock that players do not know of would be told with the one that it opens.
    opener = opened_by.ref if opened_by and opened_by.shown else None
    known = before.players if before else None
    players: Facts | None = None
    less = after.less or bool(before and before.less)
    if after.players is None:
        if known is not None:
            players, less = {"clock": {"id": known["id"], "name": known["name"]}, "before": None, "gone": True}, True
    elif after.players != known:
        players = {"clock": after.players, "before": known, "gone": False, "opened_by": opener}
    whole: Facts | None = None
    if before is None or before.whole != after.whole:
        whole = {"clock": after.whole, "before": before.whole if before else None, "gone": False, "opened_by": opener}
    tell(table, "campaigns.clock_changed", clock, whole, players, less=less)


@contextmanager
def retelling_clocks(table: Table) -> Iterator[None]:
    """Tell of every clock that looks different after what is done inside: one that was changed, those that name it or the
    character whose they are."""
    before = {clock.pk: sides(clock, owners) for clock, owners in _all(table)}
    yield
    for clock, owners in _all(table):
        tell_change(table, clock, before[clock.pk], sides(clock, owners))


def _all(table: Table) -> list[tuple[Clock, Owners]]:
    owners = owners_of(table.campaign)
    return [(clock, owners) for clock in Clock.objects.running().whole().filter(campaign=table.campaign)]


def tell_tick(
    table: Table, clock: Clock, ticks: int, ticked: Ticked, *, reason: str, source: UUID | None, owners: Owners
) -> None:
    """One tick is one event, with the segments before and after; it also says when the clock is full."""
    now = sides(clock, owners)
    public = source if source and _is_public(table, source) else None
    done = _done(ticked, ticks, reason)
    gm_source = source if now.players is None or now.less else public
    whole = {"clock": now.whole, **done, "rival": _rival(clock, whole=True), "source": _text(gm_source)}
    players: Facts | None = None
    if now.players is not None and clock.sight == ClockSight.VISIBLE:
        players = {"clock": now.players, **done, "rival": _rival(clock, whole=False), "source": _text(public)}
    elif now.players is not None and (ticked.filled or ticked.before == clock.segments):
        players = {"clock": now.players, **_HIDDEN, "full": ticked.filled, "rival": _rival(clock, whole=False)}
    tell(table, "campaigns.clock_ticked", clock, whole, players, less=now.less)


def _done(ticked: Ticked, ticks: int, reason: str) -> Facts:
    return {
        "ticks": ticks,
        "before": ticked.before,
        "after": ticked.after,
        "full": ticked.filled,
        "emptied": ticked.end is End.EMPTY,
        "rounds": ticked.rounds,
        "overflow": ticked.overflow,
        "reason": reason,
    }


# Of a known clock players hear that it is full, or no longer, and not why: a reason could say how far it is.
_HIDDEN: Facts = {
    "ticks": None,
    "before": None,
    "after": None,
    "emptied": False,
    "rounds": None,
    "overflow": None,
    "reason": "",
    "source": None,
}


def _rival(clock: Clock, *, whole: bool) -> Facts | None:
    """How far the other clock of a racing pair is."""
    rival = clock.rival
    if rival is None or not (whole or rival.shown):
        return None
    filled = rival.filled if whole or rival.sight == ClockSight.VISIBLE else None
    return {**rival.ref, "segments": rival.segments, "filled": filled, "full": rival.is_full}


def sees_event(member: Membership, uid: UUID) -> bool:
    """Whether there is an event of this name that a member may see."""
    events = Event.objects.filter(campaign=member.campaign_id, uid=uid)
    if not member.is_gm:
        events = events.filter(stream__name__in=[TABLE, member_stream(member.pk)])
    return events.exists()


def _is_public(table: Table, uid: UUID) -> bool:
    return Event.objects.filter(campaign=table.campaign, uid=uid, stream__name=TABLE).exists()


def _text(uid: UUID | None) -> str | None:
    return str(uid) if uid else None
