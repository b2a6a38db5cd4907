"""A whole campaign from another server, as an archive: its log as it was written there, with the people and rows that
the log's pages need.

The chain binds the campaign's id, the names of its streams and the numbers of its people. So all of these stay as they were, and
people, who have no account here, keep the number that the log knows them by (`Membership.abroad`).

A long log is written in steps, so that others may write in between. Events can never be deleted again: until all of them are
there the archive has no members, and an interrupted import continues where it stopped as soon as the same file is sent again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import IO, Any, TypeVar
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Sum
from django.utils import timezone

from campaigns import chain, rulesets
from campaigns.archive.reader import Incoming, Line, Ref, indexed, lines_in, moment, persons, read, ref
from campaigns.chain import fingerprint
from campaigns.errors import Invalid
from campaigns.events import EVENT_REFILED, LOG_RESTORED, MOMENT_PINNED, MOMENT_UNPINNED, RECAP_DRAFTED, RECAP_PUBLISHED
from campaigns.models import (
    Campaign,
    Event,
    EventIndex,
    EventPayload,
    EventSubject,
    GameSession,
    IdempotencyKey,
    Membership,
    Pin,
    Recap,
    Role,
    Scene,
    SceneOverride,
    Stream,
)
from campaigns.models.log import place_of
from campaigns.models.members import TABLE
from campaigns.queries.log_lines import restored_key
from campaigns.services.campaigns import laid_out
from campaigns.services.idempotency import USED_KEY, run_once, unless_used_elsewhere
from campaigns.services.log import UnitOfWork, begin, locked
from languages.text import gettext_lazy
from people.models import User

# Events that come from elsewhere on their way into the database: in the order of their file, some at a time.


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


# Rebuild, from an imported log's events, the rows that its pages need: filings, pins, recaps.


MOST_PINS = 200  # of a session
AT_ONCE = 500  # events looked up

Place = tuple[int | None, int | None]
T = TypeVar("T")


@dataclass
class Rebuilt:
    """The state after all lines that were noted, by the names that the log itself gives to things."""

    _filed: dict[Ref, Place] = field(default_factory=dict)
    _pins: dict[str, Line] = field(default_factory=dict)
    _recaps: dict[int, Recap] = field(default_factory=dict)

    def noted(self, line: Line) -> Line:
        """Return the line, as it was given."""
        payload, kind = line["payload"], line["kind"]
        if kind == EVENT_REFILED and line["amends"]:
            self._filed[ref(line["amends"])] = _number(payload["now"], "session"), _number(payload["now"], "scene")
        elif kind == MOMENT_PINNED:
            self._pins.setdefault(payload["of"], line)
        elif kind == MOMENT_UNPINNED:
            self._pins.pop(payload["of"], None)
        elif kind in (RECAP_DRAFTED, RECAP_PUBLISHED):
            self._note_recap(line)
        return line

    def _note_recap(self, line: Line) -> None:
        recap = self._recaps.setdefault(line["payload"]["number"], Recap())
        recap.draft = line["payload"]["words"]
        # Only what was recorded for everyone may be read by everyone.
        if line["kind"] == RECAP_PUBLISHED and line["stream"] == TABLE:
            recap.words, recap.published_at = recap.draft, moment(line)

    def write(self, campaign: Campaign, ids: Mapping[Ref, int]) -> None:
        """Store all of it. `ids` are those of amended events. What belongs to no imported session is left out."""
        SceneOverride.objects.bulk_create(self._filings(campaign, ids))
        Pin.objects.bulk_create(self._pinned(campaign))
        for session in GameSession.objects.filter(campaign=campaign, number__in=self._recaps):
            recap = self._recaps[session.number]
            recap.session = session
            recap.save(force_insert=True)

    def _filings(self, campaign: Campaign, ids: Mapping[Ref, int]) -> Iterator[SceneOverride]:
        scenes = Scene.objects.filter(session__campaign=campaign).select_related("session")
        known: dict[Place, Scene] = {(scene.session.number, scene.number): scene for scene in scenes}
        put = {ids[event]: known[place] for event, place in self._filed.items() if place in known}
        for some in _some(put):
            written = Event.objects.filter(pk__in=some).values_list("pk", "scene")
            # An event that was put back is in the scene where it was written.
            yield from (SceneOverride(event_id=pk, scene=put[pk]) for pk, scene in written if scene != put[pk].pk)

    def _pinned(self, campaign: Campaign) -> Iterator[Pin]:
        people = {member.number: member for member in Membership.objects.filter(campaign=campaign)}
        counts: Counter[GameSession] = Counter()
        for some in _some(self._pins):
            events = Event.objects.filter(campaign=campaign, uid__in=some).select_related(
                "session", "scene", "filing__scene__session"
            )
            for event in {event.uid: event for event in events.order_by("-pk")}.values():
                session = place_of(event)[0] if event.session else None
                if session is None or counts[session] == MOST_PINS:
                    continue
                counts[session] += 1
                line = self._pins[str(event.uid)]
                yield Pin(campaign=campaign, session=session, uid=event.uid, by=people[line["actor"]], at=moment(line))


def _number(place: Mapping[str, Any], what: str) -> int | None:
    return place[what]["number"] if place.get(what) else None


def _some(all_: Iterable[T]) -> Iterator[list[T]]:
    """Yield the same, some at a time."""
    rest = iter(all_)
    while some := list(islice(rest, AT_ONCE)):
        yield some


NAMELESS = gettext_lazy("Imported campaign")
HERE = gettext_lazy("This campaign is already on this server. Nothing was changed.")
BEGUN = gettext_lazy(
    "The import of a different file of this campaign was never finished. Import that file again to finish it. "
    "Nothing was changed."
)


class Faulty(Exception):
    """A file that cannot be used. `faults` are in words, by line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(*faults)
        self.faults = faults


def import_campaign(user: User, file: IO[bytes], *, key: UUID) -> Campaign:
    """Import the whole log of a campaign, as a GM exported it, as an archive with `user` as its GM.

    The same key from the same person with the same file returns the first result again. Raises Faulty, and Invalid if
    the campaign is already here, somebody else is importing it, or the key was used for anything else; then nothing of
    it becomes visible.
    """
    incoming = read(file)
    if incoming.faults:
        raise Faulty(incoming.faults)
    content = fingerprint("import_campaign", incoming.digest)
    if earlier := _brought(user, key, content):
        return earlier
    campaign = _begun(incoming)
    steps, rebuilt = Steps(campaign, incoming.amended), Rebuilt()
    lines = (rebuilt.noted(line) for line in lines_in(file))
    steps.write(islice(lines, steps.done, None))

    def attempt() -> Campaign:
        with locked(campaign) as campaign_now:
            steps.check()
            importer = Membership.objects.newcomer(campaign_now, user)
            importer.role = Role.GM
            work = begin(campaign_now, importer, key)
            return run_once(work, content, lambda: _finished(work, rebuilt, steps))

    return unless_used_elsewhere(key, attempt)


def _brought(user: User, key: UUID, content: str) -> Campaign | None:
    """Return the campaign that this key has already imported; None if there is none. Raises Invalid if it was used for
    anything else.

    This runs before writing, because what is written cannot be removed again; `once` checks under the lock.
    """
    operation = IdempotencyKey.objects.filter(key=key).select_related("campaign", "by").first()
    if operation is None:
        return None
    if operation.by is None or operation.by.user_id != user.pk or operation.fingerprint != content:
        raise Invalid(USED_KEY, field="key")
    return operation.campaign


def _begun(incoming: Incoming) -> Campaign:
    """Return the archive as it is before its first event, made now or by an import of the same file that broke off."""
    if Campaign.objects.filter(pk=incoming.campaign).exclude(bringing=incoming.digest).exists():
        raise Invalid(_why_not(incoming), field="file")
    with transaction.atomic(), locked(_campaign(incoming)) as campaign:
        if campaign.bringing == incoming.digest:
            return campaign
        # Another import of it may have begun while this was read.
        if campaign.imported_at or Membership.objects.filter(campaign=campaign).exists():
            raise Invalid(_why_not(incoming), field="file")
        campaign.archived_at = campaign.imported_at = now = timezone.now()
        campaign.bringing = incoming.digest
        campaign.save(update_fields=["archived_at", "imported_at", "bringing"])
        _lay_out(campaign, incoming, now)
        return campaign


def _why_not(incoming: Incoming) -> str:
    return BEGUN if Campaign.objects.filter(pk=incoming.campaign).exclude(bringing="").exists() else HERE


def _campaign(incoming: Incoming) -> Campaign:
    name, pitch, systems = (incoming.about.get(what) for what in ("name", "pitch", "systems"))
    # Including rulesets that are not installed here, since the log names them.
    chosen = (
        [name for name in systems if isinstance(name, str) and rulesets.NAME.fullmatch(name)]
        if isinstance(systems, list)
        else []
    )
    return laid_out(
        _line(name, 80) or str(NAMELESS),
        pitch[:2000] if isinstance(pitch, str) else "",
        list(dict.fromkeys(chosen)),
        UUID(incoming.campaign),
    )


def _lay_out(campaign: Campaign, incoming: Incoming, now: datetime) -> None:
    """Make what its events hang on: people, streams, sessions, scenes."""
    Membership.objects.bulk_create(
        Membership(
            campaign=campaign,
            role=someone.role,
            called=_line(someone.name, 120),
            abroad=number,
            joined_at=incoming.began or now,
            left_at=now,
        )
        for number, someone in incoming.people.items()
    )
    Stream.objects.bulk_create(
        Stream(campaign=campaign, name=name, head=chain.first_link(incoming.campaign, name)) for name in incoming.heads
    )
    sessions = {
        number: GameSession(
            campaign=campaign,
            number=number,
            title=_line(span.title, 120),
            started_at=span.first,
            ended_at=span.last,
        )
        for number, span in sorted(incoming.sessions.items())
    }
    GameSession.objects.bulk_create(sessions.values())
    Scene.objects.bulk_create(
        Scene(
            session=sessions[number],
            number=scene,
            title=_line(span.title, 120),
            opened_at=span.first,
            closed_at=span.last,
        )
        for (number, scene), span in sorted(incoming.scenes.items())
    )


def _finished(work: UnitOfWork, rebuilt: Rebuilt, steps: Steps) -> Campaign:
    """Finish an imported archive: store what follows from its events, and add its GM."""
    rebuilt.write(work.campaign, steps.ids)
    work.by.joined_at = work.campaign.imported_at = work.now
    work.by.save()
    work.campaign.bringing = ""
    work.campaign.save(update_fields=["imported_at", "bringing"])
    return work.campaign


def _line(text: object, most: int) -> str:
    """Return a text from a file as a name of at most so many characters; "" if it is no text."""
    return "".join(letter for letter in text if letter.isprintable())[:most].strip() if isinstance(text, str) else ""
