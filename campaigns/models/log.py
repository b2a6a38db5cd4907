"""The log of a campaign: numbered, chained events in streams; their payloads; their subjects; operations done once.

Events are written once and never changed: triggers in both databases refuse it. The payload is in its EventPayload,
bound to the event by a salted hash, so that a person's name or words can be erased later without breaking the chain.
The index (EventIndex) and the current scene (SceneOverride) are separate rows and may change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, models
from django.db.models import Case, Exists, F, IntegerField, OuterRef, Q, Subquery, Value, When, prefetch_related_objects
from django.utils.translation import get_language

from campaigns.kinds import Indexed, Part, kind_of
from campaigns.models.members import GM, TABLE, Campaign, Membership, Viewer, name_words
from campaigns.models.play import GameSession, Pin, Scene
from campaigns.text import as_read, folded


@dataclass(frozen=True)
class Subject:
    """A subject to record an event under: `key` such as "character:<uuid>", `name` as it is now."""

    key: str
    name: str


def person(member: Membership) -> dict[str, Any]:
    """Return how payloads name a person: found by `forget` when the account goes."""
    return {"member": member.number, "name": member.kept_name}


def persons(value: Any) -> Iterator[tuple[str, str]]:
    """Yield every person named anywhere in a payload, as subject key and name."""
    if isinstance(value, dict):
        if set(value) == {"member", "name"}:
            yield f"member:{value['member']}", value["name"]
        for item in value.values():
            yield from persons(item)
    elif isinstance(value, list):
        for item in value:
            yield from persons(item)


class Stream(models.Model):
    """A numbered line of events with one audience: `table` (all), `gm` (the GMs), `member:<id>` (that member and the GMs).

    `seq` is the number of the last event, `head` its hash. Both move only under the campaign's lock.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="streams")
    name = models.CharField(max_length=40)
    seq = models.PositiveBigIntegerField(default=0)
    head = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "name"], name="stream_names_are_unique")]

    def __str__(self) -> str:
        return self.name


_PLACE = Case(
    When(stream__name=GM, then=Value(0)),
    When(stream__name=TABLE, then=Value(2)),
    default=Value(1),
    output_field=IntegerField(),
)


AMENDMENTS = ("amendments__stored", "amendments__amendments")


class EventQuerySet(models.QuerySet["Event"]):
    def seen_by(self, viewer: Viewer) -> EventQuerySet:
        """Return events of the streams that this viewer may see."""
        events = self.filter(campaign=viewer.campaign)
        return events if viewer.streams is None else events.filter(stream__name__in=viewer.streams)

    def deduplicated(self, viewer: Viewer) -> EventQuerySet:
        """Keep one copy of each event that this viewer sees in several streams, by its uid: preferably the GMs', then a
        member's, then the table's.
        """
        if viewer.streams == [TABLE]:
            return self
        ahead = Q(place__lt=OuterRef("place")) | Q(place=OuterRef("place"), pk__lt=OuterRef("pk"))
        richer = Event.objects.seen_by(viewer).annotate(place=_PLACE).filter(ahead, uid=OuterRef("uid"))
        return self.annotate(place=_PLACE).filter(~Exists(richer))

    def about(self, key: str) -> EventQuerySet:
        """Return events about one subject, such as "character:<uuid>"."""
        return self.filter(subjects__key=key)

    def before(self, event_id: int | None) -> EventQuerySet:
        """Order events newest first, and keep those older than one event (keyset paging)."""
        events = self.order_by("-id")
        return events if event_id is None else events.filter(id__lt=event_id)

    def with_related(self) -> EventQuerySet:
        """Read the events with everything needed to draw them but their campaign, in a constant number of queries.
        Payloads name the actors.
        """
        return self.with_stored().prefetch_related(*AMENDMENTS)

    def with_stored(self) -> EventQuerySet:
        """Read events with the same, except for their amendments (`prefetch_amendments`), in one query."""
        pins = Pin.objects.filter(campaign=OuterRef("campaign"), uid=OuterRef("uid"))
        read = self.select_related("stream", "stored")
        return read.annotate(is_pinned=Exists(pins), card=F("index__card"))

    def amended(self) -> EventQuerySet:
        """Add `is_amended` to each event."""
        return self.annotate(is_amended=Exists(self.model._default_manager.filter(parent=OuterRef("pk"))))

    def linked(self) -> EventQuerySet:
        """Add `prev`, the hash of the event before it, to each event."""
        before = self.model._default_manager.filter(stream=OuterRef("stream"), seq=OuterRef("seq") - 1)
        return self.annotate(prev=Subquery(before.values("hash")))


class Event(models.Model):
    """One thing that happened. `uid` is its id on pages: the same in every stream that has it, and not a counter."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="events")
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveBigIntegerField()
    uid = models.UUIDField()
    kind = models.CharField(max_length=60)
    actor = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    session = models.ForeignKey(GameSession, null=True, on_delete=models.PROTECT, related_name="+")
    scene = models.ForeignKey(Scene, null=True, on_delete=models.PROTECT, related_name="+")
    parent = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="amendments", db_column="amends_id"
    )
    """The event that this one amends. The column keeps its first name: SQLite would rename it by making the table anew, which the
    triggers that guard events refuse."""
    commitment = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    prev: str | None = None
    """The hash of the event before it in its stream, where it was asked for with `linked`; None for the first."""
    is_amended: bool
    """Where it was asked for with `amended`."""
    card: UUID | None = None
    """The thing on whose card it stands, where it was asked for with `with_stored`; None for a line of its own."""
    undo: str | None = ""
    """The thing of which its line tells the last that can be undone (`mark_undoable`); None where nothing can be pressed."""

    objects = EventQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stream", "seq"], name="event_numbers_are_unique")]
        indexes = [
            models.Index(fields=["campaign", "id"], name="event_by_campaign"),
            models.Index(fields=["campaign", "uid"], name="event_by_uid"),
            models.Index(fields=["campaign", "actor", "id"], name="event_by_actor"),
            models.Index(fields=["campaign", "at"], name="event_by_moment"),
        ]

    def __str__(self) -> str:
        return f"{self.stream.name} {self.seq}: {self.kind}"

    @property
    def payload(self) -> dict[str, Any]:
        """Return the payload in this version's form, whichever version wrote it; the hash binds `stored.payload`."""
        return kind_of(self.kind).today(self.stored.payload)

    @cached_property
    def is_readable(self) -> bool:
        """Return whether the payload fits its kind; that of an imported event need not."""
        return kind_of(self.kind).reads(self.payload)

    @property
    def described(self) -> dict[str, Any]:
        """Return the payload with words for its codes, in the active language, as templates draw it.

        It is put together once for each language: the line and what moves displays are drawn from it, for each role.
        """
        key = get_language(), self.stored.erased_at
        if key not in self._described:
            described = kind_of(self.kind).described(self.payload)
            self._described[key] = _as_read(described) if self.stored.erased_at else described
        return self._described[key]

    @cached_property
    def _described(self) -> dict[tuple[str, datetime | None], dict[str, Any]]:
        return {}

    @property
    def actor_name(self) -> str:
        """Return the actor's name at the time of the event."""
        by = self.payload.get("by")
        return name_words(by.get("name", "")) if isinstance(by, dict) else ""

    @property
    def actor_number(self) -> int | None:
        """Return the number by which this log knows the actor, which the hash binds; None without one. Needs `actor`."""
        return self.actor.number if self.actor else None

    @property
    def part(self) -> Part | None:
        """Return its place on the card on which it stands; None for a line of its own."""
        return kind_of(self.kind).part if self.card else None

    @property
    def undone_on_card(self) -> bool:
        """Return whether what can be undone of it is the last step of the thing on whose card it stands."""
        return bool(self.undo) and self.undo == f"procedure:{self.card}"

    @property
    def is_beside(self) -> bool:
        """Return whether it is beside the story, for those who want everything."""
        return kind_of(self.kind).beside

    @property
    def template(self) -> str:
        """Return the path of the template by which events of this kind are drawn."""
        return kind_of(self.kind).template


def _as_read(value: Any) -> Any:
    """Return a payload with words for deleted accounts and for erased texts, in the active language."""
    if isinstance(value, dict):
        if set(value) == {"member", "name"}:
            return {**value, "name": name_words(value["name"])}
        return {key: _as_read(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_read(item) for item in value]
    return as_read(value) if isinstance(value, str) else value


class EventPayload(models.Model):
    """The payload of an event. It holds ints, strings, bools, None, lists and dicts; persons as {"member", "name"}."""

    event = models.OneToOneField(Event, primary_key=True, on_delete=models.PROTECT, related_name="stored")
    salt = models.CharField(max_length=32)
    payload = models.JSONField()
    erased_at = models.DateTimeField(null=True, blank=True)


class EventSubject(models.Model):
    """A subject of an event, as "thing:id", with its name at the time. It is no foreign key: this app knows no apps above it.

    `topic` and `outcome` copy the event’s EventIndex, so that rare events of a person with many can be found by an index.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="subjects")
    key = models.CharField(max_length=60)
    name = models.CharField(max_length=120)
    topic = models.CharField(max_length=12, blank=True)
    outcome = models.CharField(max_length=16, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["key", "event"], name="subject_by_key"),
            models.Index(fields=["key", "topic", "event"], name="subject_by_key_and_topic"),
            models.Index(fields=["key", "outcome", "event"], name="subject_by_key_and_outcome"),
        ]
        constraints = [models.UniqueConstraint(fields=["event", "key"], name="a_subject_once_an_event")]


class IdempotencyKey(models.Model):
    """A used key from a browser: who, the exact content, and the result. It makes every operation happen at most once."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="+")
    key = models.UUIDField()
    by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    by_program = models.BooleanField(default=False)
    fingerprint = models.CharField(max_length=64)
    result = models.CharField(max_length=120, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key"], name="a_key_once")]
        indexes = [models.Index(fields=["by", "at"], name="deed_by_person_and_time")]


def prefetch_amendments(events: Sequence[Event]) -> None:
    """Read what `with_related` reads of amendments, for events that know whether they have any: of new ones hardly one has."""
    prefetch_related_objects([event for event in events if event.is_amended], *AMENDMENTS)
    none = Event.objects.none()
    for event in events:
        if not event.is_amended:
            event._prefetched_objects_cache = {"amendments": none}  # type: ignore[attr-defined]


class EventIndex(models.Model):
    """What one event is found by. `words` are its searchable words, folded and separated by blanks.

    The databases keep an index of the words’ trigrams together with the stream (campaigns/migrations/0022_trigrams.py): a
    search names the streams of the reader, so hidden events are never looked at. No choices are named here: on SQLite
    changing them would build the table again without its triggers.
    """

    event = models.OneToOneField(Event, primary_key=True, on_delete=models.PROTECT, related_name="index")
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="+", db_index=False)
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="+", db_index=False)
    topic = models.CharField(max_length=12)
    system = models.CharField(max_length=20, blank=True)
    outcome = models.CharField(max_length=16, blank=True)
    words = models.TextField(blank=True)
    card = models.UUIDField(null=True)
    """The thing on whose card of the feed it stands, such as a procedure. Events of 0.2 have none: each is a line of its own."""

    class Meta:
        indexes = [
            models.Index(fields=["campaign", "topic", "event"], name="entry_by_topic"),
            models.Index(fields=["campaign", "outcome", "event"], name="entry_by_outcome"),
            models.Index(fields=["campaign", "system", "event"], name="entry_by_system"),
            models.Index(fields=["card"], condition=Q(card__isnull=False), name="entry_by_card"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} of {self.event_id}"

    @classmethod
    def of(cls, event: Event) -> EventIndex:
        """Return the entry of an event as it is now; not stored yet."""
        return cls.by(event, kind_of(event.kind).indexed(event.payload))

    @classmethod
    def by(cls, event: Event, by: Indexed) -> EventIndex:
        """Return the entry of an event that is found by this; not stored yet."""
        return cls(
            event=event,
            campaign_id=event.campaign_id,
            stream_id=event.stream_id,
            topic=by.topic,
            system=by.system,
            outcome=by.outcome or "",
            words=" ".join(folded(by.words)),
        )


def forget_words() -> None:
    """Remove erased words from the word index for good: SQLite's would keep them, marked as deleted."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO campaigns_words(campaigns_words) VALUES ('optimize')")


class SceneOverride(models.Model):
    """The scene to which an event was moved later. Events in their original place have none."""

    event = models.OneToOneField(Event, primary_key=True, on_delete=models.PROTECT, related_name="filing")
    scene = models.ForeignKey(Scene, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.event} under {self.scene}"


class Moved(NamedTuple):
    """Ids of events: those put `here` from elsewhere, and those put `away` from here."""

    here: list[int]
    away: list[int]


def moved(*, session: int | None = None, scene: int | None = None) -> Moved:
    """Return the events moved into and out of a session or a scene. One query, and few events: each was moved by hand."""
    now, then = ("scene__session", "event__session") if scene is None else ("scene", "event__scene")
    pk = session if scene is None else scene
    rows = SceneOverride.objects.filter(Q(**{now: pk}) | Q(**{then: pk})).values_list("event", now, then)
    return Moved(
        here=[event for event, at, was in rows if at == pk != was], away=[event for event, at, _ in rows if at != pk]
    )


def filed_in(events: EventQuerySet, session: GameSession) -> EventQuerySet:
    """Keep the events filed in a session now. It uses a few ids and no join, so that the index by session still leads."""
    here, away = moved(session=session.pk)
    return events.filter(Q(session=session) | Q(pk__in=here)).exclude(pk__in=away)


def place_of(event: Event) -> tuple[GameSession | None, Scene | None]:
    """Return the session and scene where an event is filed now."""
    filing: SceneOverride | None = getattr(event, "filing", None)
    return (filing.scene.session, filing.scene) if filing else (event.session, event.scene)
