"""The Scale over time: how it has moved in a session, and what the rolls of this table make likely next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from campaigns.models import GameSession
from rolls.queries.replay import ends
from rolls.rules.tally import mean
from rolls.settings import RollSettings
from rulesets.scale.models import Burn, Scale, UndoEntry
from rulesets.scale.odds import NextMajor, Policy, Share, next_major
from rulesets.scale.queries.counting import countable, counted_now, shifts_for
from rulesets.scale.queries.projection import ROLLS
from rulesets.scale.queries.scale import state_of
from rulesets.scale.rules.scale import MAJOR_AT
from rulesets.scale.rules.scale import Settings as ScaleSettings

LOOKED_AT = 50
"""Action rolls, the last ones, that stand for how a table rolls."""

LATEST = 200
"""Moves that are drawn of a table that plays without sessions."""

UNIT = 10
"""Units of the chart for each point of the Scale."""

WIDTH = 480
"""Units of the chart from the start of a session to its end, however many moves it had."""


@dataclass(frozen=True)
class Point:
    """The Scale after one move: `value` is -7 to +7; `reached` is ±8 or beyond where the move was a Major Burn, else None.

    `delta` is what a roll gave, 0 for other moves; `uid` is the event that tells of the move.
    """

    number: int
    uid: UUID
    value: int
    delta: int
    who: str
    burn: str
    reached: int | None
    x: int
    y: int


@dataclass(frozen=True)
class Chart:
    points: Sequence[Point]
    line: str
    width: int = WIDTH


def chart(scale: Scale, session: GameSession | None) -> Chart:
    """The moves of a Scale in one session, those taken back left out, ready to be drawn: y is 80 at 0 and falls to 0 at +8."""
    steps = _moves(scale, session)
    steps = [step for step in steps if step.event.is_readable and step.event.described.get("scale")]
    points = [_point(step, WIDTH * place // (len(steps) + 1)) for place, step in enumerate(steps, start=1)]
    start = steps[0].before.get(f"{Scale._meta.label}:{scale.pk}:value", points[0].value) if steps else 0
    line = " ".join(
        f"{x},{y}" for x, y in [(0, _y(start)), *(corner for point in points for corner in _corners(point))]
    )
    return Chart(points, line)


def _corners(point: Point) -> list[tuple[int, int]]:
    """Where the line goes by a move: a Major Burn takes it to the edge, and from there to where the Scale is put."""
    edge = MAJOR_AT if (point.reached or 0) > 0 else -MAJOR_AT
    corners = [(point.x, _y(edge))] if point.reached else []
    return [*corners, (point.x, point.y)]


def _moves(scale: Scale, session: GameSession | None) -> list[UndoEntry]:
    """Those of one session, oldest first; of a table that has none, the last."""
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
        reached=reached if abs(reached) >= MAJOR_AT else None,
        x=x,
        y=_y(scale["value"]),
    )


def _who(payload: Mapping[str, Any]) -> str:
    """Whose roll or Burn it was."""
    whose = payload.get("character") or next((burn["character"] for burn in payload.get("burns", [])), None)
    return whose["name"] if whose else ""


def _burn_words(states: Sequence[str]) -> str:
    words = {
        Burn.State.OFFERED: "a Burn is offered",
        Burn.State.BANKED: "a Burn is banked",
        Burn.State.FIRED: "a Burn fires",
        Burn.State.OPEN: "a Major Burn",
    }
    if states.count(Burn.State.FIRED) > 1:
        return "both Burns fire"
    return ", ".join(words[Burn.State(state)] for state in states if state in words)


def _y(value: int) -> int:
    return (MAJOR_AT - value) * UNIT


@dataclass(frozen=True)
class Outlook:
    """What the next rolls are likely to bring, if the table rolls on as in its last `rolls` action rolls.

    `drift` is the mean of what one roll gives the Scale, which is exactly E[min(successes, ones)]; `bank` and `take` say what
    comes if every Burn on offer is banked, or taken at once.
    """

    rolls: int
    drift: Fraction
    bank: NextMajor
    take: NextMajor


def outlook(scale: Scale, settings: RollSettings) -> Outlook:
    """Exact odds over the table's own mix of pools and difficulties."""
    chosen = settings.of(ScaleSettings)
    mixture = _mixture(scale, chosen)
    shares = mixture or _usual(scale, settings)
    total = sum(share.weight for share in shares)
    drift = (
        sum((share.weight * mean(dict(share.shifts)) for share in shares), Fraction()) / total if total else Fraction()
    )
    now = state_of(scale)
    chances = {policy: next_major(now, shares, policy, chosen) for policy in (Policy.BANK, Policy.TAKE)}
    return Outlook(sum(share.weight for share in mixture), drift, chances[Policy.BANK], chances[Policy.TAKE])


def _mixture(scale: Scale, settings: ScaleSettings) -> list[Share]:
    steps = UndoEntry.objects.filter(scale=scale, undone_at=None, event__kind__in=ROLLS, roll__voided_at=None)
    fed = (step.roll for step in steps.select_related("roll").order_by("-number")[:LOOKED_AT])
    rolled = Counter(_share(roll.system, roll.ask, settings) for roll in fed if roll)
    return [Share(weight, share.shifts) for share, weight in rolled.items() if share]


def _usual(scale: Scale, settings: RollSettings) -> list[Share]:
    """What is assumed of a table that has not rolled yet: a usual roll by the first of its rulesets that move the Scale."""
    chosen = settings.of(ScaleSettings)
    rulesets = (counted_now(name, settings) for name in scale.campaign.systems)
    return [Share.of(1, shifts_for(counted, dict(counted.usual), chosen)) for counted in rulesets if counted][:1]


def _share(system: str, terms: Mapping[str, Any], settings: ScaleSettings) -> Share | None:
    counted = countable(system)
    return Share.of(1, shifts_for(counted, dict(terms), settings)) if counted else None
