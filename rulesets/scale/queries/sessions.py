"""How the Scale moved in a session, for its page and for the draft of its recap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.models import Event, GameSession, Viewer
from campaigns.models.log import filed_in
from campaigns.text import signed
from rulesets.scale.events import BURN_NARRATED
from rulesets.scale.models import Scale
from rulesets.scale.queries.preview import Chart, Point, chart
from rulesets.scale.queries.state import scale_states

BIGGEST = 3
FIRES = "fire"
"""In the words of a move by which a Burn fired, or both did."""


@dataclass(frozen=True)
class Line:
    """How one Scale moved: `name` is whose it is, "" for the table's."""

    name: str
    chart: Chart


def lines_of(viewer: Viewer, session: GameSession) -> list[Line]:
    """The Scales that moved. The number of queries does not depend on how often."""
    states = {payload["id"]: payload for payload in scale_states(viewer)}
    scales = Scale.objects.filter(pk__in=states).select_related("character")
    lines = [Line(states[str(scale.pk)]["name"], chart(scale, session)) for scale in scales]
    return [line for line in lines if line.chart.points]


def swings(lines: Sequence[Line]) -> list[Point]:
    """The biggest moves by rolls."""
    moved = [point for line in lines for point in line.chart.points if point.delta]
    return sorted(moved, key=lambda point: -abs(point.delta))[:BIGGEST]


def recap(viewer: Viewer, session: GameSession) -> Iterator[tuple[str, list[str]]]:
    """Return what the draft of a recap says of the Scale."""
    lines = lines_of(viewer, session)
    for burn in (chapters(viewer, session) or {"chapters": []})["chapters"]:
        struck = ", ".join(oracle["title"] for oracle in burn["oracles"] if oracle["oracle"] != "story")
        yield f"{burn['title']}: {struck}", [f"> {line}" for line in burn["narration"].splitlines()]
    yield "On the Scale", [*_burns(lines), *_swings(lines)]


def _burns(lines: Sequence[Line]) -> list[str]:
    burns = [point for line in lines for point in line.chart.points if point.burn]
    majors = [f"- {point.who}: a Major Burn at {signed(point.reached)}" for point in burns if point.reached]
    fired = sum(FIRES in point.burn for point in burns)
    return [*majors, f"- Times that a Burn fired: {fired}"] if fired else majors


def _swings(lines: Sequence[Line]) -> list[str]:
    biggest = [f"{point.who} {signed(point.delta)}" for point in swings(lines)]
    return [f"- The biggest swings: {', '.join(biggest)}"] if biggest else []


def chapters(viewer: Viewer, session: GameSession | None) -> dict[str, Any] | None:
    """The Major Burns of a session with what was told of them, as {"chapters": [burns as events have them]}; None without any."""
    if session is None:
        return None
    seen = filed_in(Event.objects.seen_by(viewer), session).deduplicated(viewer)
    events = seen.filter(kind=BURN_NARRATED).select_related("stored").order_by("pk")
    burns = {
        burn["id"]: burn for event in events if event.is_readable for burn in event.described["burns"] if burn["major"]
    }
    return {"chapters": list(burns.values())} if burns else None


def shown(viewer: Viewer, session: GameSession | None) -> dict[str, Any] | None:
    """The panels of a session's page: a chart for each Scale, and the biggest swings."""
    lines = lines_of(viewer, session) if session else []
    return {"lines": lines, "swings": swings(lines)} if lines else None
