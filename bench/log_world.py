"""A database full of events, made by a few statements of SQL: what services would write, without taking their time."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid5

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.db.models import F, Value
from django.db.models.functions import Concat

from campaigns.models import (
    Campaign,
    Clock,
    Event,
    EventIndex,
    GameSession,
    Membership,
    Role,
    Storyline,
    Stream,
    Viewer,
)
from campaigns.queries.search import LogFilters, find
from characters.models import Character
from world.models import Page, PageKind

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
BETWEEN = 40  # seconds from one event to the next
OTHERS = 10  # campaigns beside the big one
PEOPLE = 5  # in each
A_SESSION = 2000  # events
SPACE = UUID(int=0)

# n is the number of the event, from 1. Multiplied by a prime, its remainders fall as if by chance.
NUMBERS = """
    CREATE TEMPORARY TABLE n AS
    WITH RECURSIVE counted(n) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT n + 1 FROM counted WHERE n < {events})
    SELECT n, CASE WHEN n % 2 = 0 THEN 0 ELSE (n / 2) % {others} + 1 END AS c, (n * 7919) % 1009 AS a,
    (n * 104729) % 997 AS b, (n * 15485863) % 10007 AS d FROM counted
"""
EVENT = """
    INSERT INTO campaigns_event
    (id, campaign_id, stream_id, seq, uid, kind, actor_id, at, session_id, commitment, hash)
    SELECT n.n, p.campaign_id, s.stream_id, n.n, {uid}, 'campaigns.said', m.member_id, {at},
    CASE WHEN n.c = 0 THEN {session} + n.n / (2 * {a_session}) END, '', ''
    FROM n JOIN place p ON p.c = n.c
    JOIN line s ON s.c = n.c AND s.which = CASE WHEN n.b < 847 THEN 0 WHEN n.b < 910 THEN 1 ELSE 2 + n.b % {people} END
    JOIN member m ON m.c = n.c AND m.which = n.a % {people} ORDER BY n.n
"""
PAYLOAD = """
    INSERT INTO campaigns_eventpayload (event_id, salt, payload)
    SELECT n, '', {payload} FROM n
"""
ENTRY = """
    INSERT INTO campaigns_eventindex (event_id, campaign_id, stream_id, topic, system, outcome, words)
    SELECT e.id, e.campaign_id, e.stream_id,
    CASE WHEN n.d < 2 THEN 'major' WHEN n.d < 4000 THEN 'talk' WHEN n.d < 8000 THEN 'roll' WHEN n.d < 9000 THEN 'narration'
    WHEN n.d < 9400 THEN 'burn' WHEN n.d < 9700 THEN 'clock' ELSE 'sheet' END,
    CASE WHEN n.d < 4000 OR n.d >= 8000 THEN '' WHEN n.b % 3 = 0 THEN 'forged' ELSE 'storyteller' END,
    CASE WHEN n.d < 4000 OR n.d >= 8000 THEN '' WHEN n.a % 40 = 0 THEN 'botch' WHEN n.a % 5 = 0 THEN 'failure' ELSE 'success' END,
    'c' || (n.a % 20) || 'x c' || (n.b % 20) || 'x m' || (n.d % 1500) || 'x m' || ((n.a * n.b) % 1500) || 'x r' || (n.n % 50000)
    FROM n JOIN campaigns_event e ON e.id = n.n ORDER BY n.n
"""
SUBJECT = """
    INSERT INTO campaigns_eventsubject (event_id, key, name, topic, outcome)
    SELECT e.event_id, {key}, 'x', e.topic, e.outcome FROM n JOIN campaigns_eventindex e ON e.event_id = n.n
    JOIN place p ON p.c = n.c WHERE {when} ORDER BY n.n
"""
SUBJECTS = {
    "'member:' || (SELECT actor_id FROM campaigns_event WHERE id = n.n)": "n.n > 0",
    "'character:' || p.c || '-' || (n.a % 6)": "n.d < 8000",
    "'clock:' || p.c || '-' || (n.a % 30)": "n.d >= 9400 AND n.d < 9700",
}


class World:
    """`viewers` look at the big campaign; `deep` is an event near its beginning."""

    def __init__(self, events: int) -> None:
        call_command("migrate", verbosity=0)
        self.events = events
        self.database = "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"
        places = [self._place(which) for which in range(OTHERS + 1)]
        self._fill(places)
        self.campaign, members = places[0]
        self.member = members[1].pk
        self.character, self.clock = "character:0-3", "clock:0-7"
        self.viewers = {
            "GM": Viewer(self.campaign, members[0], Role.GM),
            "player": Viewer(self.campaign, members[1], Role.PLAYER),
        }
        self.deep = self._near(0.05)

    def asking(self, viewer: Any, wanted: dict[str, Any], beyond: Event | None, most: int) -> Callable[[], object]:
        return partial(find, viewer, LogFilters(**wanted), beyond, most)

    def day(self, share: float) -> datetime:
        """Return the time when that share of all events had happened."""
        return BEGIN + timedelta(seconds=BETWEEN * self.events * share)

    def _near(self, share: float) -> Event:
        events = Event.objects.filter(campaign=self.campaign, pk__gte=int(self.events * share))
        return events.order_by("pk")[0]

    def _place(self, which: int) -> tuple[Campaign, list[Membership]]:
        """Make a campaign with its people and streams, without events yet."""
        campaign = Campaign.objects.create(pk=uuid5(SPACE, str(which)), slug=f"c{which}", name=f"Campaign {which}")
        people = [get_user_model().objects.create(username=f"p{which}-{number}") for number in range(PEOPLE)]
        members = [
            Membership.objects.create(
                campaign=campaign, user=user, role=Role.PLAYER if number else Role.GM, joined_at=BEGIN
            )
            for number, user in enumerate(people)
        ]
        for name in ("table", "gm", *(member.stream for member in members)):
            Stream.objects.create(campaign=campaign, name=name, seq=self.events, head="")
        return campaign, members

    def _fill(self, places: list[tuple[Campaign, list[Membership]]]) -> None:
        sessions = GameSession.objects.bulk_create(
            GameSession(campaign=places[0][0], number=number, started_at=BEGIN, ended_at=BEGIN)
            for number in range(1, self.events // (2 * A_SESSION) + 2)
        )
        self.session, self.early = sessions[len(sessions) // 2].pk, sessions[len(sessions) // 50].pk
        with connection.cursor() as cursor:
            cursor.execute(NUMBERS.format(events=self.events, others=OTHERS))
            self._keys(places)
            cursor.execute(EVENT.format(session=sessions[0].pk, a_session=A_SESSION, people=PEOPLE, **self._spelt()))
            cursor.execute(PAYLOAD.format(**self._spelt()))
            cursor.execute(ENTRY)
            for key, when in SUBJECTS.items():
                cursor.execute(SUBJECT.format(key=key, when=when))
            if connection.vendor == "postgresql":
                # As its autovacuum would soon do. SQLite stays as in normal use: without statistics.
                cursor.execute("VACUUM ANALYZE")

    def _keys(self, places: list[tuple[Campaign, list[Membership]]]) -> None:
        """Write the ids that the numbers of campaigns, people and streams stand for."""
        with connection.cursor() as cursor:
            kind = "char(32)" if connection.vendor == "sqlite" else "uuid"
            cursor.execute(f"CREATE TEMPORARY TABLE place (c integer, campaign_id {kind})")
            cursor.execute("CREATE TEMPORARY TABLE line (c integer, which integer, stream_id bigint)")
            cursor.execute("CREATE TEMPORARY TABLE member (c integer, which integer, member_id bigint)")
            for c, (campaign, members) in enumerate(places):
                cursor.execute("INSERT INTO place VALUES (%s, %s)", [c, campaign.pk.hex])
                streams = Stream.objects.filter(campaign=campaign).order_by("pk")
                rows = {"line": [stream.pk for stream in streams], "member": [member.pk for member in members]}
                for table, keys in rows.items():
                    for which, pk in enumerate(keys):
                        cursor.execute(f"INSERT INTO {table} VALUES (%s, %s, %s)", [c, which, pk])

    def _spelt(self) -> dict[str, str]:
        """Return the SQL that the two databases spell differently."""
        payload = json.dumps({"manner": "player", "words": "Words of an event.", "voice": None, "to": [], "by": None})
        if connection.vendor == "sqlite":
            at = f"datetime({int(BEGIN.timestamp())} + n.n * {BETWEEN}, 'unixepoch')"
            return {"uid": "printf('%032x', n.n)", "at": at, "payload": f"'{payload}'"}
        at = f"to_timestamp({int(BEGIN.timestamp())} + n.n * {BETWEEN})"
        return {"uid": "lpad(to_hex(n.n), 32, '0')::uuid", "at": at, "payload": f"'{payload}'::jsonb"}


PARAGRAPHS = (
    "The keeper’s lantern burns on the old quay, and nobody has ever seen who lights it. [[Lanternkeeper {other}]] says it is "
    "the chandler; [[Lantern Street {near}|her neighbours]] say that the chandler died in the winter of the great fire.",
    "Der Wächter der Altstadt hält seine Laterne hoch, wenn Schiffe über die Förde kommen. Man sagt, er habe „niemals“ "
    "geschlafen, nicht seit dem großen Brand. Wer ihn sucht, fragt in der [[Lantern Street {other}]] nach Liegeplatz {number}.",
    "* Owes the harbour master two favours and a barrel of oil\n* Was seen with [[Lanternkeeper {near}]] at berth {number}\n"
    "* Never speaks of the *Gull*, and leaves the room when somebody whistles her song",
    "We came here after the storm, in the third week. The door was open, the stove still warm, and on the table lay a letter to "
    "[[Lantern Street {near}]], sealed with black wax. Ash wanted to burn it – we kept it, and wrote down what could be read "
    "against the light: a date, half a name, and the number of a berth.",
)
"""What notes are made of: three of these have with letters beyond ASCII, as people write."""


def _note(number: int, paragraphs: int, many: int) -> str:
    numbers = {"number": number, "near": (number + 1) % many, "other": number * 7919 % many}
    return "\n\n".join(PARAGRAPHS[(number + at) % 4].format(**numbers) for at in range(paragraphs))


def add_names(campaign: Campaign, many: int) -> None:
    """Add so many things with names and as many pages with notes of some 700 letters, of both every second the GM's alone, and
    Japanese words to one in 500 entries.
    """
    third = range(many // 3)
    Character.objects.bulk_create(
        Character(
            campaign=campaign,
            system=campaign.systems[0] if campaign.systems else "storyteller",
            name=f"Lanternkeeper {number}",
            concept="Keeper of the old quarter",
            shown=number % 2 == 0,
            public_fields={"description": _note(number, 1, many // 3)},
            sheet_fields={"strength": 3, "dexterity": 2, "stamina": 4, "brawl": 2, "willpower": 5, "sire": "Unknown"},
        )
        for number in third
    )
    Storyline.objects.bulk_create(Storyline(campaign=campaign, title=f"Who lit lantern {number}") for number in third)
    Clock.objects.bulk_create(
        Clock(campaign=campaign, name=f"Lantern oil {number}", segments=6, opened=number % 2 == 0) for number in third
    )
    Page.objects.bulk_create(
        Page(
            campaign=campaign,
            kind=PageKind.values[number % 4],
            name=f"Lantern Street {number}",
            aliases=[f"{number} Lamp Row"] if number % 5 == 0 else [],
            note=_note(number, 1 + number % 6, many),
            gm_note="" if number % 3 else _note(number, 2, many),
            shown=number % 2 == 0,
        )
        for number in range(many)
    )
    entries = EventIndex.objects.annotate(rest=F("event") % 500).filter(rest=0)
    entries.update(words=Concat("words", Value(" 幽 霊 屋 敷")))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
