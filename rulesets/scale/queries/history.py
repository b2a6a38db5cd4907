"""Reads the Scale over time: its moves in a session, its likely next ones, and its state when a session began."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.kinds import Topic
from campaigns.models import Event, EventIndex, GameSession, Viewer
from campaigns.models.log import filed_in
from campaigns.models.members import TABLE
from campaigns.text import signed
from rolls.queries.replay import ends
from rolls.rules.tally import mean
from rolls.settings import RollSettings
from rulesets.scale import words
from rulesets.scale.events import BURN, BURN_NARRATED, MAJOR
from rulesets.scale.models import Burn, Scale, UndoEntry
from rulesets.scale.odds import NextMajor, Policy, Share, next_major
from rulesets.scale.queries.projection import ROLLS
from rulesets.scale.queries.scale import countable, counted_now, scale_states, shifts_for, state_of
from rulesets.scale.rules.scale import MAJOR_AT, Settings

LOOKED_AT = 50
"""The number of latest action rolls taken as typical of a campaign."""

LATEST = 200
"""Moves that are drawn of a table that plays without sessions."""

UNIT = 10
"""Units of the chart for each point of the Scale."""

WIDTH = 480
"""Units of the chart from the start of a session to its end, however many moves it had."""


@dataclass(frozen=True)
class Point:
    """The Scale after one move: `value` is -7 to +7; `reached` is ±8 or beyond for a Major Burn, else None.

    `delta` is what a roll gave, 0 for other moves; `uid` is the event of the move.
    """

    number: int
    uid: UUID
    value: int
    delta: int
    who: str
    burn: str
    fires: bool
    reached: int | None
    x: int
    y: int


@dataclass(frozen=True)
class Chart:
    points: Sequence[Point]
    line: str
    width: int = WIDTH


def chart(scale: Scale, session: GameSession | None) -> Chart:
    """Return the moves of a Scale in one session, without undone ones, ready to be drawn: y is 80 at 0 and falls to 0 at +8."""
    steps = _moves(scale, session)
    steps = [step for step in steps if step.event.is_readable and step.event.described.get("scale")]
    points = [_point(step, WIDTH * place // (len(steps) + 1)) for place, step in enumerate(steps, start=1)]
    start = steps[0].before.get(f"{Scale._meta.label}:{scale.pk}:value", points[0].value) if steps else 0
    line = " ".join(
        f"{x},{y}" for x, y in [(0, _y(start)), *(corner for point in points for corner in _corners(point))]
    )
    return Chart(points, line)


def _corners(point: Point) -> list[tuple[int, int]]:
    """Return the points of the line for a move: for a Major Burn to the edge, and from there to the Scale's new value."""
    edge = MAJOR_AT if (point.reached or 0) > 0 else -MAJOR_AT
    corners = [(point.x, _y(edge))] if point.reached else []
    return [*corners, (point.x, point.y)]


def _moves(scale: Scale, session: GameSession | None) -> list[UndoEntry]:
    """Return those of one session, oldest first; of a table that has none, the last."""
    steps = UndoEntry.objects.filter(undone_at=None, event__session=session).select_related("event__stored")
    if session is None:
        return list(steps.filter(scale=scale).order_by("-number")[:LATEST])[::-1]
    # Found by the session's own events: a Scale has moves of all sessions, and a database would walk through them.
    first, last = ends(session)
    moves = steps.filter(event__gte=first, event__lte=last).order_by("event")
    return [step for step in moves if step.scale_id == scale.pk]


def _point(step: UndoEntry, x: int) -> Point:
    scale = step.event.described["scale"]
    reached = scale["before"] + scale["delta"] if "delta" in scale else 0
    burns = [state for name, state in step.after.items() if name.startswith("scale.Burn:") and name.endswith(":state")]
    return Point(
        number=step.number,
        uid=step.event.uid,
        delta=scale.get("delta", 0),
        value=scale["value"],
        who=_who(step.event.described),
        burn=_burn_words(burns),
        fires=Burn.State.FIRED in burns,
        reached=reached if abs(reached) >= MAJOR_AT else None,
        x=x,
        y=_y(scale["value"]),
    )


def _who(payload: Mapping[str, Any]) -> str:
    """Return the name of the character whose roll or Burn it was; "" for none."""
    whose = payload.get("character") or next((burn["character"] for burn in payload.get("burns", [])), None)
    return whose["name"] if whose else ""


def _burn_words(states: Sequence[str]) -> str:
    words = {
        Burn.State.OFFERED: _("a Burn offered"),
        Burn.State.BANKED: _("a Burn banked"),
        Burn.State.FIRED: _("a Burn fired"),
        Burn.State.OPEN: _("a Major Burn"),
    }
    if states.count(Burn.State.FIRED) > 1:
        return _("both Burns fired")
    return ", ".join(words[Burn.State(state)] for state in states if state in words)


def _y(value: int) -> int:
    return (MAJOR_AT - value) * UNIT


@dataclass(frozen=True)
class Outlook:
    """What the next rolls are likely to do, if the table goes on as in its last `rolls` action rolls.

    `drift` is the mean of what one roll gives the Scale, which is exactly E[min(successes, ones)]; `bank` and `take`
    say what comes if every Burn on offer is banked, or taken at once.
    """

    rolls: int
    drift: Fraction
    bank: NextMajor
    take: NextMajor


def outlook(scale: Scale, settings: RollSettings) -> Outlook:
    """Return exact odds over the table's own mix of pools and difficulties."""
    chosen = settings.of(Settings)
    mixture = _mixture(scale, chosen)
    shares = mixture or _usual(scale, settings)
    total = sum(share.weight for share in shares)
    drift = (
        sum((share.weight * mean(dict(share.shifts)) for share in shares), Fraction()) / total if total else Fraction()
    )
    now = state_of(scale)
    chances = {policy: next_major(now, shares, policy, chosen) for policy in (Policy.BANK, Policy.TAKE)}
    return Outlook(sum(share.weight for share in mixture), drift, chances[Policy.BANK], chances[Policy.TAKE])


def _mixture(scale: Scale, settings: Settings) -> list[Share]:
    steps = UndoEntry.objects.filter(scale=scale, undone_at=None, event__kind__in=ROLLS, roll__voided_at=None)
    fed = (step.roll for step in steps.select_related("roll").order_by("-number")[:LOOKED_AT])
    rolled = Counter(_share(roll.system, roll.ask, settings) for roll in fed if roll)
    return [Share(weight, share.shifts) for share, weight in rolled.items() if share]


def _usual(scale: Scale, settings: RollSettings) -> list[Share]:
    """Return the share of a table that has not rolled yet: a usual roll by the first of its rulesets that move the Scale."""
    chosen = settings.of(Settings)
    rulesets = (counted_now(name, settings) for name in scale.campaign.systems)
    return [Share.of(1, shifts_for(counted, dict(counted.usual), chosen)) for counted in rulesets if counted][:1]


def _share(system: str, terms: Mapping[str, Any], settings: Settings) -> Share | None:
    counted = countable(system)
    return Share.of(1, shifts_for(counted, dict(terms), settings)) if counted else None


BIGGEST = 3


@dataclass(frozen=True)
class Line:
    """Holds how one Scale moved: `name` is whose it is, "" for the table's."""

    name: str
    chart: Chart


def lines_of(viewer: Viewer, session: GameSession) -> list[Line]:
    """Return the Scales that moved. The number of queries does not depend on how often."""
    states = {payload["id"]: payload for payload in scale_states(viewer)}
    scales = Scale.objects.filter(pk__in=states).select_related("character")
    lines = [Line(states[str(scale.pk)]["name"], chart(scale, session)) for scale in scales]
    return [line for line in lines if line.chart.points]


def swings(lines: Sequence[Line]) -> list[Point]:
    """Return the biggest moves by rolls."""
    moved = [point for line in lines for point in line.chart.points if point.delta]
    return sorted(moved, key=lambda point: -abs(point.delta))[:BIGGEST]


def recap(viewer: Viewer, session: GameSession) -> Iterator[tuple[str, list[str]]]:
    """Yield the Scale's part of a recap's draft."""
    lines = lines_of(viewer, session)
    for burn in (chapters(viewer, session) or {"chapters": []})["chapters"]:
        struck = ", ".join(oracle["title"] for oracle in burn["oracles"] if oracle["oracle"] != "story")
        yield f"{burn['title']}: {struck}", [f"> {line}" for line in burn["narration"].splitlines()]
    yield _("On the Scale"), [*_burns(lines), *_swings(lines)]


def _burns(lines: Sequence[Line]) -> list[str]:
    burns = [point for line in lines for point in line.chart.points if point.burn]
    majors = [
        "- " + _("{name}: a Major Burn at {value}").format(name=point.who, value=signed(point.reached))
        for point in burns
        if point.reached
    ]
    fired = sum(point.fires for point in burns)
    return [*majors, "- " + _("Burns fired: {count}").format(count=fired)] if fired else majors


def _swings(lines: Sequence[Line]) -> list[str]:
    biggest = [f"{point.who} {signed(point.delta)}" for point in swings(lines)]
    return ["- " + _("Biggest swings: {swings}").format(swings=", ".join(biggest))] if biggest else []


def chapters(viewer: Viewer, session: GameSession | None) -> dict[str, Any] | None:
    """Return the narrated Major Burns of a session, as {"chapters": [burns as events have them]}; None without any."""
    if session is None:
        return None
    seen = filed_in(Event.objects.seen_by(viewer), session).deduplicated(viewer)
    events = seen.filter(kind=BURN_NARRATED).select_related("stored").order_by("pk")
    burns = {
        burn["id"]: burn for event in events if event.is_readable for burn in event.described["burns"] if burn["major"]
    }
    return {"chapters": list(burns.values())} if burns else None


Payload = dict[str, Any]

LOOKED_BACK = 100
"""So many rolls, Burns and Major Burns before a session are read for how the Scale and its Burns stood when it began."""

EVEN: Payload = {"value": 0, "pending": None, "banked": None}


def beginning(viewer: Viewer, session: GameSession) -> tuple[list[Payload], list[Payload]]:
    """Return the Scales that are in use, and the Burns that were not over, just before a session (rolls/queries/replay.py)."""
    first, _ = ends(session)
    scales: dict[str, Payload] = {}
    burns: dict[str, Payload] = {}
    for payload in _told_of_scales(viewer, first):
        if scale := payload.get("scale"):
            scales[scale["id"]] = scale
        for burn in payload.get("burns") or ():
            burns[burn["id"]] = burn
    # A character's own Scale exists only from its first move; the shared one from the beginning.
    then = (
        scales.get(now["id"], words.scale(now | EVEN) if now["name"] is None else None) for now in scale_states(viewer)
    )
    # Settled Burns leave the list when the session begins (scale.burn_rows).
    shown_then = (burn for burn in burns.values() if burn["waits"] or burn["kept"] or burn["stops"])
    open_ones = (burn for burn in shown_then if burn["state"] != Burn.State.NARRATED)
    return [scale for scale in then if scale], sorted(open_ones, key=lambda burn: burn["order"])


def _told_of_scales(viewer: Viewer, first: int) -> Iterator[Payload]:
    """Return the table's events of rolls and Burns before an event, oldest first."""
    ids: list[int] = []
    for topic in (Topic.ROLL, BURN, MAJOR):
        entries = EventIndex.objects.filter(
            campaign=viewer.campaign, topic=topic, event_id__lt=first, stream__name=TABLE
        )
        ids += entries.order_by("-event_id").values_list("event_id", flat=True)[:LOOKED_BACK]
    events = Event.objects.filter(pk__in=ids).select_related("stored").order_by("pk")
    return (event.described for event in events if event.is_readable)
