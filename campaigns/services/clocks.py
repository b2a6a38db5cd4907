"""Clocks: made, changed, ticked, put in order, archived (the public rules of progress clocks).

The GM makes and ticks every clock. A player ticks those that everyone sees, and that are their own, their character's
or the crew's. Which clock is told to whom is in clock_payloads.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns import clocks as rules
from campaigns.clocks import End, Ticked
from campaigns.errors import Conflict, Forbidden, Invalid, NotFound, existing
from campaigns.events import CLOCK_ARCHIVED, CLOCK_CHANGED, CLOCK_TEMPLATE_CHANGED, CLOCK_TICKED, CLOCKS_ORDERED
from campaigns.kinds import EventKind
from campaigns.models import (
    Clock,
    ClockKind,
    ClockOwner,
    ClockTemplate,
    ClockVisibility,
    Event,
    Membership,
    Role,
    Written,
)
from campaigns.models.log import Subject
from campaigns.models.members import GM, TABLE
from campaigns.queries.clocks import Owners, Sides, clock_payload, may_tick, owners_of, payload, sees_event, sides
from campaigns.services.log import UnitOfWork, compare_and_set, last_actor, service, version
from campaigns.services.undo import caused, note, puts_back, tell_undoable, undo
from languages.text import gettext_lazy

# Write a GM's draft of a clock into its row, with all validation, and return where it then stands.


STEP = 1000
"""Shown clocks have multiples of it as positions, hidden ones numbers in between, so that gaps in players' numbers do
not reveal them.
"""

NOBODY = gettext_lazy("Choose someone who’s in this campaign now.")


@dataclass(frozen=True)
class Draft:
    """A clock as a GM writes it. `owner` is "gm", "crew", "member:<id>" or the key of a campaigns.queries.clocks.Owner.

    `after` is the clock that opens this one: a linked clock needs it, no other kind has it.
    """

    name: str
    segments: int
    kind: ClockKind = ClockKind.PROGRESS
    visibility: ClockVisibility = ClockVisibility.VISIBLE
    owner: str = ClockOwner.GM.value
    after: Clock | None = None


@dataclass(frozen=True)
class Rival:
    """The other clock of a racing pair; all else is as in the first."""

    name: str
    segments: int


def owner_key(clock: Clock) -> str:
    """Return the `owner` of a Draft that says what the clock says."""
    if clock.owner_member:
        return f"member:{clock.owner_member.number}"
    return clock.owner_subject or clock.owner


def clock_version(clock: Clock) -> str:
    """Return the `expected` of `change_clock`."""
    return version(written(clock))


def as_rules(clock: Clock) -> rules.Clock:
    """Return the clock for the rules. Raises Invalid for impossible values."""
    return rules.Clock(ClockKind(clock.kind), clock.segments, clock.filled)


def written(clock: Clock) -> dict[str, Any]:
    """Return a clock's editable fields, in JSON's own types."""
    return {
        "name": clock.name,
        "segments": clock.segments,
        "kind": clock.kind,
        "visibility": clock.visibility,
        "owner": owner_key(clock),
        "after": str(clock.after_id) if clock.after_id else None,
    }


def write(work: UnitOfWork, clock: Clock, draft: Draft, owners: Owners) -> None:
    """Put a draft on a clock, which is not saved yet. Raises Invalid for what cannot be."""
    clock.name, clock.kind, clock.segments, clock.visibility = draft.name, draft.kind, draft.segments, draft.visibility
    as_rules(clock)  # refuses invalid clocks
    _follow(work, clock, draft)
    _own(work, clock, draft.owner, owners)


def _follow(work: UnitOfWork, clock: Clock, draft: Draft) -> None:
    """Wait for the clock before, unless that is full already."""
    if (draft.kind == ClockKind.LINKED) != (draft.after is not None):
        missing, extra = _("Choose the clock that opens it."), _("Only a linked clock can be opened by another.")
        raise Invalid(missing if draft.after is None else extra, field="after")
    if draft.after is None or draft.after.pk == clock.after_id:
        clock.opened = clock.opened or draft.after is None
        clock.after = clock.after if draft.after else None
        return
    after = Clock.objects.running().filter(campaign=work.campaign, pk=draft.after.pk).first()
    if after is None:
        raise Invalid(_("That clock is no longer on the table. Choose another."), field="after")
    earlier: Clock | None = after
    while earlier:
        if earlier.pk == clock.pk:
            raise Invalid(_("These clocks would wait for each other forever. Choose another."), field="after")
        earlier = earlier.after
    clock.after, clock.opened = after, after.is_full


def _own(work: UnitOfWork, clock: Clock, key: str, owners: Owners) -> None:
    if key != owner_key(clock):
        _give(work, clock, key, owners)
    owner = owners.get(clock.owner_subject)
    if owner and not owner.shown and clock.shown:
        message = _("Players don’t know about {name}. Make the clock secret, or choose another owner.")
        raise Invalid(message.format(name=owner.name), field="owner")


def _give(work: UnitOfWork, clock: Clock, key: str, owners: Owners) -> None:
    what, __, pk = key.partition(":")
    clock.owner_member, clock.owner_subject, clock.owner_name = None, "", ""
    if key in (ClockOwner.GM, ClockOwner.CREW):
        clock.owner = key
    elif what == "member":
        member = Membership.objects.active().numbered(work.campaign.pk, int(pk))
        if member is None:
            raise Invalid(NOBODY, field="owner")
        clock.owner, clock.owner_member, clock.owner_name = ClockOwner.PLAYER, member, member.name
    else:
        owner = owners.get(key)
        if owner is None or not owner.active:
            raise Invalid(NOBODY, field="owner")
        clock.owner, clock.owner_subject, clock.owner_name = ClockOwner.CHARACTER, owner.key, owner.name


def place(clock: Clock) -> int:
    """Return the number that puts a clock after those that players see or, if it is not shown, after all."""
    others = Clock.objects.running().filter(campaign=clock.campaign).exclude(pk=clock.pk)
    if clock.shown:
        last = others.shown().aggregate(last=Max("order"))["last"] or 0
        return (last // STEP + 1) * STEP
    return (others.aggregate(last=Max("order"))["last"] or 0) + 1


@service(Role.GM)
def keep_template(work: UnitOfWork, clock: Clock, *, key: UUID) -> ClockTemplate:
    """Keep a clock's name, kind, size and visibility, and of a racing pair both clocks; not its ticks, nor whose it is."""
    current = existing(Clock.objects.with_related().filter(campaign=work.campaign, pk=clock.pk).first())
    template = ClockTemplate.objects.create(
        id=work.key,
        campaign=work.campaign,
        name=current.name,
        kind=current.kind,
        segments=current.segments,
        visibility=current.visibility,
        rival_name=current.rival.name if current.rival else "",
        rival_segments=current.rival.segments if current.rival else None,
    )
    _tell(work, template, gone=False)
    return template


@service(Role.GM)
def drop_template(work: UnitOfWork, template_id: UUID, *, key: UUID) -> None:
    """Keep it no longer. Clocks made from it stay as they are."""
    current = existing(ClockTemplate.objects.filter(campaign=work.campaign, pk=template_id).first())
    _tell(work, current, gone=True)
    current.delete()


def _tell(work: UnitOfWork, template: ClockTemplate, *, gone: bool) -> None:
    payload: dict[str, Any] = {
        "id": str(template.pk),
        "name": template.name,
        "kind": template.kind,
        "segments": template.segments,
        "visibility": template.visibility,
        "rival": {"name": template.rival_name, "segments": template.rival_segments} if template.rival_name else None,
    }
    subjects = [Subject(f"clock-template:{template.pk}", template.name)]
    work.record(CLOCK_TEMPLATE_CHANGED, {"template": payload, "gone": gone}, stream=GM, subjects=subjects)


@service(Role.GM)
def make_clock(work: UnitOfWork, draft: Draft, *, rival: Rival | None = None, filled: int = 0, key: UUID) -> Clock:
    """Make a new clock after all others, `filled` to begin with (a tug-of-war often starts in the middle); two for a racing
    pair.

    Raises Invalid for sizes outside 2 to 12, for a clock that would be full, for a pair of one, for owners who are not here and
    for a shown clock of a hidden character.
    """
    return make_by_rules(work, work.key, draft, rival=rival, filled=filled)


def make_by_rules(work: UnitOfWork, clock: UUID, draft: Draft, *, rival: Rival | None = None, filled: int = 0) -> Clock:
    """Make a clock for the rules, whoever acts; `clock` is its id. If it exists and was archived, it is restored."""
    note(work, f"clock:{clock}", after=[True])
    if (existing := _clock(work, clock)) is not None:
        return _restored(work, existing)
    owners = owners_of(work.campaign)
    if (draft.kind == ClockKind.RACING) != (rival is not None):
        raise Invalid(_("Clocks race in pairs. Name the other one too."), field="rival_name")
    made = [_new(work, Clock(id=clock, campaign=work.campaign, filled=filled), draft, owners)]
    if rival:
        made.append(_pair(work, made[0], draft, rival, owners))
    for new in made:
        tell_change(work, new, None, sides(new, owners))
    return made[0]


def _new(work: UnitOfWork, clock: Clock, draft: Draft, owners: Owners) -> Clock:
    write(work, clock, draft, owners)
    if clock.is_full:
        raise Invalid(_("It would be full from the start. Leave a segment empty."), field="filled")
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
    """Change a clock; its ticks stay. `expected` is its version in the form; raises Conflict with its current values."""
    current = _running(work, clock)
    compare_and_set(work.campaign, Subject(current.subject, current.name), expected=expected, current=written(current))
    if draft.kind != current.kind and ClockKind.RACING in (draft.kind, current.kind):
        message = _("A clock can’t join or leave a racing pair. Archive it and make a new one.")
        raise Invalid(message, field="kind")
    if draft.segments != current.segments and draft.segments <= current.filled:
        message = ngettext(
            "{filled} segment is filled. Untick it first, or choose more segments.",
            "{filled} segments are filled. Untick some first, or choose more segments.",
            current.filled,
        )
        raise Invalid(message.format(filled=current.filled), field="segments")
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
        message = _("This clock opens when the one before it is full. You can’t tick it until then.")
        raise Invalid(message, field="ticks")
    if not may_tick(work.by, current, owners):
        raise Forbidden(_("Only a GM and the owner of this clock can tick it."))
    if source and not sees_event(work.by, source):
        raise NotFound
    with caused(work, work.key):
        told = _tick(work, current, ticks, reason=reason, source=source, owners=owners)
    if told is None:
        raise Invalid(_("It’s already full.") if ticks > 0 else _("It’s already empty."), field="ticks")
    tell_undoable(work, work.key, current.subject, told.uid)
    return current


def undo_tick(work: UnitOfWork, clock: UUID, cause: UUID) -> None:
    """Undo a tick for a GM. Raises Invalid for a clock that was archived since."""
    _running(work, Clock(pk=clock))
    undo(work, cause)


def tick_by_rules(work: UnitOfWork, clock: UUID, ticks: int, *, reason: str = "") -> None:
    """Tick a clock for the rules, whoever acts. One that is full, archived or not open stays as it is."""
    current = _clock(work, clock)
    if current is not None and not current.archived_at and current.opened:
        _tick(work, current, ticks, reason=reason, source=None, owners=owners_of(work.campaign))


@puts_back("clock")
def _put_back(work: UnitOfWork, pk: UUID, written: Written, why: Any) -> None:
    """Untick what was ticked, as far as it goes; archive a clock that was made."""
    current = _clock(work, pk)
    if written.added:
        tick_by_rules(work, pk, -written.added)
    elif written.path == "opened" and current is not None:
        _close(work, current, written)
    elif not written.path and current is not None and current.archived_at is None:
        current.archived_at = work.now
        _file(work, current)


def _close(work: UnitOfWork, clock: Clock, written: Written) -> None:
    """Let a clock wait again for the one before it. Raises Conflict if it was ticked since."""
    if Written.objects.filter(thing=written.thing, path="filled", pk__gt=written.pk).exists():
        by = last_actor(work.campaign, clock.subject, (CLOCK_TICKED,))
        message = _("{who} has ticked “{clock}” since, so this can’t be undone.").format(who=by, clock=clock.name)
        raise Conflict(message, by=by)
    before = sides(clock, owners := owners_of(work.campaign))
    clock.opened = False
    clock.order = place(clock)
    clock.save(update_fields=["opened", "order"])
    tell_change(work, clock, before, sides(clock, owners))


def _tick(
    work: UnitOfWork, clock: Clock, ticks: int, *, reason: str, source: UUID | None, owners: Owners
) -> Event | None:
    """Tick a clock. Return the event that tells it; None if nothing changes."""
    ticked = rules.tick(as_rules(clock), ticks)
    if ticked.after == ticked.before and not ticked.rounds:
        return None
    clock.filled = ticked.after
    clock.save(update_fields=["filled"])
    added = ticked.after - ticked.before
    note(work, f"clock:{clock.pk}", "filled", before=[ticked.before], after=[ticked.after], added=added)
    told = tell_tick(work, clock, ticks, ticked, reason=reason, source=source, owners=owners)
    if ticked.filled:
        _open_next(work, clock, owners)
    return told


def _open_next(work: UnitOfWork, clock: Clock, owners: Owners) -> None:
    for waiting in Clock.objects.running().with_related().filter(after=clock, opened=False):
        before = sides(waiting, owners)
        waiting.opened = True
        waiting.order = place(waiting)
        waiting.save(update_fields=["opened", "order"])
        note(work, f"clock:{waiting.pk}", "opened", before=[False], after=[True])
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
    return Clock.objects.filter(campaign=work.campaign, pk=clock).first()


def _found(work: UnitOfWork, clock: Clock) -> Clock:
    """Return the clock read again under the lock. Raises NotFound if the actor may not see it."""
    current = _clock(work, clock.pk)
    if current is None or not (current.shown or work.by.is_gm):
        raise NotFound
    return current


def _running(work: UnitOfWork, clock: Clock) -> Clock:
    current = _found(work, clock)
    if current.archived_at:
        raise Invalid(_("This clock is archived. A GM can restore it on the Clocks page."))
    return current


def tell(
    work: UnitOfWork, kind: EventKind, clock: Clock, whole: payload | None, players: payload | None, *, less: bool
) -> Event | None:
    """Record one event for those who may know it: see the module's docstring. None is for readers for whom nothing happened."""
    subjects = [Subject(clock.subject, clock.name)]
    told = None
    if players is not None:
        told = work.record(kind, players | {"less": less}, subjects=subjects, discriminator=clock.subject)
    if whole is not None and (players is None or less):
        told = work.record(kind, whole | {"less": False}, stream=GM, subjects=subjects, discriminator=clock.subject)
    return told


def tell_change(
    work: UnitOfWork, clock: Clock, before: Sides | None, after: Sides, *, opened_by: Clock | None = None
) -> None:
    """Tell that a clock was made (`before` is None), changed, opened, shown or hidden. For players a hidden clock is `gone`."""
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
    """Record changes of every clock that looks different after the body: one that was changed, or that names a changed
    clock or character.
    """
    before = {clock.pk: sides(clock, owners) for clock, owners in _all(work)}
    yield
    for clock, owners in _all(work):
        tell_change(work, clock, before[clock.pk], sides(clock, owners))


def _all(work: UnitOfWork) -> list[tuple[Clock, Owners]]:
    owners = owners_of(work.campaign)
    return [(clock, owners) for clock in Clock.objects.running().with_related().filter(campaign=work.campaign)]


def tell_tick(
    work: UnitOfWork, clock: Clock, ticks: int, ticked: Ticked, *, reason: str, source: UUID | None, owners: Owners
) -> Event | None:
    """Tell of one tick in one event, with the segments before and after; it also says when the clock is full."""
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
    return tell(work, CLOCK_TICKED, clock, whole, players, less=now.less)


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
    """Return how far the other clock of a racing pair is."""
    rival = clock.rival
    if rival is None or not (whole or rival.shown):
        return None
    filled = rival.filled if whole or rival.visibility == ClockVisibility.VISIBLE else None
    return {**rival.ref, "segments": rival.segments, "filled": filled, "full": rival.is_full}


def _is_public(work: UnitOfWork, uid: UUID) -> bool:
    return Event.objects.filter(campaign=work.campaign, uid=uid, stream__name=TABLE).exists()


def _text(uid: UUID | None) -> str | None:
    return str(uid) if uid else None
