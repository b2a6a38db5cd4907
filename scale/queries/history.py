"""Reads the Scale over time: its moves in a session, its likely next ones, and its state when a session began."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.kinds import Topic
from campaigns.models import Event, EventIndex, GameSession, Viewer, Written
from campaigns.models.log import filed_in
from campaigns.models.members import TABLE
from campaigns.queries.play import ends
from campaigns.schema import UNREADABLE
from campaigns.text import signed
from rules.tally import mean
from scale import words
from scale.counting import countable, counted_in, shifts_for
from scale.events import ACTS, BURN, BURN_NARRATED, MAJOR
from scale.models import Burn, Scale, ScaleStep
from scale.odds import NextMajor, Policy, Share, next_major
from scale.queries.scale import scale_states, settings_of, state_of
from scale.rules.scale import MAJOR_AT, Settings

LOOKED_AT = 50
"""The number of latest action rolls taken as typical of a campaign."""

LATEST = 200
"""Moves that are drawn of a table that plays without sessions."""

UNIT = 10
"""Units of the chart for each point of the Scale."""

WIDTH = 480
"""Units of the chart from the start of a session to its end, however many moves it had."""

APART = 12
"""Units between two Burns that a pointer can tell apart. Where more Burns would be marked than have room, some are left out,
and only the chart's table has them.
"""

ROOM, LAST_NAMED = 24, 80
"""Per cent of a wide chart that the name of a Burn takes; from how far on there is none, but the name of where the line ends."""

LISTED = 50
"""Moves on a page of the chart's table."""


BURN_WORDS: Final[Mapping[str, object]] = {
    Burn.State.OFFERED: gettext_lazy("a Burn offered"),
    Burn.State.BANKED: gettext_lazy("a Burn banked"),
    Burn.State.FIRED: gettext_lazy("a Burn fired"),
    Burn.State.OPEN: gettext_lazy("a Major Burn"),
}


@dataclass(frozen=True)
class Move:
    """One move of a Scale: `value` is -7 to +7 after it; `reached` is ±8 or beyond for a Major Burn, else None.

    `delta` is what a roll gave, 0 for other moves; `uid` is the event of the move; `before` is the value before it.
    """

    number: int
    uid: UUID
    before: int
    value: int
    delta: int
    who: str
    burn: str
    fires: bool
    reached: int | None

    @property
    def heights(self) -> tuple[int, ...]:
        """Return where the line goes: for a Major Burn to the edge first, and from there to the Scale's new value."""
        return (*((_y(MAJOR_AT if self.reached > 0 else -MAJOR_AT),) if self.reached else ()), _y(self.value))


@dataclass(frozen=True)
class Mark:
    """A Burn in a chart."""

    move: Move
    x: int

    @property
    def y(self) -> int:
        return self.move.heights[0]

    @property
    def left(self) -> float:
        """Return how far it is along the chart, in per cent."""
        return round(100 * self.x / WIDTH, 1)

    @property
    def top(self) -> float:
        """Return how far it is below the upper edge of the chart, in per cent."""
        return round(100 * self.y / _y(-MAJOR_AT), 1)


@dataclass(frozen=True)
class Chart:
    """The moves of the Scale with this id, and how they are drawn: y is 80 at 0 and falls to 0 at +8."""

    scale: UUID
    moves: Sequence[Move]
    width: int = WIDTH

    @property
    def line(self) -> str:
        """Return the points of the line."""
        corners = [(x, y) for x, move in self._placed for y in move.heights]
        start = [(0, _y(self.moves[0].before))] if self.moves else []
        end = [(self.width, self.end.y)] if self.moves else []
        return " ".join(f"{x},{y}" for x, y in [*start, *corners, *end])

    @property
    def marks(self) -> list[Mark]:
        """Return the Burns to mark: if there is no room for all of them, Major Burns and those apart from the one before."""
        burns = [Mark(move, x) for x, move in self._placed if move.burn or move.reached]
        if len(burns) <= self.width // APART:
            return burns
        marks: list[Mark] = []
        for mark in burns:
            if mark.move.reached or not marks or mark.x - marks[-1].x >= APART:
                marks.append(mark)
        return marks

    @property
    def end(self) -> Mark:
        """Return where the line ends."""
        return Mark(replace(self.moves[-1], reached=None), self.width)

    @property
    def named(self) -> list[Mark]:
        """Return the Burns that a wide chart has room to name: Major Burns, then the furthest from 0, some way apart."""
        named: list[Mark] = []
        for mark in sorted(self.marks, key=lambda mark: (mark.move.reached is None, -abs(mark.move.value))):
            if mark.left <= LAST_NAMED and all(abs(mark.left - other.left) >= ROOM for other in named):
                named.append(mark)
        return named

    @property
    def _placed(self) -> list[tuple[int, Move]]:
        return [(self.width * at // (len(self.moves) + 1), move) for at, move in enumerate(self.moves, start=1)]


def charts(scales: Iterable[Scale], session: GameSession | None) -> list[Chart]:
    """Return the moves of each Scale in one session, without undone ones; for a table that has none, the last ones."""
    moves: dict[UUID, list[Move]] = {scale.pk: [] for scale in scales}
    for scale, move in _moves(_standing([*moves], session)):
        if scale in moves:
            moves[scale].append(move)
    return [Chart(*drawn) for drawn in moves.items()]


def moves_listed(scale: Scale, session: GameSession | None, after: int = 0) -> tuple[list[Move], int | None]:
    """Return a page of the same moves of one Scale, oldest first, from the one after number `after`; and the number after
    which the next page begins, None at the end.
    """
    standing = _standing([scale.pk], session).values_list("pk", "number", "scale")
    steps = [(pk, number) for pk, number, of in standing if of == scale.pk and number > after]
    page = ScaleStep.objects.filter(pk__in=[pk for pk, _number in steps[:LISTED]]).order_by("pk")
    further = steps[LISTED - 1][1] if len(steps) > LISTED else None
    return [move for _scale, move in _moves(page)], further


def _standing(scales: Sequence[UUID], session: GameSession | None) -> QuerySet[ScaleStep]:
    """Return the steps of a session that stand, oldest first: of these Scales and, in a session, of all others too.

    They are found by the session's own events: a Scale has moves of all sessions, and a database would walk through them.
    """
    steps = ScaleStep.objects.filter(undone_at=None, event__session=session).order_by("pk")
    if session is None:
        newest = (steps.filter(scale=scale).order_by("-number").values_list("pk", flat=True) for scale in scales)
        return steps.filter(pk__in=[pk for of_scale in newest for pk in of_scale[:LATEST]])
    first, last = ends(session)
    return steps.filter(event__gte=first, event__lte=last)


PARTS: Final = ("add_ons__scale__scale", "scale")
"""Where an event has a Scale: in that of a roll, and in those of the Scale itself."""

NAMES: Final = ("character__name", "add_ons__scale__burns__0__character__name", "burns__0__character__name")
"""Where it has the character whose roll or Burn it was."""


def _moves(steps: QuerySet[ScaleStep]) -> Iterator[tuple[UUID, Move]]:
    """Yield what these steps moved, each with its Scale, oldest first.

    Of payloads only these parts are read: a line needs no words, and a session has hundreds of rolls.
    """
    parts = [f"event__stored__payload__{path}" for path in (*PARTS, *NAMES)]
    rows = list(steps.values_list("scale", "number", "event__uid", "uid", *parts))
    own = Written.objects.filter(campaign__in=steps.order_by().values("scale__campaign"))
    notes = own.exclude(thing__startswith="sheet:").by_cause(step for _, _, _, step, *_ in rows)
    for scale, number, uid, step, with_roll, alone, *names in rows:
        with suppress(*UNREADABLE):
            yield scale, _move(number, uid, with_roll or alone, next(filter(None, names), ""), notes[step])


def _move(number: int, uid: UUID, scale: Mapping[str, Any], who: str, notes: Sequence[Written]) -> Move:
    """Return a move as its event and the journal tell it. Raises UNREADABLE if the event has no Scale."""
    reached = scale["before"] + scale["delta"] if "delta" in scale else 0
    burns = [one.after[0] for one in notes if one.path == "state"]
    before = next((one.before[0] for one in notes if one.path == "value"), scale["value"])
    return Move(
        number=number,
        uid=uid,
        before=before,
        value=scale["value"],
        delta=scale.get("delta", 0),
        who=who,
        burn=_burn_words(burns),
        fires=Burn.State.FIRED in burns,
        reached=reached if abs(reached) >= MAJOR_AT else None,
    )


def _burn_words(states: Sequence[str]) -> str:
    if states.count(Burn.State.FIRED) > 1:
        return _("both Burns fired")
    return ", ".join(str(BURN_WORDS[state]) for state in states if state in BURN_WORDS)


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


def outlook(scale: Scale) -> Outlook:
    """Return exact odds over the table's own mix of pools and difficulties."""
    chosen = settings_of(scale.campaign)
    mixture = _mixture(scale, chosen)
    shares = mixture or _usual(scale, chosen)
    total = sum(share.weight for share in shares)
    drift = (
        sum((share.weight * mean(dict(share.shifts)) for share in shares), Fraction()) / total if total else Fraction()
    )
    now = state_of(scale)
    chances = {policy: next_major(now, shares, policy, chosen) for policy in (Policy.BANK, Policy.TAKE)}
    return Outlook(sum(share.weight for share in mixture), drift, chances[Policy.BANK], chances[Policy.TAKE])


def _mixture(scale: Scale, settings: Settings) -> list[Share]:
    steps = ScaleStep.objects.filter(scale=scale, undone_at=None, roll__voided_at=None).exclude(event__kind__in=ACTS)
    fed = (step.roll for step in steps.select_related("roll").order_by("-number")[:LOOKED_AT])
    rolled = Counter(_share(roll.system, roll.ask, settings) for roll in fed if roll)
    return [Share(weight, share.shifts) for share, weight in rolled.items() if share]


def _usual(scale: Scale, settings: Settings) -> list[Share]:
    """Return the share of a table that has not rolled yet: a usual roll by the first of its rulesets that move the Scale."""
    counted = counted_in(scale.campaign.systems, scale.campaign.settings)
    return [Share.of(1, shifts_for(one, one.usual, settings)) for one in counted][:1]


def _share(system: str, terms: Mapping[str, Any], settings: Settings) -> Share | None:
    counted = countable(system)
    return Share.of(1, shifts_for(counted, terms, settings)) if counted else None


BIGGEST = 3


@dataclass(frozen=True)
class Line:
    """Holds how one Scale moved: `name` is whose it is, "" for the table's."""

    name: str
    chart: Chart


def lines_of(viewer: Viewer, session: GameSession) -> list[Line]:
    """Return the Scales that moved. The number of queries does not depend on how often."""
    states = {payload["id"]: payload for payload in scale_states(viewer)}
    drawn = charts(Scale.objects.filter(pk__in=states), session)
    return [Line(states[str(chart.scale)]["name"], chart) for chart in drawn if chart.moves]


def swings(lines: Sequence[Line]) -> list[Move]:
    """Return the biggest moves by rolls."""
    moved = [move for line in lines for move in line.chart.moves if move.delta]
    return sorted(moved, key=lambda move: -abs(move.delta))[:BIGGEST]


def on_the_scale(viewer: Viewer, session: GameSession) -> list[str]:
    """Return the Scale's part of a recap's draft."""
    lines = lines_of(viewer, session)
    return [*_burns(lines), *_swings(lines)]


def _burns(lines: Sequence[Line]) -> list[str]:
    burns = [move for line in lines for move in line.chart.moves if move.burn]
    majors = [
        "- " + _("{name}: a Major Burn at {value}").format(name=move.who, value=signed(move.reached))
        for move in burns
        if move.reached
    ]
    fired = sum(move.fires for move in burns)
    return [*majors, "- " + _("Burns fired: {count}").format(count=fired)] if fired else majors


def _swings(lines: Sequence[Line]) -> list[str]:
    biggest = [f"{move.who} {signed(move.delta)}" for move in swings(lines)]
    return ["- " + _("Biggest swings: {swings}").format(swings=", ".join(biggest))] if biggest else []


def chapters(viewer: Viewer, session: GameSession) -> list[dict[str, Any]]:
    """Return the narrated Major Burns of a session as events have them."""
    seen = filed_in(Event.objects.seen_by(viewer), session).deduplicated(viewer)
    events = seen.filter(kind=BURN_NARRATED).select_related("stored").order_by("pk")
    burns = {
        burn["id"]: burn for event in events if event.is_readable for burn in event.described["burns"] if burn["major"]
    }
    return list(burns.values())


Payload = dict[str, Any]

LOOKED_BACK = 100
"""So many rolls, Burns and Major Burns before a session are read for how the Scale and its Burns stood when it began."""

EVEN: Payload = {"value": 0, "pending": None, "banked": None}


def beginning(viewer: Viewer, session: GameSession) -> tuple[list[Payload], list[Payload]]:
    """Return the Scales that are in use, and the Burns that were not over, just before a session (rolls/queries/sessions.py)."""
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
