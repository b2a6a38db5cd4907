"""The one path of every change: `@service` takes the campaign's lock, `UnitOfWork.record` writes what happened.

A service is a function whose first parameter is a UnitOfWork. Decorated, it is called with the acting Membership instead:

    @service(Role.PLAYER)
    def make_roll(work: UnitOfWork, ask: RollInput, *, audience: Audience, key: UUID) -> Roll: ...

    make_roll(by, ask, audience=Audience.TABLE, key=key)

Whatever it writes and its events are one transaction, after which the other processes are notified, and a campaign has one
writer at a time.
"""

from __future__ import annotations

import functools
import inspect
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from uuid import UUID, uuid5

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models import Field, Model
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from campaigns import chain
from campaigns.chain import fingerprint
from campaigns.errors import Blocked, Conflict, Forbidden, existing
from campaigns.kinds import EventKind, event_recorded
from campaigns.models import (
    Campaign,
    Event,
    EventIndex,
    EventPayload,
    EventSubject,
    GameSession,
    Membership,
    Role,
    Scene,
    Stream,
)
from campaigns.models.log import Subject, person, persons
from campaigns.models.members import TABLE
from campaigns.queries.play import open_session
from campaigns.services.idempotency import KeyUse, acting, one_writer, run_once, seconds_before, unless_used_elsewhere

P = ParamSpec("P")
R = TypeVar("R", bound=models.Model | None)
S = TypeVar("S")

_clock: ContextVar[Callable[[], datetime]] = ContextVar("clock", default=timezone.now)


@contextmanager
def happening_at(moment: datetime) -> Iterator[None]:
    """Date operations inside `moment`, to add what was played before (the demo, an import)."""
    token = _clock.set(lambda: moment)
    try:
        yield
    finally:
        _clock.reset(token)


@dataclass
class UnitOfWork:
    """A campaign held by one writer for the length of a transaction."""

    campaign: Campaign
    by: Membership
    key: UUID
    now: datetime
    card: UUID | None = None
    """The thing that the operation is about, such as a procedure: what is recorded stands on its card in the feed, if its kind
    has a place there."""
    _ordinals: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    streams: dict[str, Stream] = field(default_factory=dict)
    """The streams read so far, by name; they are locked."""
    _states: dict[type[Any], Any] = field(default_factory=dict)

    def state(self, kind: type[S]) -> S:
        """Return the operation's one object of a class, made without arguments on first use. Apps keep data in it that
        their services share during one operation.
        """
        if kind not in self._states:
            self._states[kind] = kind()
        state: S = self._states[kind]
        return state

    def close(self) -> None:
        """Finish the operation: run `settings.BEFORE_COMMIT` from the top until no step has anything to do. A step
        returns whether it has done something.
        """
        while any(import_string(step)(self) for step in settings.BEFORE_COMMIT):
            pass

    def id(self, name: str) -> UUID:
        """Return the id of another thing that this operation makes; the first one's id is the key itself."""
        return uuid5(self.key, name)

    def part(self, operation: Callable[..., S], *args: Any, **kwargs: Any) -> S:
        """Do what another service does as a part of this operation, under a key that follows from the operation's."""
        whole = self.key
        self._ordinals["part", "", ""] += 1
        self.key = self.id(f"part {self._ordinals['part', '', '']}")
        try:
            return cast(S, inspect.unwrap(operation)(self, *args, key=self.key, **kwargs))
        finally:
            self.key = whole

    @functools.cached_property
    def session(self) -> GameSession | None:
        """Return the session that is open."""
        return self._open_session

    @functools.cached_property
    def scene(self) -> Scene | None:
        """Return the scene that is open in it."""
        return getattr(self._open_session, "open_scene", None)

    @functools.cached_property
    def _open_session(self) -> GameSession | None:
        return open_session.first(campaign=self.campaign.pk)

    def record(
        self,
        kind: EventKind,
        payload: dict[str, Any],
        *,
        stream: str = TABLE,
        subjects: Sequence[Subject] = (),
        parent: Event | None = None,
        discriminator: str = "",
        by: Membership | None = None,
        card: UUID | None = None,
    ) -> Event:
        """Append one event to one stream. People in `payload` become subjects by themselves. Its actor is who acts now, or
        `by`, whose deed it is. It stands on the operation's card, or on `card`.

        An amendment goes to all who see what it amends: to the same stream, or to the whole table. An operation that
        records several things of one kind, each in its own streams, needs a `discriminator`, a key that all readers may
        know: counting alone would give different things one uid. Raises ValueError for a payload that does not fit the
        kind's schema, and for an amendment that some readers of the amended event would not see.
        """
        if parent is not None and stream not in (parent.stream.name, TABLE):
            raise ValueError(f"{kind} would be hidden from some who see what it amends")
        actor = None if kind.nameless else by or self.by
        payload = {**payload, "by": person(actor) if actor else None}
        kind.check(payload)
        event = self._event(kind, payload, stream, parent, discriminator, actor)
        entry = EventIndex.of(event)
        entry.card = (card or self.card) if kind.part else None
        names = {subject.key: subject.name for subject in subjects} | dict(persons(payload))
        named = (
            EventSubject(event=event, key=key, name=name[:120], topic=entry.topic, outcome=entry.outcome)
            for key, name in names.items()
        )
        store(event, [event.stored, entry, *named])
        event_recorded.send(sender=kind, work=self, event=event)
        return event

    def _event(
        self,
        kind: EventKind,
        payload: dict[str, Any],
        stream: str,
        parent: Event | None,
        discriminator: str,
        actor: Membership | None,
    ) -> Event:
        """Return the event and its payload, linked to all before it in its stream; not stored yet."""
        salt = secrets.token_hex(16)
        commitment = chain.commit(salt, payload)
        line = self._next(stream, kind, commitment, actor)
        event = Event(
            campaign=self.campaign,
            stream=line,
            seq=line.seq,
            uid=self._uid(kind, stream, discriminator),
            kind=kind,
            actor=actor,
            at=self.now,
            session=self.session,
            scene=self.scene,
            parent=parent,
            commitment=commitment,
            hash=line.head,
        )
        event.stored = EventPayload(event=event, salt=salt, payload=payload)
        return event

    def _next(self, stream: str, kind: EventKind, commitment: str, actor: Membership | None) -> Stream:
        """Return the stream moved on to its next number, and its head by the link of the event that will have it; not stored
        yet."""
        line = self._stream(stream)
        line.seq += 1
        line.head = chain.link(
            line.head,
            campaign_id=str(self.campaign.pk),
            stream=stream,
            seq=line.seq,
            at=self.now,
            kind=kind,
            actor=actor.number if actor else None,
            commitment=commitment,
        )
        return line

    def _stream(self, name: str) -> Stream:
        if name not in self.streams:
            first = chain.first_link(str(self.campaign.pk), name)
            self.streams[name], __ = self.campaign.streams.get_or_create(name=name, defaults={"head": first})
        return self.streams[name]

    def _uid(self, kind: EventKind, stream: str, discriminator: str) -> UUID:
        """Return the uid of an event, the same in all its streams, which betrays nothing about other streams."""
        self._ordinals[kind, stream, discriminator] += 1
        return uuid5(self.key, f"{kind} {discriminator} {self._ordinals[kind, stream, discriminator]}")


@contextmanager
def locked(campaign: Campaign) -> Iterator[Campaign]:
    """Be a campaign's one writer; gives the campaign as it is now."""
    with one_writer(campaign):
        yield Campaign.objects.get(pk=campaign.pk)


def begin(campaign: Campaign, by: Membership, key: UUID) -> UnitOfWork:
    """Return the unit of work for people who are only becoming members. Call it under `locked`, and run the operation
    through `once`, as `service` does in all other cases.
    """
    return UnitOfWork(campaign, by, key, _clock.get()())


def service(
    role: Role, *, archived: bool = False, brought: bool = False, plays: bool = False
) -> Callable[[Callable[Concatenate[UnitOfWork, P], R]], Callable[Concatenate[Membership, P], R]]:
    """Make a service of a function: see the module's docstring. `role` is the least that may do it. Services that
    `plays` (say or roll something) wait while play is paused.

    The keyword `key` (a UUID made by the browser) makes it happen once: the same key from the same person with the same
    content returns the first answer again (`run_once`). Where the caller needs more than the id of a row that can be
    deleted, return another one. Raises TypeError for a key that is no UUID, NotFound for those who left, Forbidden for too
    small a role, Invalid for a key that was used for something else, RateLimited for too many operations, Blocked at an
    archived table unless `archived` is True, or `brought` is and the table was imported; and while play is paused.
    """

    def decorate(body: Callable[Concatenate[UnitOfWork, P], R]) -> Callable[Concatenate[Membership, P], R]:
        @functools.wraps(body)
        def run(by: Membership, /, *args: P.args, **kwargs: P.kwargs) -> R:
            key = kwargs.get("key")
            if not isinstance(key, UUID):
                raise TypeError(f"{body.__qualname__} needs the keyword `key`, a UUID")
            content = fingerprint(body.__module__, body.__qualname__, args, kwargs)

            def operation(work: UnitOfWork) -> R:
                if not archived:
                    writable(work.campaign, brought=brought)
                if plays and work.campaign.is_paused:
                    raise Blocked(work.campaign.paused)
                made = body(work, *args, **kwargs)
                work.close()
                return made

            def attempt() -> R:
                with one_writer(by.campaign):
                    work, use = _held_by(by, role, key)
                    return run_once(work, content, lambda: operation(work), use)

            return unless_used_elsewhere(key, attempt)

        return run

    return decorate


def writable(campaign: Campaign, *, brought: bool = False) -> None:
    """Raise Blocked if the campaign is archived; not if `brought` is True and it came from another server."""
    if brought and campaign.lets_in:
        return
    if campaign.imported_at:
        raise Blocked(_("{campaign} is an archive from another server. It’s read-only.").format(campaign=campaign.name))
    if campaign.archived_at:
        message = _("{campaign} is archived and read-only. A GM can reopen it in its settings.")
        raise Blocked(message.format(campaign=campaign.name))


def _held_by(by: Membership, role: Role, key: UUID) -> tuple[UnitOfWork, KeyUse]:
    """Return what every operation needs, in one query under the lock: the campaign, the acting member, their recent
    operations, and the heads of the two streams used most, the table's and their own.
    """
    now = _clock.get()()
    member = existing(
        acting.first(member=by.pk, own=by.stream, key=key, by_program=by.is_program, **seconds_before(now))
    )
    member.is_program = by.is_program
    if member.user_id == by.user_id:
        # Accounts do not change under the campaign's lock, so that theirs is not read again.
        member.user = by.user
    if not Role(member.role).at_least(role):
        raise Forbidden(role.needed_to_act)
    work = UnitOfWork(member.campaign, member, key, now)
    streams = (getattr(member, name, None) for name in ("everybodys", "own"))  # Django sets nothing where there is none
    work.streams.update((stream.name, stream) for stream in streams if stream)
    return work, KeyUse.read(member)


AFTER_THE_EVENT = ("id", "event_id")
"""Columns that have no value before the event has an id."""

# These statements contain only our own tables and columns, and placeholders for values.
MOVE_ON = f"UPDATE {Stream._meta.db_table} SET seq = %s, head = %s WHERE id = %s"  # noqa: S608

Beside = EventPayload | EventIndex | EventSubject


def store(event: Event, beside: Sequence[Beside]) -> None:
    """Insert an event and the rows beside it, which get it as their `event`; those of one model have to be adjacent.
    Its stream moves to `seq` and `head` of `event.stream`.
    """
    connection, stream = connections[DEFAULT_DB_ALIAS], event.stream
    tables = [(model, list(rows)) for model, rows in groupby(beside, type)]
    moved: list[Any] = [stream.seq, stream.head, stream.pk]
    values = _values(event)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            values = [*moved, *values, *(value for row in beside for value in _values(row))]
            cursor.execute(_statement(*((model, len(rows)) for model, rows in tables)), values)
            event.pk = cursor.fetchone()[0]
        else:
            cursor.execute(MOVE_ON, moved)
            cursor.execute(f"{_insert(Event)} VALUES {_places(Event)} RETURNING id", values)
            event.pk = cursor.fetchone()[0]
            for model, rows in tables:
                places = ", ".join([_places(model, "%s, ")] * len(rows))
                values = [value for row in rows for value in (event.pk, *_values(row))]
                cursor.execute(f"{_insert(model, 'event_id, ')} VALUES {places}", values)
    for row in beside:
        row.event = event
    for stored in (event, *beside):
        stored._state.adding, stored._state.db = False, DEFAULT_DB_ALIAS


@cache
def _statement(*beside: tuple[type[Model], int]) -> str:
    """Return the statement with which PostgreSQL stores an event and so many rows of these models."""
    parts = [f"stream AS ({MOVE_ON})", f"event AS ({_insert(Event)} VALUES {_places(Event)} RETURNING id)"]
    for model, count in beside:
        rows = ", ".join([_places(model)] * count)
        inserted = f"{_insert(model, 'event_id, ')} SELECT event.id, beside.* FROM event, (VALUES {rows}) AS beside"  # noqa: S608
        parts.append(f"{model._meta.model_name} AS ({inserted})")
    return f"WITH {', '.join(parts)} SELECT id FROM event"  # noqa: S608


@cache
def _fields(model: type[Model]) -> tuple[Field[Any, Any], ...]:
    return tuple(field for field in model._meta.local_concrete_fields if field.column not in AFTER_THE_EVENT)


def _values(row: Model) -> list[Any]:
    """Return the values of the row's fields for the database driver."""
    connection = connections[DEFAULT_DB_ALIAS]
    return [field.get_db_prep_save(getattr(row, field.attname), connection=connection) for field in _fields(type(row))]


@cache
def _insert(model: type[Model], first: str = "") -> str:
    columns = ", ".join(connections[DEFAULT_DB_ALIAS].ops.quote_name(str(field.column)) for field in _fields(model))
    return f"INSERT INTO {model._meta.db_table} ({first}{columns})"


@cache
def _places(model: type[Model], first: str = "") -> str:
    # PostgreSQL takes a value in a list of VALUES for a text unless it is cast.
    connection = connections[DEFAULT_DB_ALIAS]
    of_type = "::{}" if connection.vendor == "postgresql" else ""
    places = (f"%s{of_type.format(field.db_type(connection))}" for field in _fields(model))
    return f"({first}{', '.join(places)})"


# Optimistic locking: an edit names what it was based on, and is refused if that has changed since.


def version(values: dict[str, Any]) -> str:
    """Return the version of a form's values: 16 hex digits that change with them."""
    return fingerprint(values)[:16]


def compare_and_set(campaign: Campaign, subject: Subject, *, expected: str, current: dict[str, Any]) -> None:
    """Raise Conflict, with the values as they are now and whose they are, unless `expected` is their version."""
    if expected != version(current):
        by = last_actor(campaign, subject.key)
        raise Conflict(
            (
                _("{name} changed this first. Check what it says now, then try again.").format(name=by)
                if by
                else _("Someone changed this first. Check what it says now, then try again.")
            ),
            current=current,
            by=by,
        )


def last_actor(campaign: Campaign, key: str, kinds: tuple[str, ...] = ()) -> str:
    """Return the name of the last person to act on a subject, optionally by these kinds of events; "" if there is none."""
    events = Event.objects.filter(campaign=campaign).about(key)
    if kinds:
        events = events.filter(kind__in=kinds)
    last = events.before(None).select_related("stored").first()
    return last.actor_name if last else ""
