"""The summary of a session, as one viewer may see it: the same for its page and, as a spectator, for its recap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Case, CharField, OuterRef, Prefetch, QuerySet, Subquery, Value, When

from campaigns.errors import NotFound
from campaigns.events import (
    CLOCK_ARCHIVED,
    CLOCK_CHANGED,
    CLOCK_TICKED,
    CLOCKS_ORDERED,
    SAID,
    SCENE_OPENED,
    STORYLINE_CHANGED,
)
from campaigns.kinds import EventKind
from campaigns.live.render import render_live
from campaigns.models import Clock, Event, GameSession, Membership, Scene, Storyline, Viewer
from campaigns.models.log import filed_in
from campaigns.queries.play import ends, pinned
from characters.events import XP_AWARDED
from rolls.events import ROLL_CORRECTED, ROLL_MADE
from scale.events import MOVED


@dataclass(frozen=True)
class Told:
    """A session. `who` acted in it; `filled` and `awards` are what events say (Event.described)."""

    session: GameSession
    who: Sequence[Membership]
    scenes: Sequence[Scene]
    filled: Sequence[Mapping[str, Any]]
    awards: Sequence[Mapping[str, Any]]
    moments: Sequence[Event]

    @property
    def quotes(self) -> list[Event]:
        """Return the pinned moments in which someone speaks."""
        return [event for event in self.moments if event.kind == SAID and event.is_readable]


def told(viewer: Viewer, session: GameSession) -> Told:
    """Return everything about a session that this viewer may see. The number of queries is constant."""
    seen = filed_in(Event.objects.seen_by(viewer), session)
    known = (
        seen.deduplicated(viewer).filter(kind__in=(CLOCK_TICKED, XP_AWARDED)).select_related("stored").order_by("pk")
    )
    events = [(event.kind, event.described) for event in known if event.is_readable]
    return Told(
        session=session,
        who=list(
            Membership.objects.filter(pk__in=seen.values("actor")).select_related("user").order_by("joined_at", "pk")
        ),
        scenes=list(session.scenes.all()),
        filled=_filled([payload for kind, payload in events if kind == CLOCK_TICKED]),
        awards=[payload for kind, payload in events if kind == XP_AWARDED],
        moments=pinned(viewer, session),
    )


def missed(viewer: Viewer, session: GameSession) -> int:
    """Return how many events of a session happened since this member's last visit; 0 if that is unknown."""
    member = viewer.membership
    if member is None or viewer.is_read_only or member.last_visit is None:
        return 0
    events = filed_in(Event.objects.seen_by(viewer).deduplicated(viewer), session).filter(at__gt=member.last_visit)
    return events.count()


def _filled(ticks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the clocks that were full at the end. If players do not see the ticks, a later event only says it is no
    longer full.
    """
    full: dict[str, Mapping[str, Any]] = {}
    for payload in ticks:
        name, by = payload["clock"]["id"], payload.get("ticks")
        if payload["full"]:
            full[name] = payload
        elif by is None or by < 0:
            full.pop(name, None)
    return list(full.values())


# A finished session replayed, as one viewer may see it: the state when it began, and what happened then.
#
# It shows what the log said then, whatever has become of it since: rows only say which clocks and storylines to look for.
# What a viewer's streams do not have is not shown.


payload = dict[str, Any]

PAGE = 50  # events

ROLLS = (ROLL_MADE, ROLL_CORRECTED, MOVED)
"""A table learns by the last of a roll that it does not see."""
CLOCKS = (CLOCK_CHANGED, CLOCK_TICKED, CLOCK_ARCHIVED, CLOCKS_ORDERED)


@dataclass(frozen=True)
class Moment:
    """One event as a replay shows it. `html` is what the socket sent then; `scene` the words of one that opens here, or ""."""

    uid: UUID
    at: str
    html: str
    roll: bool
    scene: str


@dataclass(frozen=True)
class Beginning:
    """The table when a session began: the payloads that its includes draw."""

    clocks: list[payload]
    storylines: list[payload]


def moments(viewer: Viewer, session: GameSession, after: UUID | None) -> tuple[list[Moment], UUID | None]:
    """Return a page of a session that this viewer may see, oldest first, after an event; and the event after which the
    next page begins, None at the end. Events that show nothing are left out, so a page may be short.

    The number of queries is constant. Raises NotFound for an `after` that this viewer may not see.
    """
    first, last = ends(session)
    seen_events = (
        Event.objects.seen_by(viewer)
        .deduplicated(viewer)
        .filter(session=session, pk__range=(first, last))
        .order_by("pk")
    )
    if after is not None:
        seen_events = seen_events.filter(pk__gt=_place(seen_events, after))
    # Later changes of an event are shown when they happen, not before.
    nothing_yet = Prefetch("amendments", queryset=Event.objects.none())
    drawn = seen_events.select_related("stream", "stored", "actor__user", "campaign").prefetch_related(nothing_yet)
    events = list(drawn[: PAGE + 1])
    further = events[PAGE - 1].uid if len(events) > PAGE else None
    shown = (_moment(event, viewer) for event in events[:PAGE])
    return [moment for moment in shown if moment.html], further


def _place(events: Any, uid: UUID) -> int:
    place: int | None = events.filter(uid=uid).values_list("pk", flat=True).first()
    if place is None:
        raise NotFound
    return place


def _moment(event: Event, viewer: Viewer) -> Moment:
    opens = event.kind == SCENE_OPENED
    event.undo = None
    return Moment(
        uid=event.uid,
        at=event.at.isoformat(),
        html=render_live(event, viewer.role),
        roll=event.kind in ROLLS,
        scene=event.described["now"]["scene"] if opens and event.is_readable else "",
    )


def beginning(viewer: Viewer, session: GameSession) -> Beginning:
    """Return the state of everything just before a session, as far as this viewer was told."""
    first, _ = ends(session)
    return Beginning(_clocks(viewer, first), _storylines(viewer, first))


def _clocks(viewer: Viewer, first: int) -> list[payload]:
    running: dict[str, payload] = {}
    for payload in _last_told(viewer, "clock", Clock.objects.filter(campaign=viewer.campaign), CLOCKS, first):
        for clock in [payload["clock"]] if "clock" in payload else payload["clocks"]:
            running[clock["id"]] = clock | {"gone": payload.get("gone", False)}
    left = (clock for clock in running.values() if not clock["gone"] and not clock["archived"])
    return sorted(left, key=lambda clock: clock["order"])


def _storylines(viewer: Viewer, first: int) -> list[payload]:
    last = _last_told(viewer, "storyline", Storyline.objects.of(viewer.campaign), (STORYLINE_CHANGED,), first)
    rows = {row["id"]: row for payload in last for row in payload["rows"]}
    return sorted((row for row in rows.values() if row["open"]), key=lambda row: row["order"])


def _last_told(
    viewer: Viewer, what: str, things: QuerySet[Any], kinds: Sequence[EventKind], first: int
) -> Iterator[payload]:
    """Yield the last payload about each of these things before an event, by events of these kinds, oldest first."""
    keys = [When(pk=pk, then=Value(f"{what}:{pk}")) for pk in things.values_list("pk", flat=True)]
    if not keys:
        return iter(())
    seen_events = Event.objects.seen_by(viewer).deduplicated(viewer).filter(kind__in=kinds)
    # For each subject separately, backwards through its events: for all together a database would read everything.
    about = seen_events.filter(subjects__key=OuterRef("key"), subjects__event__lt=first).order_by("-subjects__event")
    newest = things.annotate(key=Case(*keys, output_field=CharField())).annotate(last=Subquery(about.values("pk")[:1]))
    last = [pk for pk in newest.values_list("last", flat=True) if pk]
    events = Event.objects.filter(pk__in=last).select_related("stored").order_by("pk")
    return (event.payload for event in events if event.is_readable)
