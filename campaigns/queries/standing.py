"""Check that the rows beside the log match the log: read once, oldest first, however long it is.

Each checked object (Standing) keeps its last payload, so memory grows with the number of objects, and not with the
number of events. Apps above add checks of their own rows (`standing_asked`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Max, Min, prefetch_related_objects

from campaigns.events import (
    CAMPAIGN_MADE,
    CLOCK_ARCHIVED,
    CLOCK_CHANGED,
    CLOCK_TICKED,
    CLOCKS_ORDERED,
    HANDOUT_CHANGED,
    MEMBER_JOINED,
    MEMBER_LEFT,
    MEMBER_REMOVED,
    ROLE_CHANGED,
    SAID,
)
from campaigns.kinds import answers, standing_asked
from campaigns.models import Campaign, Clock, Event, EventIndex, Membership, Picture, Role
from campaigns.models.log import persons
from campaigns.queries.log_lines import in_batches

BATCH = 500  # events looked at together


class Standing(Protocol):
    """One sort of objects that the log describes, compared with their rows."""

    def take(self, event: Event) -> None:
        """Read a readable event; events that do not concern it are ignored."""
        ...

    def faults(self) -> Iterator[str]:
        """Yield each difference, in words, once all events were taken."""
        ...


def faults(campaign: Campaign) -> Iterator[str]:
    """Yield every difference between a campaign's log and its other rows. An imported campaign has only its log, so
    only the index is compared.
    """
    standings = [] if campaign.imported_at else _standings(campaign)
    for batch in _batches(campaign):
        for event in batch:
            yield from _found_by(event, imported=bool(campaign.imported_at))
            if event.is_readable:
                for standing in standings:
                    standing.take(event)
    for standing in standings:
        yield from standing.faults()


def _standings(campaign: Campaign) -> list[Standing]:
    beside = answers(standing_asked, Campaign, campaign=campaign)
    return [Clocks(campaign), Roles(campaign), Pictures(campaign), *beside]


def _batches(campaign: Campaign) -> Iterator[list[Event]]:
    batch: list[Event] = []
    events = Event.objects.filter(campaign=campaign).select_related("stream", "stored", "index", "actor")
    for event in in_batches(events):
        batch.append(event)
        if len(batch) == BATCH:
            prefetch_related_objects(batch, "subjects")
            yield batch
            batch = []
    prefetch_related_objects(batch, "subjects")
    yield batch


def unreadable_kinds() -> list[str]:
    """Return the kinds whose first or last event cannot be read, which quickly finds payloads of an older release.
    Imported events are left out.
    """
    present = Event.objects.filter(campaign__imported_at=None).order_by()
    ends = present.values("kind").annotate(first=Min("pk"), last=Max("pk")).values_list("first", "last")
    ids = {pk for pair in ends for pk in pair}
    events = Event.objects.filter(pk__in=ids).select_related("stored")
    return sorted({event.kind for event in events if not event.is_readable})


FOUND_BY = ("campaign_id", "stream_id", "topic", "system", "outcome", "words")


def _found_by(event: Event, *, imported: bool) -> Iterator[str]:
    """Yield the errors in an event's index and subjects."""
    name = f"{event.stream} {event.seq} ({event.kind})"
    try:
        index = event.index
    except ObjectDoesNotExist:
        yield f"{name}: nothing finds it in the log; `manage.py reindex` makes that anew."
        return
    if event.is_readable:
        right = EventIndex.of(event)
        if wrong := [what for what in FOUND_BY if getattr(index, what) != getattr(right, what)]:
            yield f"{name}: it is found by another {wrong[0]} than it says; `manage.py reindex` makes that anew."
    about = {subject.key: subject for subject in event.subjects.all()}
    named = {key for key, _ in persons(event.payload)}
    if {key for key in about if key.startswith("member:")} != named:
        yield f"{name}: it is found by other people than it names."
    if any((subject.topic, subject.outcome) != (index.topic, index.outcome) for subject in about.values()):
        yield f"{name}: it is found by something else under what it is about; `manage.py reindex` makes that anew."
    # A file from elsewhere does not say what its entries are about, but for the people in them.
    for what in () if imported else ("character", "clock"):
        thing = event.payload.get(what)
        if isinstance(thing, dict) and thing.get("id") and f"{what}:{thing['id']}" not in about:
            yield f"{name}: it is not found by the {what} that it is about."


class Clocks:
    """Clocks as GMs' events have them."""

    KINDS = (CLOCK_CHANGED, CLOCK_TICKED, CLOCK_ARCHIVED, CLOCKS_ORDERED)

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, dict[str, Any]] = {}

    def take(self, event: Event) -> None:
        payload = event.payload
        if event.kind in self.KINDS and not payload["less"]:
            for clock in [payload["clock"]] if "clock" in payload else payload["clocks"]:
                self.told[clock["id"]] = clock

    def faults(self) -> Iterator[str]:
        for clock in Clock.objects.filter(campaign=self.campaign).iterator():
            logged = self.told.pop(str(clock.pk), None)
            if logged is None:
                yield f"Clock {clock.pk}: the log tells nothing of it."
                continue
            present = {
                "name": clock.name,
                "kind": clock.kind,
                "visibility": clock.visibility,
                "segments": clock.segments,
                "filled": clock.filled,
                "archived": clock.archived_at is not None,
            }
            yield from differences(f"Clock {clock.pk}", present, logged)
        for pk in self.told:
            yield f"Clock {pk}: the log tells of it, and it is not there."


class Roles:
    """The people at the table with their roles."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[int, tuple[str, bool]] = {}

    def take(self, event: Event) -> None:
        payload = event.payload
        if event.kind == CAMPAIGN_MADE and event.actor:
            self.told[event.actor.number] = (Role.GM, True)
        elif event.kind in (MEMBER_JOINED, ROLE_CHANGED):
            self.told[payload["who"]["member"]] = (payload["role"], True)
        elif event.kind in (MEMBER_LEFT, MEMBER_REMOVED):
            number = payload["who"]["member"]
            self.told[number] = (self.told.get(number, ("", True))[0], False)

    def faults(self) -> Iterator[str]:
        for member in Membership.objects.filter(campaign=self.campaign).iterator():
            role, is_here = self.told.get(member.number, ("nobody", False))
            if is_here != (member.left_at is None):
                yield f"Member {member.number}: by the log they are {'here' if is_here else 'gone'}, and stand as the other."
            elif is_here and role != member.role:
                yield f"Member {member.number}: role is {member.role}, the log gives {role}."


class Pictures:
    """Pictures beside lines, without their bytes; and which are handouts."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, dict[str, Any]] = {}
        self.lines: dict[str, set[str]] = {}
        self.handouts: dict[str, tuple[str, bool]] = {}

    def take(self, event: Event) -> None:
        payload = event.payload
        if event.kind == SAID and payload.get("picture"):
            # Those that were erased have no id in the log any more.
            if pk := payload["picture"]["id"]:
                self.told[pk] = payload["picture"]
                self.lines.setdefault(pk, set()).add(str(event.uid))
        elif event.kind == HANDOUT_CHANGED:
            self.handouts[payload["of"]] = payload["title"], payload["kept"]

    def faults(self) -> Iterator[str]:
        here = Picture.objects.filter(campaign=self.campaign).prefetch_related("lines").defer("full", "small")
        for picture in here.iterator(chunk_size=500):
            beside, uids = self.told.pop(str(picture.pk), None), {str(uid) for uid in picture.uids}
            if beside is None or uids != self.lines[str(picture.pk)]:
                yield f"Picture {picture.pk}: the log tells of no such picture."
                continue
            yield from differences(f"Picture {picture.pk}", picture.payload(), beside)
            title, kept = self.handouts.get(str(picture.uid), ("", False))
            if kept != (picture.kept_at is not None) or (kept and title != picture.title):
                yield f"Picture {picture.pk}: it stands among the handouts otherwise than the log tells."
        for left in self.told.values():
            yield f"Picture {left['id']}: the log tells of it, and it is not there."


def differences(name: str, present: dict[str, Any], logged: dict[str, Any]) -> Iterator[str]:
    """Yield each difference between an object and its last event."""
    for what, value in present.items():
        if what in logged and logged[what] != value:
            yield f"{name}: {what} is {value!r}, the log gives {logged[what]!r}."
