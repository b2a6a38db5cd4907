"""Clocks: made, changed, ticked, put in order, archived (the public rules of progress clocks).

The GM makes and ticks every clock. A player ticks those that everybody sees, and that are their own, their character's or the
crew's. What is told of each to whom is in clock_payloads.py.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from campaigns import clocks as rules
from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.events import CLOCK_ARCHIVED, CLOCKS_ORDERED
from campaigns.models import Clock, ClockKind, Role
from campaigns.owners import owners_of
from campaigns.queries.clocks import Owners, clock_payload, may_tick, sees_event, sides
from campaigns.references import Subject
from campaigns.services.clock_drafts import Draft, Rival, as_rules, place, write, written
from campaigns.services.clock_payloads import retelling_clocks, tell, tell_change, tell_tick
from campaigns.services.compare_and_set import compare_and_set
from campaigns.services.log import UnitOfWork, service


@service(Role.GM)
def make_clock(work: UnitOfWork, draft: Draft, *, rival: Rival | None = None, filled: int = 0, key: UUID) -> Clock:
    """A new clock after all others, `filled` to begin with (a tug-of-war often starts in the middle); two for a racing pair.

    Raises Invalid for sizes outside 2 to 12, for a clock that would be full, for a pair of one, for owners who are not here and
    for a shown clock of a hidden character.
    """
    return make_by_rules(work, work.key, draft, rival=rival, filled=filled)


def make_by_rules(work: UnitOfWork, clock: UUID, draft: Draft, *, rival: Rival | None = None, filled: int = 0) -> Clock:
    """The same because rules say so, whoever acts; `clock` is its id. One that was made so and archived since comes back."""
    if (existing := _clock(work, clock)) is not None:
        return _restored(work, existing)
    owners = owners_of(work.campaign)
    if (draft.kind == ClockKind.RACING) != (rival is not None):
        raise Invalid("Clocks race in pairs: name the other one as well.", field="rival_name")
    made = [_new(work, Clock(id=clock, campaign=work.campaign, filled=filled), draft, owners)]
    if rival:
        made.append(_pair(work, made[0], draft, rival, owners))
    for new in made:
        tell_change(work, new, None, sides(new, owners))
    return made[0]


def _new(work: UnitOfWork, clock: Clock, draft: Draft, owners: Owners) -> Clock:
    write(work, clock, draft, owners)
    if clock.is_full:
        raise Invalid("It would be full from the start. Leave a segment open.", field="filled")
    clock.order = place(clock)
    clock.save(force_insert=True)
    return clock


def _pair(work: UnitOfWork, clock: Clock, draft: Draft, rival: Rival, owners: Owners) -> Clock:
    other = Clock(id=work.id("rival"), campaign=work.campaign, rival=clock)
    try:
        _new(work, other, replace(draft, name=rival.name, segments=rival.segments), owners)
    except Invalid as error:
        raise Invalid(error.message, field="rival_segments") from None
    clock.rival = other
    clock.save(update_fields=["rival"])
    return other


@service(Role.GM)
def change_clock(work: UnitOfWork, clock: Clock, draft: Draft, *, expected: str, key: UUID) -> Clock:
    """Write a clock anew; its ticks stay. `seen` is its version when the form was made; raises Conflict with what it says now."""
    current = _running(work, clock)
    compare_and_set(work.campaign, Subject(current.subject, current.name), expected=expected, current=written(current))
    if draft.kind != current.kind and ClockKind.RACING in (draft.kind, current.kind):
        raise Invalid("A racing pair is made as one and stays one. Archive it, or make a new pair.", field="kind")
    if draft.segments != current.segments and draft.segments <= current.filled:
        raise Invalid(f"{current.filled} segments are filled. Untick it first, or choose more.", field="segments")
    shown = current.shown
    write(work, current, draft, owners_of(work.campaign))
    if current.shown != shown:
        current.order = place(current)
    with retelling_clocks(work):
        current.save()
    return current


@service(Role.PLAYER, plays=True)
def tick_clock(
    work: UnitOfWork, clock: Clock, ticks: int, *, reason: str = "", source: UUID | None = None, key: UUID
) -> Clock:
    """Tick a clock by 1 to 12 segments, or untick it (negative), for a reason; `source` is the uid of the event it comes from.

    A clock that gets full opens those that wait for it. Raises Invalid when nothing would change, Forbidden for a clock of
    others, NotFound for one that the member does not know of.
    """
    current = _running(work, clock)
    owners = owners_of(work.campaign)
    if not current.opened:
        raise Invalid("This clock opens when the one before it is full. Until then it is not ticked.", field="ticks")
    if not may_tick(work.by, current, owners):
        raise Forbidden("This clock is ticked by the GM and by those whose it is.")
    if source and not sees_event(work.by, source):
        raise NotFound
    if not _tick(work, current, ticks, reason=reason, source=source, owners=owners):
        raise Invalid("It is full already." if ticks > 0 else "It is empty already.", field="ticks")
    return current


def tick_by_rules(work: UnitOfWork, clock: UUID, ticks: int, *, reason: str = "") -> int:
    """Tick a clock because rules say so, whoever acts; gives by how many segments. One that cannot be ticked now stays as it
    is: it was filled, archived or is not open."""
    current = _clock(work, clock)
    if current is None or current.archived_at or not current.opened:
        return 0
    before, owners = current.filled, owners_of(work.campaign)
    ticked = _tick(work, current, ticks, reason=reason, source=None, owners=owners)
    return current.filled - before if ticked else 0


def archive_by_rules(work: UnitOfWork, clock: UUID) -> None:
    """Take a clock off the table, whoever acts, if it is still there."""
    current = _clock(work, clock)
    if current is not None and current.archived_at is None:
        current.archived_at = work.now
        _file(work, current)


def _tick(work: UnitOfWork, clock: Clock, ticks: int, *, reason: str, source: UUID | None, owners: Owners) -> bool:
    """Whether that changes anything."""
    ticked = rules.tick(as_rules(clock), ticks)
    if ticked.after == ticked.before and not ticked.rounds:
        return False
    clock.filled = ticked.after
    clock.save(update_fields=["filled"])
    tell_tick(work, clock, ticks, ticked, reason=reason, source=source, owners=owners)
    if ticked.filled:
        _open_next(work, clock, owners)
    return True


def _open_next(work: UnitOfWork, clock: Clock, owners: Owners) -> None:
    for waiting in Clock.objects.running().with_related().filter(after=clock, opened=False):
        before = sides(waiting, owners)
        waiting.opened = True
        waiting.order = place(waiting)
        waiting.save(update_fields=["opened", "order"])
        tell_change(work, waiting, before, sides(waiting, owners), opened_by=clock)


@service(Role.GM)
def move_clock(work: UnitOfWork, clock: Clock, *, up: bool, key: UUID) -> Clock:
    """Change places with the clock before it (or after it); at the end of the list nothing happens."""
    current = _running(work, clock)
    clocks = list(Clock.objects.running().with_related().filter(campaign=work.campaign))
    at = clocks.index(current)
    to = at - 1 if up else at + 1
    if not 0 <= to < len(clocks):
        return current
    shown = [other for other in clocks if other.shown]
    clocks[at], clocks[to] = clocks[to], clocks[at]
    _number(clocks)
    owners = owners_of(work.campaign)
    whole = {"clocks": [clock_payload(other, owners, whole=True) for other in clocks]}
    players = {"clocks": [clock_payload(other, owners, whole=False) for other in clocks if other.shown]}
    # Moved among those that players do not know of: for them nothing has happened.
    seen = players if shown != [other for other in clocks if other.shown] else None
    tell(work, CLOCKS_ORDERED, current, whole, seen, less=True)
    return clocks[to]


def _number(clocks: list[Clock]) -> None:
    """Give the numbers of the shown clocks to the shown ones in their new order; the others count on from the one before."""
    free = iter(sorted(clock.order for clock in clocks if clock.shown))
    last = 0
    for clock in clocks:
        last = next(free) if clock.shown else last + 1
        clock.order = last
    Clock.objects.bulk_update(clocks, ["order"])


@service(Role.GM)
def archive_clock(work: UnitOfWork, clock: Clock, *, key: UUID) -> Clock:
    """Take a clock off the table. Its history stays. Doing it twice is doing it once."""
    current = _found(work, clock)
    if current.archived_at is None:
        current.archived_at = work.now
        _file(work, current)
    return current


@service(Role.GM)
def restore_clock(work: UnitOfWork, clock: Clock, *, key: UUID) -> Clock:
    """Put an archived clock back, after all others."""
    return _restored(work, _found(work, clock))


def _restored(work: UnitOfWork, clock: Clock) -> Clock:
    if clock.archived_at is not None:
        clock.archived_at = None
        clock.order = place(clock)
        _file(work, clock)
    return clock


def _file(work: UnitOfWork, clock: Clock) -> None:
    clock.save(update_fields=["archived_at", "order"])
    now = sides(clock, owners_of(work.campaign))
    players = {"clock": now.players} if now.players else None
    tell(work, CLOCK_ARCHIVED, clock, {"clock": now.whole}, players, less=now.less)


def _clock(work: UnitOfWork, clock: UUID) -> Clock | None:
    return Clock.objects.with_related().filter(campaign=work.campaign, pk=clock).first()


def _found(work: UnitOfWork, clock: Clock) -> Clock:
    """The clock read again under the lock. NotFound where the one who acts does not know of it."""
    current = _clock(work, clock.pk)
    if current is None or not (current.shown or work.by.is_gm):
        raise NotFound
    return current


def _running(work: UnitOfWork, clock: Clock) -> Clock:
    current = _found(work, clock)
    if current.archived_at:
        raise Invalid("This clock is archived. A GM can bring it back on the page of clocks.")
    return current
