"""Telling of clocks, and to whom.

A clock that everybody sees is told once, in `table`. Of a known clock, and of a racing pair, players are told less than the GM:
a row for each, under one uid, the players' marked `less`. A secret clock, or one that waits for another, is told in `gm` alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from campaigns.clocks import End, Ticked
from campaigns.events import CLOCK_CHANGED, CLOCK_TICKED
from campaigns.kinds import EventKind
from campaigns.models import Clock, ClockVisibility, Event
from campaigns.models.streams import GM, TABLE
from campaigns.owners import owners_of
from campaigns.queries.clocks import Owners, Sides, payload, sides
from campaigns.references import Subject
from campaigns.services.log import UnitOfWork


def tell(
    work: UnitOfWork, kind: EventKind, clock: Clock, whole: payload | None, players: payload | None, *, less: bool
) -> None:
    """Write one event for those who may know: see the module's docstring. None is for those to whom nothing has happened."""
    subjects = [Subject(clock.subject, clock.name)]
    if players is not None:
        work.record(kind, players | {"less": less}, subjects=subjects, discriminator=clock.subject)
    if whole is not None and (players is None or less):
        work.record(kind, whole | {"less": False}, stream=GM, subjects=subjects, discriminator=clock.subject)


def tell_change(
    work: UnitOfWork, clock: Clock, before: Sides | None, after: Sides, *, opened_by: Clock | None = None
) -> None:
    """A clock was made (`before` is None), changed, opened, shown or hidden. For players a hidden clock is `gone`."""
    # The name of a clock that players do not know of would be told with the one that it opens.
    opener = opened_by.ref if opened_by and opened_by.shown else None
    known = before.players if before else None
    players: payload | None = None
    less = after.less or bool(before and before.less)
    if after.players is None:
        if known is not None:
            players, less = {"clock": {"id": known["id"], "name": known["name"]}, "before": None, "gone": True}, True
    elif after.players != known:
        players = {"clock": after.players, "before": known, "gone": False, "opened_by": opener}
    whole: payload | None = None
    if before is None or before.whole != after.whole:
        whole = {"clock": after.whole, "before": before.whole if before else None, "gone": False, "opened_by": opener}
    tell(work, CLOCK_CHANGED, clock, whole, players, less=less)


@contextmanager
def retelling_clocks(work: UnitOfWork) -> Iterator[None]:
    """Tell of every clock that looks different after what is done inside: one that was changed, those that name it or the
    character whose they are."""
    before = {clock.pk: sides(clock, owners) for clock, owners in _all(work)}
    yield
    for clock, owners in _all(work):
        tell_change(work, clock, before[clock.pk], sides(clock, owners))


def _all(work: UnitOfWork) -> list[tuple[Clock, Owners]]:
    owners = owners_of(work.campaign)
    return [(clock, owners) for clock in Clock.objects.running().with_related().filter(campaign=work.campaign)]


def tell_tick(
    work: UnitOfWork, clock: Clock, ticks: int, ticked: Ticked, *, reason: str, source: UUID | None, owners: Owners
) -> None:
    """One tick is one event, with the segments before and after; it also says when the clock is full."""
    now = sides(clock, owners)
    public = source if source and _is_public(work, source) else None
    done = _done(ticked, ticks, reason)
    gm_source = source if now.players is None or now.less else public
    whole = {"clock": now.whole, **done, "rival": _rival(clock, whole=True), "source": _text(gm_source)}
    players: payload | None = None
    if now.players is not None and clock.visibility == ClockVisibility.VISIBLE:
        players = {"clock": now.players, **done, "rival": _rival(clock, whole=False), "source": _text(public)}
    elif now.players is not None and (ticked.filled or ticked.before == clock.segments):
        players = {"clock": now.players, **_HIDDEN, "full": ticked.filled, "rival": _rival(clock, whole=False)}
    tell(work, CLOCK_TICKED, clock, whole, players, less=now.less)


def _done(ticked: Ticked, ticks: int, reason: str) -> payload:
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
_HIDDEN: payload = {
    "ticks": None,
    "before": None,
    "after": None,
    "emptied": False,
    "rounds": None,
    "overflow": None,
    "reason": "",
    "source": None,
}


def _rival(clock: Clock, *, whole: bool) -> payload | None:
    """How far the other clock of a racing pair is."""
    rival = clock.rival
    if rival is None or not (whole or rival.shown):
        return None
    filled = rival.filled if whole or rival.visibility == ClockVisibility.VISIBLE else None
    return {**rival.ref, "segments": rival.segments, "filled": filled, "full": rival.is_full}


def _is_public(work: UnitOfWork, uid: UUID) -> bool:
    return Event.objects.filter(campaign=work.campaign, uid=uid, stream__name=TABLE).exists()


def _text(uid: UUID | None) -> str | None:
    return str(uid) if uid else None
