"""The journal of what was written for something that can be undone, and undoing it, newest first.

Whoever writes says so (`note`), with what was there before. It is kept where it is written for a cause (`caused`), by which
it is undone (`undo`). How to put it back knows the app whose rows these are (`puts_back`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from campaigns.models import Membership, Written
from campaigns.services.log import UnitOfWork

PutBack = Callable[[UnitOfWork, UUID, Written, Any], None]
"""Puts back what was written on the thing of this id; the last is why, as its app says that. Raises Conflict, which says what was
changed since, and by whom."""

_put_back: dict[str, PutBack] = {}


def puts_back(kind: str) -> Callable[[PutBack], PutBack]:
    """Have a function put back what is written on things of a kind: those whose names begin with it, "clock:"."""

    def register(function: PutBack) -> PutBack:
        _put_back[kind] = function
        return function

    return register


@dataclass
class Journal:
    """What an operation writes just now: for which cause, by whose hand, and what of it is not stored yet."""

    cause: UUID | None = None
    by: Membership | None = None
    written: list[Written] = field(default_factory=list)


@contextmanager
def caused(work: UnitOfWork, cause: UUID | None, *, by: Membership | None = None) -> Iterator[None]:
    """Keep what is written inside for a cause, or for none: it cannot be undone then. `by` is who does so by hand."""
    journal = work.state(Journal)
    around = journal.cause, journal.by
    journal.cause, journal.by = cause, by
    try:
        yield
    finally:
        journal.cause, journal.by = around


def note(
    work: UnitOfWork,
    thing: str,
    path: str = "",
    *,
    before: Sequence[Any] = (),
    after: Sequence[Any] = (),
    added: int | None = None,
) -> None:
    """Note what was written just now: the fields are those of `Written`."""
    journal = work.state(Journal)
    if journal.cause is not None:
        one = Written(campaign=work.campaign, cause=journal.cause, thing=thing, path=path, added=added, by=journal.by)
        one.before, one.after = [*before], [*after]
        journal.written.append(one)


def tell_undoable(work: UnitOfWork, cause: UUID, thing: str, told: UUID | None) -> None:
    """Have the line of an event offer to undo what is written for a cause, while it is the last of this thing that does; where no
    line tells it, the one before."""
    written = work.state(Journal).written
    if told is None:
        pending = (one.told for one in reversed(written) if one.thing == thing and one.told)
        stored = Written.objects.lines(work.campaign).filter(thing=thing).values_list("told", flat=True)
        told = next(pending, None) or stored.last()
    if told:
        written.append(Written(campaign=work.campaign, cause=cause, thing=thing, told=told))


def keep_written(work: UnitOfWork) -> bool:
    """Store what was noted (settings.BEFORE_COMMIT). Return False: nothing follows from it."""
    journal = work.state(Journal)
    written, journal.written = journal.written, []
    Written.objects.bulk_create(written)
    return False


def undo(work: UnitOfWork, cause: UUID, why: Any = None) -> None:
    """Undo what was written for a cause, the newest first. Raises Conflict where something else was written since in the
    same place, and says what and by whom."""
    keep_written(work)
    written = list(Written.objects.filter(campaign=work.campaign, cause=cause).order_by("-pk"))
    with caused(work, None):
        for one in written:
            kind, _, pk = one.thing.partition(":")
            if one.told is None:
                _put_back[kind](work, UUID(pk), one, why)
    if written:
        Written.objects.filter(campaign=work.campaign, cause=cause).delete()
