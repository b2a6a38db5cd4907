"""A campaign from another server, whole: its rows under ids of this database, checked against its log, its people as seats.

Everything is one transaction: a file that is refused changes nothing. All of it was written elsewhere, so nobody here is its
author: its people have no accounts until they claim their seats, each by an invitation of its own, and the log says where what
stands before came from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any, Final
from uuid import UUID, uuid4

from django.db import IntegrityError, connection, transaction
from django.db.models import ForeignKey, Model, UUIDField

from campaigns.chain import fingerprint
from campaigns.events import CAMPAIGN_MOVED
from campaigns.kinds import kind_of, kinds
from campaigns.models import (
    Boundaries,
    Campaign,
    Event,
    EventSubject,
    IdempotencyKey,
    Membership,
    Role,
    Stream,
    Written,
)
from campaigns.models.log import persons
from campaigns.models.members import GM, TABLE, member_stream
from campaigns.queries.log_lines import in_batches
from campaigns.schema import UNREADABLE
from campaigns.services import log
from campaigns.services.campaigns import campaign_subject, somebody
from campaigns.services.campaigns import slugs as free_slugs
from campaigns.services.idempotency import run_once
from campaigns.services.log import UnitOfWork, locked
from campaigns.services.log_entries import reindex
from campaigns.services.members import sit_down
from characters.models import Character
from languages.text import gettext_lazy
from people.models import User
from rolls.models import SeedEpoch
from rolls.moving.package import Package, Refused
from rolls.moving.parts import columns, is_numbered, paths, renamed, taken
from rolls.queries.checking import faults
from rolls.services.fairness import begin

AT_ONCE: Final = 500  # rows
LOOKED_UP: Final = 5000  # ids
MOST_PEOPLE: Final = 1000
MOST_AMENDING: Final = 100  # entries that amend one other
UUIDS: Final = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

MOST_WHILE_PLAYED: Final = 10_000_000
"""Bytes of rows that SQLite takes while others wait to write: some thousand entries."""
LONG: Final = gettext_lazy(
    "This campaign is too long to be imported while others play here. Ask whoever runs this server to import it with "
    "“manage.py campaign import”. Nothing was imported."
)
HERE: Final = gettext_lazy("This campaign is already on this server. Nothing was imported.")
OTHERS: Final = gettext_lazy("This file names things of other campaigns on this server. Nothing was imported.")


def arrive(file: IO[bytes], *, user: User | None = None, key: UUID | None = None) -> Campaign:
    """Take in a campaign from a file. `user` gets the seat of the GM who exported it; without one all seats are free.

    The same key from the same person returns the first result again. Raises Refused for a file that cannot be taken in, and for a
    campaign that is here.
    """
    key = key or uuid4()
    if user and (earlier := IdempotencyKey.objects.filter(key=key, by__user=user).select_related("campaign").first()):
        return earlier.campaign
    package = Package(file)
    if user and connection.vendor == "sqlite" and package.size > MOST_WHILE_PLAYED:
        raise Refused(LONG)
    if Campaign.objects.filter(pk=package.manifest.campaign).exists():
        raise Refused(HERE)
    _refuse_known(package)
    try:
        with transaction.atomic():
            campaign = _Arriving(package).write()
            with locked(campaign) as held:
                return _settled(held, package, user, key)
    except IntegrityError as error:
        if Campaign.objects.filter(pk=package.manifest.campaign).exists():
            raise Refused(HERE) from None
        raise Refused(detail=str(error)) from None


def _refuse_known(package: Package) -> None:
    """Raise Refused where a file names anything that is another campaign's: ids of things are in texts and values, too."""
    named = {one.decode() for model in taken() for line in package.lines(model) for one in UUIDS.findall(line)}
    known = [(model, "pk") for model in paths() if isinstance(model._meta.pk, UUIDField)] + [(Written, "cause")]
    rest = iter(named)
    while some := list(islice(rest, LOOKED_UP)):
        if any(model._base_manager.filter(**{f"{name}__in": some}).exists() for model, name in known):
            raise Refused(OTHERS)


class _Arriving:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.ids: dict[str, dict[Any, Any]] = {}
        """The ids of this database by those in the file, by model."""

    def write(self) -> Campaign:
        """Write all rows, and return the campaign. Raises Refused for rows that cannot be, or name what is not in the file."""
        for model in taken():
            self.ids[model._meta.label] = {} if is_numbered(model) else dict(self._own_ids(model))
            rows = self.package.rows(model)
            while some := list(islice(rows, AT_ONCE)):
                for part in self._parts(model, some):
                    self._store(model, part)
        campaigns = list(Campaign.objects.filter(pk__in=self.ids[Campaign._meta.label].values()))
        if [str(one.pk) for one in campaigns] != [self.package.manifest.campaign]:
            raise Refused
        return campaigns[0]

    def _own_ids(self, model: type[Model]) -> Iterator[tuple[Any, Any]]:
        pk = model._meta.pk
        if not isinstance(pk, ForeignKey):
            for row in self.package.rows(model):
                yield row[pk.attname], self.package.value(pk, row[pk.attname])

    def _parts(self, model: type[Model], rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
        """Split rows into parts that can be written at once: where they are numbered, none names another of the same part."""
        own = [key.attname for key in columns(model) if key.related_model is model] if is_numbered(model) else []
        part: list[dict[str, Any]] = []
        within: set[Any] = set()
        for row in rows:
            if any(row[name] in within for name in own):
                yield part
                part, within = [], set()
            part.append(row)
            within.add(row[model._meta.pk.attname])
        yield part

    def _store(self, model: type[Model], rows: list[dict[str, Any]]) -> None:
        made = model._base_manager.bulk_create([self._row(model, row) for row in rows])
        if is_numbered(model):
            ids = {row[model._meta.pk.attname]: one.pk for row, one in zip(rows, made, strict=True)}
            if len(ids) != len(rows) or not ids.keys().isdisjoint(self.ids[model._meta.label]):
                raise Refused(detail=f"{model._meta.label} has a number twice")
            self.ids[model._meta.label] |= ids

    def _row(self, model: type[Model], given: dict[str, Any]) -> Model:
        values: dict[str, Any] = {}
        for field in columns(model):
            if field.primary_key and is_numbered(model):
                continue
            value = given[field.attname]
            named = isinstance(field, ForeignKey) and value is not None
            values[field.attname] = self._id(field, value) if named else self.package.value(field, value)
        row = model(**values)
        if isinstance(row, Campaign):
            row.slug = next(free_slugs(row.name))
        elif isinstance(row, Membership):
            row.called = "".join(letter for letter in row.called if letter.isprintable()).strip()
        elif isinstance(row, Character):
            people = {str(one.abroad): one.pk for one in Membership.objects.filter(campaign=row.campaign_id)}
            own = {
                str(people.get(key, key)): those for key, those in row.private_fields.items() if key in (GM, *people)
            }
            row.private_fields = own
        elif isinstance(row, EventSubject):
            try:
                row.key = renamed(row.key, self.ids)
            except KeyError:
                raise Refused(detail=f"there is no {row.key}") from None
        return row

    def _id(self, field: Any, value: Any) -> Any:
        try:
            return self.ids[field.related_model._meta.label][value]
        except (KeyError, TypeError):
            raise Refused(detail=f"{field.model._meta.label}.{field.name} names what isn’t there") from None


def _settled(campaign: Campaign, package: Package, user: User | None, key: UUID) -> Campaign:
    """Check what was written, and begin what goes on here: dice, and the seat of whoever brought it."""
    gm = _refuse_wrong_people(campaign, package.manifest.by)
    for event in in_batches(
        Event.objects.filter(campaign=campaign).select_related("stream", "stored", "actor", "parent__stream")
    ):
        _refuse_wrong(event)
    _refuse_amended_too_often(campaign)
    if next(faults(campaign), None):
        # The index of another version may have other words.
        reindex(campaign)
        for fault in faults(campaign):
            raise Refused(detail=fault)
    _merge_boundaries(gm, package)
    work = log.begin(campaign, gm if user else somebody(campaign), key)
    _begin_here(work)
    if user is None:
        return campaign
    gm.user = user
    content = fingerprint("arrive", package.manifest.campaign)
    run_once(work, content, lambda: sit_down(work, Role.GM))
    return campaign


def _refuse_wrong_people(campaign: Campaign, by: int | None) -> Membership:
    """Return the GM who exported the campaign, or another. Raises Refused if it has none, or people whom its log could not tell
    apart."""
    people = list(Membership.objects.filter(campaign=campaign).order_by("pk"))
    numbers = {one.abroad for one in people}
    gms = [one for one in people if one.role == Role.GM and one.left_at is None]
    if len(people) > MOST_PEOPLE or len(numbers) != len(people) or not numbers.isdisjoint({None, 0}) or not gms:
        raise Refused(detail="its people")
    streams = {TABLE, GM, *(member_stream(number) for number in numbers if number)}
    if any(name not in streams for name in Stream.objects.filter(campaign=campaign).values_list("name", flat=True)):
        raise Refused(detail="its streams")
    return next((one for one in gms if one.abroad == by), gms[0])


def _refuse_wrong(event: Event) -> None:
    """Raise Refused for an event that no server would have written: of whom it is, what it amends, and what it says."""
    kind, payload = event.kind, event.stored.payload
    by = payload.get("by") if isinstance(payload, dict) else None
    named = [key for key, _name in persons(by)] if isinstance(by, dict) else []
    actor = [f"member:{event.actor.number}"] if event.actor else []
    is_known = kind in kinds() and named == actor and (not kind_of(kind).nameless or not actor)
    parent = event.parent
    is_amending = parent is None or (parent.pk < event.pk and event.stream.name in (parent.stream.name, TABLE))
    try:
        fits = is_known and is_amending and not kind_of(kind).mistakes(kind_of(kind).today(payload))
    except UNREADABLE:
        fits = False
    if not fits:
        raise Refused(detail=str(event))


def _refuse_amended_too_often(campaign: Campaign) -> None:
    parents = Event.objects.filter(campaign=campaign).exclude(parent=None).values_list("parent", flat=True)
    if any(many > MOST_AMENDING for many in Counter(parents).values()):
        raise Refused(detail="too many entries amend one other")


def _merge_boundaries(gm: Membership, package: Package) -> None:
    """Keep the lines and veils of all, which say nothing of whose they are, as those of a GM."""
    said = package.manifest.boundaries
    if said.lines or said.veils:
        field = Boundaries._meta.get_field("lines")
        lines, veils = (package.value(field, texts) for texts in (said.lines, said.veils))
        Boundaries.objects.create(member=gm, lines=lines, veils=veils)


def _begin_here(work: UnitOfWork) -> None:
    """Say in the log that what stands before was written elsewhere, and commit to seeds of this server's own: those that were
    committed to there and not told stayed there."""
    left = SeedEpoch.objects.filter(campaign=work.campaign, closed_at=None)
    payload = {"epochs": [epoch.name for epoch in left]}
    work.record(CAMPAIGN_MOVED, payload, subjects=[campaign_subject(work.campaign)])
    left.update(closed_at=work.now)
    begin(work)
