"""The demo campaign grown old: everything in it is copied by SQL again and again, each time as another session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.core.management import call_command
from django.db import connection, models
from django.db.models import Max, Min
from django.utils import timezone

from campaigns.models import (
    Campaign,
    Event,
    EventIndex,
    EventPayload,
    EventSubject,
    GameSession,
    Membership,
    Pin,
    Recap,
    Scene,
    SceneOverride,
    Stream,
    Written,
)
from campaigns.services import play
from campaigns.services.log import happening_at
from characters.models import LedgerEntry
from config.demo.harrow import SLUG
from rolls.models import Roll
from scale.models import Burn, ScaleStep

NOW = "Now"
"""The session that is being played."""

OPEN = (Burn.State.OFFERED, Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN, Burn.State.DEFERRED)
"""States of Burns that wait for someone: a campaign has only a few, however old it is."""

GROWS: Mapping[type[models.Model], str] = {
    Scene: "session_id IN (SELECT id FROM campaigns_gamesession WHERE campaign_id = {campaign})",
    Event: "campaign_id = {campaign}",
    EventPayload: "event_id IN {events}",
    EventIndex: "event_id IN {events}",
    EventSubject: "event_id IN {events}",
    SceneOverride: "event_id IN {events}",
    Pin: "campaign_id = {campaign}",
    LedgerEntry: "event IN {uids}",
    Roll: "event_id IN {events}",
    Written: "campaign_id = {campaign}",
    ScaleStep: "event_id IN {events}",
    Burn: "event_id IN {events} AND state NOT IN {open}",
}
"""Models with more rows for every session, and the condition for this campaign's rows, ordered so that foreign keys
exist already.
"""

COPIED = frozenset({Event, Scene, Roll, Burn})
"""Models whose rows the copies refer to. References to all others stay the same: people, characters, clocks, Scales."""


@dataclass(frozen=True)
class Repeated:
    """A campaign's rows as they were before any was made again: how far ids and numbers have to move with each time."""

    campaign: Campaign
    rows: Mapping[type[models.Model], str]
    last: int
    span: int
    lasted: timedelta

    @classmethod
    def of(cls, campaign: Campaign) -> Repeated:
        spans = [model._default_manager.aggregate(last=Max("pk"))["last"] for model in GROWS if _counted(model)]
        ends = Event.objects.filter(campaign=campaign).aggregate(first=Min("at"), last=Max("at"), id=Max("pk"))
        mine = f"(SELECT id FROM campaigns_event WHERE campaign_id = {_literal(campaign.pk)} AND id <= {ends['id']})"
        states = f"({', '.join(_literal(state.value) for state in OPEN)})"
        uids = mine.replace("SELECT id", "SELECT uid")
        words = {"campaign": _literal(campaign.pk), "events": mine, "uids": uids, "open": states}
        rows = {model: f"({where.format(**words)})" for model, where in GROWS.items()}
        for model in (Event, Scene, Pin):
            last = model._default_manager.aggregate(last=Max("pk"))["last"]
            rows[model] += f" AND id <= {last}"
        # What services write between two times has its ids after those of the time before.
        return cls(campaign, rows, ends["id"], max(spans) + 1000, ends["last"] - ends["first"])

    def again(self, first: int, last: int, session: int) -> None:
        """Copy all rows for the times `first` to `last`; `session` is the id of the session that time 0 would have had."""
        with connection.cursor() as cursor:
            cursor.execute("CREATE TEMPORARY TABLE line (stream_id bigint, once bigint, head bigint)")
            for stream in Stream.objects.filter(campaign=self.campaign):
                once = Event.objects.filter(stream=stream, pk__lte=self.last).aggregate(last=Max("seq"))["last"]
                head = stream.seq - first * (once or 0)
                cursor.execute(f"INSERT INTO line VALUES ({stream.pk}, {once or 0}, {head})")
            ahead = f"SELECT n + 1 FROM n WHERE n < {last}"
            times = f"(WITH RECURSIVE n(n) AS (SELECT CAST({first} AS bigint) UNION ALL {ahead}) SELECT n FROM n)"
            for model, where in self.rows.items():
                names, values = zip(*self._columns(model, session), strict=True)
                table = model._meta.db_table
                cursor.execute(
                    f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} "
                    f"FROM {times} n CROSS JOIN {table} o WHERE {where} ORDER BY n.n, o.{model._meta.pk.column}"  # type: ignore[union-attr]
                )
            cursor.execute("DROP TABLE line")

    def _columns(self, model: type[models.Model], session: int) -> list[tuple[str, str]]:
        return [(_quoted(field), self._value(model, field, session)) for field in model._meta.concrete_fields]

    def _value(self, model: type[models.Model], field: Any, session: int) -> str:
        old = f"o.{_quoted(field)}"
        to = field.related_model if field.is_relation else None
        if to is GameSession:
            return f"CASE WHEN {old} IS NULL THEN NULL ELSE {session} + n.n END"
        own = isinstance(field, models.UUIDField) and field.name in ("uid", "key", "cause")
        if to in COPIED or own or field.primary_key or (model is LedgerEntry and field.name == "event"):
            key = to._meta.pk if to else field
            return _renewed(old) if isinstance(key, models.UUIDField) else f"{old} + n.n * {self.span}"
        if isinstance(field, models.DateTimeField):
            return _later(old, self.lasted)
        if field.name == "seq":
            return f"{old} + (SELECT line.head + n.n * line.once FROM line WHERE line.stream_id = o.stream_id)"
        if field.name == "number":
            return f"o.id + n.n * {self.span}" if model is Scene else f"{old} + n.n * {self.span}"
        return old


class World:
    """The demo, which `grow` makes older; its last session is open, and has little in it."""

    def __init__(self) -> None:
        call_command("migrate", verbosity=0)
        call_command("demo", verbosity=0, stdout=_Nowhere())
        self.database = "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"
        self.campaign = Campaign.objects.get(slug=SLUG)
        self.members = {member.user.username: member for member in Membership.objects.filter(campaign=self.campaign)}
        play.end_session(self.gm, key=uuid4())
        self.repeated = Repeated.of(self.campaign)
        self._times = 0
        self._begin()

    @property
    def gm(self) -> Membership:
        return self.members["gm"]

    @property
    def events(self) -> int:
        return Event.objects.filter(campaign=self.campaign).count()

    @property
    def session(self) -> GameSession:
        """Return the newest finished session with many events."""
        return GameSession.objects.filter(campaign=self.campaign).exclude(title=NOW).order_by("-number")[0]

    def grow(self, events: int) -> None:
        """Grow the log to about so many events."""
        once = Event.objects.filter(campaign=self.campaign, pk__lte=self.repeated.last).count()
        first, last = self._times + 1, round(events / once) - 1
        if last < first:
            return
        play.end_session(self.gm, key=uuid4())
        self._again(first, last)
        self._times = last
        self._begin()

    def _again(self, first: int, last: int) -> None:
        began = Event.objects.filter(campaign=self.campaign).aggregate(last=Max("at"))["last"]
        number = GameSession.objects.filter(campaign=self.campaign).aggregate(last=Max("number"))["last"]
        made = GameSession.objects.bulk_create(
            GameSession(
                campaign=self.campaign,
                number=number + place,
                title="Another evening",
                started_at=began + self.repeated.lasted * place,
                ended_at=began + self.repeated.lasted * (place + 1),
            )
            for place in range(1, last - first + 2)
        )
        Recap.objects.bulk_create(
            Recap(session=session, words="What happened. " * 40, published_at=timezone.now()) for session in made
        )
        self.repeated.again(first, last, made[0].pk - first)
        for stream in Stream.objects.filter(campaign=self.campaign):
            newest = Event.objects.filter(stream=stream).order_by("-seq").first()
            if newest:
                Stream.objects.filter(pk=stream.pk).update(seq=newest.seq, head=newest.hash)
        _set_sequences()

    def _begin(self) -> None:
        latest = Event.objects.filter(campaign=self.campaign).aggregate(last=Max("at"))["last"]
        with happening_at(latest + timedelta(hours=1)):
            play.start_session(self.gm, NOW, key=uuid4())
            play.open_scene(self.gm, "Here", key=uuid4())


class _Nowhere:
    def write(self, words: str) -> None:
        pass


def _counted(model: type[models.Model]) -> bool:
    return isinstance(model._meta.pk, models.AutoField)


def _quoted(field: Any) -> str:
    return connection.ops.quote_name(field.column)


def _literal(value: Any) -> str:
    """Return an id or a name of ours as an SQL literal."""
    hexed = getattr(value, "hex", None)
    text = (hexed if connection.vendor == "sqlite" else str(value)) if hexed else value
    return f"'{text}'"


def _renewed(uuid: str) -> str:
    """Return SQL for another UUID in each copy, the same for equal ones."""
    if connection.vendor == "sqlite":
        return f"printf('%08x', n.n) || substr({uuid}, 9)"
    return f"(lpad(to_hex(n.n), 8, '0') || substr(replace({uuid}::text, '-', ''), 9))::uuid"


def _later(moment: str, lasted: timedelta) -> str:
    seconds = int(lasted.total_seconds())
    if connection.vendor == "sqlite":
        return f"strftime('%Y-%m-%d %H:%M:%f', {moment}, '+' || (n.n * {seconds}) || ' seconds')"
    return f"{moment} + n.n * {seconds} * interval '1 second'"


def _set_sequences() -> None:
    """Set PostgreSQL's id sequences past the rows that were written here."""
    if connection.vendor == "postgresql":
        counted: Sequence[type[models.Model]] = [model for model in GROWS if _counted(model)]
        with connection.cursor() as cursor:
            for model in counted:
                table = model._meta.db_table
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table}")
            cursor.execute("VACUUM ANALYZE")
