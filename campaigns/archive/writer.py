"""Events that come from elsewhere on their way into the database: in the order of their file, some at a time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from uuid import UUID

from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from campaigns.archive.schema import Line, Ref, indexed, moment, persons, ref
from campaigns.errors import Invalid
from campaigns.events import LOG_RESTORED
from campaigns.models import (
    Campaign,
    Event,
    EventIndex,
    EventPayload,
    EventSubject,
    GameSession,
    Membership,
    Scene,
    Stream,
)
from campaigns.queries.log_lines import restored_key
from campaigns.services.log import locked
from languages.text import gettext_lazy

STEP = 500  # events written in one transaction
PAUSE = 0.12
"""Seconds between two steps on SQLite, which lets one write at a time and has the others ask again every tenth of a second."""

TWICE = gettext_lazy("This campaign is being imported right now. Nothing was changed. Look again in a minute.")


class Steps:
    """The part of a campaign's log that is written: `done` lines of its file, and the `ids` of those events that others amend."""

    def __init__(self, campaign: Campaign, amended: Iterable[Ref]) -> None:
        self._campaign = campaign
        self._amended = frozenset(amended)
        self._people = {one.number: one for one in Membership.objects.filter(campaign=campaign)}
        self._streams = {one.name: one for one in Stream.objects.filter(campaign=campaign)}
        self._sessions = {one.number: one for one in GameSession.objects.filter(campaign=campaign)}
        scenes = Scene.objects.filter(session__campaign=campaign).select_related("session")
        self._scenes = {(one.session.number, one.number): one for one in scenes}
        self.done = sum(stream.seq for stream in self._streams.values())
        self.ids: dict[Ref, int] = dict(self._known()) if self.done else {}

    def _known(self) -> Iterator[tuple[Ref, int]]:
        events = Event.objects.filter(campaign=self._campaign).values_list("stream__name", "seq", "pk")
        return (((name, seq), pk) for name, seq, pk in events.iterator() if (name, seq) in self._amended)

    def check(self) -> None:
        """Raise Invalid, under the campaign's lock, if another import has written since."""
        written = Stream.objects.filter(campaign=self._campaign).aggregate(all=Sum("seq"))["all"]
        begun = Campaign.objects.filter(pk=self._campaign.pk, bringing=self._campaign.bringing).exists()
        if written != self.done or not begun:
            raise Invalid(TWICE, field="file")

    def write(self, lines: Iterator[Line]) -> None:
        """Write these lines after those that are done."""
        while step := list(islice(lines, STEP)):
            with locked(self._campaign):
                self.check()
                for part in self._parts(step):
                    self._write(part)
                Stream.objects.bulk_update(self._streams.values(), ["seq", "head"])
                self.done += len(step)
            if len(step) == STEP and connection.vendor == "sqlite":
                time.sleep(PAUSE)

    def _parts(self, step: list[Line]) -> Iterator[list[Line]]:
        """Split lines into parts that can be written at once: no line amends another of the same part."""
        part: list[Line] = []
        within: set[Ref] = set()
        for line in step:
            if line["amends"] and ref(line["amends"]) in within:
                yield part
                part, within = [], set()
            part.append(line)
            within.add(ref(line))
        yield part

    def _write(self, lines: list[Line]) -> None:
        events = Event.objects.bulk_create(map(self._event, lines))
        both = list(zip(lines, events, strict=True))
        EventPayload.objects.bulk_create(_payload(line, event) for line, event in both)
        entries = EventIndex.objects.bulk_create(EventIndex.by(event, indexed(line)) for line, event in both)
        EventSubject.objects.bulk_create(
            subject
            for (line, event), entry in zip(both, entries, strict=True)
            for subject in _subjects(line, event, entry)
        )
        self.ids |= {ref(line): event.pk for line, event in both if ref(line) in self._amended}

    def _event(self, line: Line) -> Event:
        stream = self._streams[line["stream"]]
        stream.seq, stream.head = line["seq"], line["hash"]
        return Event(
            campaign=self._campaign,
            stream=stream,
            seq=line["seq"],
            uid=UUID(line["uid"]),
            kind=line["kind"],
            actor=self._people[line["actor"]] if line["actor"] else None,
            at=moment(line),
            session=self._sessions.get(line["session"]),
            scene=self._scenes.get((line["session"], line["scene"])),
            parent_id=self.ids[ref(line["amends"])] if line["amends"] else None,
            commitment=line["commitment"],
            hash=line["hash"],
        )


def _payload(line: Line, event: Event) -> EventPayload:
    return EventPayload(
        event=event, salt=line["salt"], payload=line["payload"], erased_at=timezone.now() if line["erased"] else None
    )


def _subjects(line: Line, event: Event, entry: EventIndex) -> Iterator[EventSubject]:
    """Yield the people an event is about. A file does not name its other subjects."""
    about = {f"member:{number}": name for number, name in persons(line["payload"])}
    if line["kind"] == LOG_RESTORED:
        about[restored_key(event.campaign)] = event.campaign.name
    for key, name in about.items():
        yield EventSubject(event=event, key=key, name=name[:120], topic=entry.topic, outcome=entry.outcome)
