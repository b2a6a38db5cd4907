"""Rebuild, from an imported log's events, the rows that its pages need: filings, pins, recaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from campaigns.archive.schema import Line, Ref, moment, ref
from campaigns.events import EVENT_REFILED, MOMENT_PINNED, MOMENT_UNPINNED, RECAP_DRAFTED, RECAP_PUBLISHED
from campaigns.models import Campaign, Event, GameSession, Membership, Pin, Recap, Scene, SceneOverride
from campaigns.models.log import place_of
from campaigns.models.members import TABLE

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
