"""The rolls that people tell of: the luckiest, the one that turned the story, the longest streak, each with its exact odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from math import prod
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.text import signed
from rolls.models import Roll
from rolls.queries.statistics.drawn import number
from rolls.queries.statistics.luck import FEWEST_ROLLS
from rolls.queries.statistics.rolled import Rolled
from rolls.queries.statistics.scale import Moves
from rolls.registry import RULESETS

EVEN: Final = 0.5
RARE: Final = 0.1
"""Below, a chance is said as one in so many."""

SHORTEST_RUN: Final = 3
MOST_DRAWN: Final = 8
"""The most dice, or rolls of a streak, in a picture."""

Names = Mapping[str, Mapping[Any, str]]


@dataclass
class Moment:
    """A `sentence` with its odds, of an event in the log (`uid`): of a streak its last one. Its picture are the `faces` of its
    dice with so many `sides`, or for a streak `sparks`, one a roll, each (x, y), which rise or fall.
    """

    title: str
    sentence: str
    event: int
    is_lucky: bool
    sides: int = 0
    sparks: Sequence[tuple[int, int]] = ()
    faces: Sequence[int] = ()
    uid: UUID | None = None


def moments(players: Sequence[Sequence[Rolled]], moves: Moves, names: Names) -> Sequence[Moment]:
    """Return the moments of these rolls, those of each player apart, still without their dice (`find_dice`); none where too few
    have odds that the viewer may know.
    """
    known = [group for group in chain(*players) if group.chance is not None]
    if sum(group.count for group in known) < FEWEST_ROLLS:
        return ()
    found = [_luckiest(known, names), _most_dramatic(known, moves, names), _longest_streak(players, names)]
    return [moment for moment in found if moment]


def find_dice(told: Sequence[Moment]) -> None:
    """Read which dice fell in these moments, and where in the log."""
    rolls = Roll.objects.filter(event__in=[moment.event for moment in told])
    found = {event: (uid, faces) for event, uid, faces in rolls.values_list("event_id", "event__uid", "faces")}
    for moment in told:
        moment.uid, faces = found[moment.event]
        moment.faces = faces[:MOST_DRAWN]


def _luckiest(known: Sequence[Rolled], names: Names) -> Moment | None:
    """Return the success that was least likely, with the chance of a result as good as that."""
    odds, group = min(
        ((_as_good(group), group) for group in known if group.succeeded), key=_likely, default=(1.0, None)
    )
    if group is None:
        return None
    words = _("{who}’s least likely success. {result}, or better: {odds}.")
    result = RULESETS[group.system].result_words()[group.result]
    sentence = words.format(who=_who(group, names), result=result, odds=in_words(odds))
    return Moment(_("Luckiest roll"), sentence, group.events[0], is_lucky=True, sides=group.sides)


def _as_good(group: Rolled) -> float:
    """Return the chance of this result or a better one: rulesets name the best first."""
    if group.chances is None:
        return group.chance or 0.0
    results = [*RULESETS[group.system].results]
    return sum(group.chances.get(name, 0.0) for name in results[: results.index(group.result) + 1])


def _most_dramatic(known: Sequence[Rolled], moves: Moves, names: Names) -> Moment | None:
    """Return the roll that moved a Scale furthest, or without one the failure that was least likely."""
    moved = [(abs(delta), event, delta, group) for group in known for event, delta in moves.of(group) if delta]
    if moved:
        _far, event, delta, group = max(moved, key=lambda move: (move[0], -move[1]))
        words = _("{who} moved the Scale by {delta}. As far as that, or further: {odds}.")
        odds = moves.chance(group, delta)
    else:
        failed = [(1 - group.chance, group) for group in known if group.succeeded is False and group.chance is not None]
        odds, lost = min(failed, key=_likely, default=(1.0, None))
        if lost is None or odds > EVEN:
            return None
        group, event, delta = lost, lost.events[0], -1
        words = _("{who} failed what should have worked: {odds}.")
    sentence = words.format(who=_who(group, names), delta=signed(delta), odds=in_words(odds))
    return Moment(_("Most dramatic moment"), sentence, event, is_lucky=delta > 0, sides=group.sides)


def _longest_streak(players: Sequence[Sequence[Rolled]], names: Names) -> Moment | None:
    """Return the longest run of one player's successes or failures, and of those as long the least likely one. A run with a roll
    whose odds the viewer may not know is not told."""
    runs = [run for groups in players for run in _runs(groups) if len(run) >= SHORTEST_RUN]
    told = [(len(run), -_chance_of(run), run) for run in runs if all(group.chance is not None for _, group in run)]
    if not told:
        return None
    length, odds, run = max(told, key=lambda one: one[:2])
    event, group = run[-1]
    words = (
        ngettext(
            "{who} succeeded {count} time in a row: {odds}.", "{who} succeeded {count} times in a row: {odds}.", length
        )
        if group.succeeded
        else ngettext(
            "{who} failed {count} time in a row: {odds}.", "{who} failed {count} times in a row: {odds}.", length
        )
    )
    sentence = words.format(who=names["player"][group.player], count=number(length), odds=in_words(-odds))
    rise = -3 if group.succeeded else 3
    sparks = [(6 + 12 * place, 18 + rise * (place - 4)) for place in range(min(length, MOST_DRAWN))]
    return Moment(_("Longest streak"), sentence, event, is_lucky=bool(group.succeeded), sparks=sparks)


def _runs(groups: Sequence[Rolled]) -> Sequence[Sequence[tuple[int, Rolled]]]:
    """Return the runs of successes and of failures of one player, each roll as (event, group)."""
    judged = [(event, group) for group in groups if group.succeeded is not None for event in group.events]
    fallen = sorted(judged, key=lambda fall: fall[0])
    return [[*run] for _, run in groupby(fallen, key=lambda fall: fall[1].succeeded)]


def _chance_of(run: Sequence[tuple[int, Rolled]]) -> float:
    chances = [group.chance or 0.0 for _, group in run]
    return prod(chances if run[0][1].succeeded else [1 - chance for chance in chances])


def _likely(found: tuple[float, Rolled]) -> tuple[float, int]:
    """Return how to order what was found: the least likely first, and of those the earliest."""
    odds, group = found
    return odds, group.events[0]


def _who(group: Rolled, names: Names) -> str:
    return names["character"].get(group.character) or names["player"][group.player]


def in_words(odds: float) -> str:
    """Return a chance, 0 to 1, as people say it: "42 %", "1 in 33"."""
    if odds >= RARE:
        return _("{number} %").format(number=number(100 * odds))
    return _("1 in {count}").format(count=number(1 / odds)) if odds else _("never, by today’s house rules")
