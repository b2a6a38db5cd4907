"""A whole campaign from elsewhere, as an archive: its log as it was written there, and whom and what the log's pages need.

The chain binds the campaign's id, the names of its streams and the numbers of its people. So all of these stay as they were, and
people, who have no account here, keep the number that the log knows them by (`Membership.abroad`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import IO
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from campaigns.errors import Invalid
from campaigns.finding import folded
from campaigns.models import (
    Campaign,
    Deed,
    Entry,
    Event,
    Filing,
    GameSession,
    Membership,
    Payload,
    Role,
    Scene,
    Stream,
    Subject,
)
from campaigns.models.members import System
from campaigns.services.campaigns import laid_out
from campaigns.services.exported import Line, found_by, moment, persons
from campaigns.services.filing import REFILED
from campaigns.services.generations import RESTORED, restored_key
from campaigns.services.incoming import Incoming, lines_in, read
from campaigns.services.log import locked
from people.models import User

BATCH = 500  # events written at once
NAMELESS = "A campaign from elsewhere"
HERE = "This campaign is on this server already. Nothing was changed."


class Faulty(Exception):
    """A file that cannot be used. `faults` are in words, by line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(*faults)
        self.faults = faults


def import_campaign(user: User, file: IO[bytes], *, key: UUID) -> Campaign:
    """Take in the whole log of a campaign, as a GM exported it: an archive with `user` as its GM. All of it or nothing.

    The same key from the same person gives the first answer again. Raises Faulty, and Invalid where the campaign is here already.
    """
    earlier = Deed.objects.filter(key=key, by__user=user).select_related("campaign").first()
    if earlier:
        return earlier.campaign
    told = read(file)
    if told.faults:
        raise Faulty(told.faults)
    if Campaign.objects.filter(pk=told.campaign).exists():
        raise Invalid(HERE, field="file")
    with transaction.atomic(), locked(_campaign(told)) as campaign:
        # Somebody may have brought it while it was read.
        if Membership.objects.filter(campaign=campaign).exists():
            raise Invalid(HERE, field="file")
        return _taken_in(campaign, told, user, file, key)


def _campaign(told: Incoming) -> Campaign:
    name, pitch, systems = (told.about.get(what) for what in ("name", "pitch", "systems"))
    chosen = [system for system in System.values if isinstance(systems, list) and system in systems]
    return laid_out(
        _line(name, 80) or NAMELESS,
        pitch[:2000] if isinstance(pitch, str) else "",
        chosen or [System.STORYTELLER.value],
        UUID(told.campaign),
    )


def _taken_in(campaign: Campaign, told: Incoming, user: User, file: IO[bytes], key: UUID) -> Campaign:
    now = timezone.now()
    campaign.archived_at = campaign.imported_at = now
    campaign.save(update_fields=["archived_at", "imported_at"])
    people = {
        number: Membership.objects.create(
            campaign=campaign,
            role=someone.role,
            called=_line(someone.name, 120),
            abroad=number,
            joined_at=told.began or now,
            left_at=now,
        )
        for number, someone in told.people.items()
    }
    importer = Membership.objects.create(
        # A number that the log has not given to anybody else.
        campaign=campaign,
        user=user,
        role=Role.GM,
        joined_at=now,
        abroad=max(told.people, default=0) + 1,
    )
    writing = _Writing(campaign, told, people, now)
    for line in lines_in(file):
        writing.take(line)
    writing.flush()
    Filing.objects.bulk_create(Filing(event_id=event, scene=scene) for event, scene in writing.filed.items())
    label = f"{campaign._meta.label}:{campaign.pk}"
    Deed.objects.create(campaign=campaign, key=key, by=importer, digest="", result=label, at=now)
    return campaign


def _line(text: object, most: int) -> str:
    """A text from a file as a name of at most so many letters; "" for what is none."""
    return "".join(letter for letter in text if letter.isprintable())[:most].strip() if isinstance(text, str) else ""


@dataclass
class _Writing:
    """Events on their way into the database, in the order of the file."""

    campaign: Campaign
    told: Incoming
    people: dict[int, Membership]
    now: datetime
    streams: dict[str, Stream] = field(default_factory=dict)
    sessions: dict[int, GameSession] = field(default_factory=dict)
    scenes: dict[tuple[int, int], Scene] = field(default_factory=dict)
    ids: dict[tuple[str, int], int] = field(default_factory=dict)
    filed: dict[int, Scene] = field(default_factory=dict)
    held: list[tuple[Line, Event]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name, (seq, head) in self.told.heads.items():
            self.streams[name] = Stream.objects.create(campaign=self.campaign, name=name, seq=seq, head=head)
        for number, span in sorted(self.told.sessions.items()):
            self.sessions[number] = GameSession.objects.create(
                campaign=self.campaign,
                number=number,
                title=_line(span.title, 120),
                started_at=span.first,
                ended_at=span.last,
            )
        for (number, scene), span in sorted(self.told.scenes.items()):
            self.scenes[number, scene] = Scene.objects.create(
                session=self.sessions[number],
                number=scene,
                title=_line(span.title, 120),
                opened_at=span.first,
                closed_at=span.last,
            )

    def take(self, line: Line) -> None:
        amends = line["amends"] and (line["amends"]["stream"], line["amends"]["seq"])
        if len(self.held) == BATCH or (amends and amends not in self.ids):
            self.flush()
        if amends and line["kind"] == REFILED:
            self._file(self.ids[amends], line["facts"].get("now"))
        event = Event(
            campaign=self.campaign,
            stream=self.streams[line["stream"]],
            seq=line["seq"],
            uid=UUID(line["uid"]),
            kind=line["kind"],
            actor=self.people[line["actor"]] if line["actor"] else None,
            at=moment(line),
            session=self.sessions.get(line["session"]),
            scene=self.scenes.get((line["session"], line["scene"])),
            amends_id=self.ids[amends] if amends else None,
            commitment=line["commitment"],
            hash=line["hash"],
        )
        self.held.append((line, event))

    def _file(self, event: int, now: object) -> None:
        """Where an event was put later; put back to where it was written, or nowhere that is known, it stands there."""
        place = (now.get("session"), now.get("scene")) if isinstance(now, dict) else (None, None)
        scene = next((scene for numbers, scene in self.scenes.items() if numbers == place), None)
        if scene is None:
            self.filed.pop(event, None)
        else:
            self.filed[event] = scene

    def flush(self) -> None:
        Event.objects.bulk_create([event for _, event in self.held])
        Payload.objects.bulk_create([self._payload(line, event) for line, event in self.held])
        entries = [_entry(line, event) for line, event in self.held]
        Entry.objects.bulk_create(entries)
        Subject.objects.bulk_create(
            [
                subject
                for (line, event), entry in zip(self.held, entries, strict=True)
                for subject in _subjects(line, event, entry)
            ]
        )
        self.ids |= {(line["stream"], line["seq"]): event.pk for line, event in self.held}
        self.held = []

    def _payload(self, line: Line, event: Event) -> Payload:
        return Payload(
            event=event, salt=line["salt"], facts=line["facts"], erased_at=self.now if line["erased"] else None
        )


def _entry(line: Line, event: Event) -> Entry:
    by = found_by(line)
    return Entry(
        event=event,
        campaign_id=event.campaign_id,
        stream_id=event.stream_id,
        topic=by.topic,
        system=by.system,
        outcome=by.outcome or "",
        words=" ".join(folded(by.words)),
    )


def _subjects(line: Line, event: Event, entry: Entry) -> list[Subject]:
    """Whom an event is about. A file does not say of what other things it tells."""
    about = {f"member:{number}": name for number, name in persons(line["facts"])}
    if line["kind"] == RESTORED:
        about[restored_key(event.campaign)] = event.campaign.name
    return [
        Subject(event=event, key=key, name=name[:120], topic=entry.topic, outcome=entry.outcome)
        for key, name in about.items()
    ]
