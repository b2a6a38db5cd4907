"""`python -m bench.odds`: how long our odds take, and icepool's for the same question in the same run.

Both are asked several times and the quickest time counts. Ours are asked with nothing kept from before; icepool keeps what it
likes between its turns. The answers are compared as well: a race between different answers says nothing.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from bench import second_opinion
from rulesets.arc import odds as arc
from rulesets.arc.settings import DEFAULTS
from rulesets.descriptors import odds as descriptors
from rulesets.descriptors.rules.contest import Side
from rulesets.forged import odds as forged
from rulesets.storyteller import odds as storyteller
from scale import odds as scale
from scale.rules.scale import State

SECONDS = 1.0
"""The time for each side of a race; each gets at least one try."""

MOST_TRIES = 200

TABLE = tuple(scale.Share.of(dice, storyteller.deltas(dice, 2 + dice % 9)) for dice in range(1, 13))
"""A table that rolls pools of 1 to 12 dice at every difficulty."""


class Race(NamedTuple):
    """A question, our way to answer it and icepool's (None: it would take minutes), and what makes our answer look like its."""

    question: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any] | None = None
    alike: Callable[[Any], Any] = dict


def races(*, quick: bool) -> Iterator[Race]:
    for dice in (3,) if quick else (5, 10, 20):
        plain, by_class = second_opinion.storyteller, second_opinion.storyteller_by_class
        yield Race(f"storyteller, {dice} dice at 6", *_same(storyteller.joint, plain, dice, 6), _joint_alike)
        yield Race("  icepool given our classes", *_same(storyteller.joint, by_class, dice, 6), _joint_alike)
    for dice in (2,) if quick else (5, 10):
        pools = (dice, dice)
        yield Race(
            f"descriptors, {dice} against {dice}",
            *_same(descriptors.opposed, second_opinion.versus, *pools),
            _opposed_alike,
        )
    for dice in (2,) if quick else (4, 40):
        yield Race(f"forged, {dice} dice", *_same(forged.results, second_opinion.forged, dice), _results_alike)
    yield Race("arc, ES 5", lambda: arc.adjustments(5), lambda: second_opinion.arc(5, DEFAULTS.dice[4]))
    if not quick:
        yield Race("storyteller, 100 dice at 6", lambda: storyteller.joint(100, 6))
        yield Race("descriptors, 100 against 100", lambda: descriptors.opposed(100, 100))
        yield Race("next Major Burn, 12 sorts of roll", lambda: scale.next_major(State(), TABLE, scale.Policy.BANK))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.odds", description="Race our odds against icepool's.")
    parser.add_argument("--quick", action="store_true", help="small pools, one try each: shows that it runs")
    quick = parser.parse_args(arguments).quick
    print(f"{'':34}{'ours':>12}{'icepool':>14}{'ratio':>9}")
    for race in races(quick=quick):
        ours, answer = _timed(race.ours, quick=quick)
        if race.theirs is None:
            print(f"{race.question:34}{_shown(ours):>12}{'not tried':>14}")
            continue
        theirs, other = _timed(race.theirs, quick=quick)
        if race.alike(answer) != other:
            raise SystemExit(f"{race.question}: icepool does not agree.")
        print(f"{race.question:34}{_shown(ours):>12}{_shown(theirs):>14}{theirs / ours:>8.0f}x")


def _same(ours: Callable[..., Any], theirs: Callable[..., Any], *question: int) -> tuple[Any, Any]:
    return lambda: ours(*question), lambda: theirs(*question)


def _timed(ask: Callable[[], Any], *, quick: bool) -> tuple[float, Any]:
    """Return the shortest of several tries in seconds, and the answer."""
    best = spent = 0.0
    answer = None
    for tries in range(1 if quick else MOST_TRIES):
        if spent > SECONDS:
            break
        _forget()
        started = perf_counter()
        answer = ask()
        took = perf_counter() - started
        best = min(best, took) if tries else took
        spent += took
    return best, answer


def _forget() -> None:
    for module in (storyteller, scale, descriptors, forged, arc):
        for thing in vars(module).values():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


def _shown(seconds: float) -> str:
    return f"{1000 * seconds:.3f} ms"


def _joint_alike(odds: storyteller.Joint) -> dict[tuple[int, bool, int], int]:
    return {(verdict.net, verdict.botch, delta): ways for verdict, delta, ways in odds}


def _opposed_alike(odds: descriptors.Opposed) -> Counter[tuple[Side | None, int]]:
    chances = {(Side.A, count): chance for count, chance in odds.successes_a.items()}
    chances |= {(Side.B, count): chance for count, chance in odds.successes_b.items()}
    # Adding Counters leaves out what cannot come.
    return Counter(chances) + Counter({(None, 0): odds.stalemate})


def _results_alike(odds: Any) -> Counter[Any]:
    return Counter(odds) + Counter()


if __name__ == "__main__":
    main()
