"""What a session comes to, as one viewer may see it: the same for its page and, through a spectator's eyes, for its recap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.access import Seat
from campaigns.models import Event, GameSession, Membership, Scene
from campaigns.models.filing import filed_in
from campaigns.services.moments import pinned
from rolls.models import Scale
from rolls.services.outlook import Chart, Point, chart
from rolls.services.state import scale_states

BIGGEST = 3
TICKED, AWARDED, SAID = "campaigns.clock_ticked", "characters.xp_awarded", "campaigns.said"


@dataclass(frozen=True)
class Line:
    """How one Scale moved: `name` is whose it is, "" for the table's."""

    name: str
    chart: Chart


@dataclass(frozen=True)
class Told:
    """A session. `who` acted in it; `filled` and `awards` are the facts of events; `swings` the biggest moves by rolls."""

    session: GameSession
    who: Sequence[Membership]
    scenes: Sequence[Scene]
    scales: Sequence[Line]
    swings: Sequence[Point]
    filled: Sequence[Mapping[str, Any]]
    awards: Sequence[Mapping[str, Any]]
    moments: Sequence[Event]

    @property
    def quotes(self) -> list[Event]:
        """The pinned moments in which somebody says something."""
        return [event for event in self.moments if event.kind == SAID]

    @property
    def burns(self) -> list[Point]:
        return [point for line in self.scales for point in line.chart.points if point.burn]


def told(seat: Seat, session: GameSession) -> Told:
    """All of it, as this viewer may see it. The number of queries does not depend on how much happened."""
    scales = [Line(facts["name"], chart(scale, session)) for facts, scale in _scales(seat)]
    moved = [point for line in scales for point in line.chart.points if point.delta]
    seen = filed_in(Event.objects.seen_by(seat), session)
    known = seen.told_once(seat).filter(kind__in=(TICKED, AWARDED)).select_related("payload").order_by("pk")
    events = [(event.kind, event.facts) for event in known]
    return Told(
        session=session,
        who=list(
            Membership.objects.filter(pk__in=seen.values("actor")).select_related("user").order_by("joined_at", "pk")
        ),
        scenes=list(session.scenes.all()),
        scales=[line for line in scales if line.chart.points],
        swings=sorted(moved, key=lambda point: -abs(point.delta))[:BIGGEST],
        filled=_filled([facts for kind, facts in events if kind == TICKED]),
        awards=[facts for kind, facts in events if kind == AWARDED],
        moments=list(pinned(seat, session)),
    )


def missed(seat: Seat, session: GameSession) -> int:
    """How much happened in a session since this member was last here; 0 for those of whom that is not known."""
    member = seat.membership
    if member is None or seat.only_looks or member.last_visit is None:
        return 0
    events = filed_in(Event.objects.seen_by(seat).told_once(seat), session).filter(at__gt=member.last_visit)
    return events.count()


def _scales(seat: Seat) -> list[tuple[dict[str, Any], Scale]]:
    states = {facts["id"]: facts for facts in scale_states(seat)}
    return [(states[str(scale.pk)], scale) for scale in Scale.objects.filter(pk__in=states).select_related("character")]


def _filled(ticks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The clocks that were full in the end. Where players do not see the ticks, what is no longer full says only that."""
    full: dict[str, Mapping[str, Any]] = {}
    for facts in ticks:
        name = facts["clock"]["id"]
        if facts["full"]:
            full[name] = facts
        elif facts["ticks"] is None or facts["ticks"] < 0:
            full.pop(name, None)
    return list(full.values())
