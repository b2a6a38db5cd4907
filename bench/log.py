"""`python -m bench.log`: how long a page of the log takes in a database of a million events, near its end and deep inside.

A world is made by SQL in a new SQLite file and in a PostgreSQL of its own: a campaign with half of all events, ten more with the
rest. Then pages of it are asked for as the site does it, a player's and a GM's, each several times; the quickest time counts.
What has to hold: a deep page takes less than 1.5 times what the first does, a search less than 20 ms.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from bench.databases import measured

if TYPE_CHECKING:
    from bench.log_world import World

TRIES = 15
PAGE = 50


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(
        prog="python -m bench.log", description="Time pages and searches of a log of a million events."
    )
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument(
        "--tries", type=int, default=TRIES, help="how often a page is asked for, of which the quickest counts"
    )
    measured(parser, arguments, measure)


class Question(NamedTuple):
    """A way to ask for the log: as it is printed, the filters, and whether it is a search."""

    words: str
    wanted: dict[str, object]
    search: bool = False


def measure(asked: Namespace) -> None:
    """Build the world in the database of the settings, and print what its pages take."""
    # Models can be named only now.
    from bench.log_world import World

    started = perf_counter()
    world = World(asked.events)
    print(f"\n{world.database}, {asked.events:,} events (made in {perf_counter() - started:.0f} s)")
    print(f"{'':44}{'first':>10}{'deep':>10}{'ratio':>8}")
    for who, viewer in world.viewers.items():
        for question in questions(world):
            _ask(who, world, question, viewer, asked.tries)


def questions(world: World) -> Iterator[Question]:
    yield Question("everything", {})
    yield Question("a character", {"subjects": (world.character,)})
    yield Question("a character's rolls", {"subjects": (world.character,), "topic": "roll"})
    yield Question("a character's Major Burns", {"subjects": (world.character,), "topic": "major"})
    yield Question("a clock", {"subjects": (world.clock,)})
    yield Question("rolls", {"topic": "roll"})
    yield Question("Major Burns", {"topic": "major"})
    yield Question("botches", {"outcome": "botch"})
    yield Question("botches of a character", {"outcome": "botch", "subjects": (world.character,)})
    yield Question("one system", {"system": "forged"})
    yield Question("one player", {"who": world.member})
    yield Question("rolls of one player", {"who": world.member, "topic": "roll"})
    yield Question("one session", {"session": world.session})
    yield Question("rolls of an early session", {"session": world.early, "topic": "roll"})
    yield Question("from a date to a date", {"since": world.day(0.3), "until": world.day(0.9)})
    yield Question("search: a rare word", {"words": "r77"}, search=True)
    yield Question("search: a common word", {"words": "c7x"}, search=True)
    yield Question("search: two common words", {"words": "c7x c9x"}, search=True)
    yield Question("search: a common and a rare word", {"words": "c7x r77"}, search=True)
    yield Question("search: the beginning of a word", {"words": "m12"}, search=True)
    yield Question("search: a word that is not there", {"words": "nowhere"}, search=True)
    yield Question("search: a common word in rolls", {"words": "c7x", "topic": "roll"}, search=True)
    yield Question(
        "search: of a character, in a time",
        {"words": "m12x", "subjects": (world.character,), "since": world.day(0.5)},
        search=True,
    )


def _ask(who: str, world: World, question: Question, viewer: object, tries: int) -> None:
    first, deep = (
        _timed(world.asking(viewer, question.wanted, beyond, PAGE + 1), tries) for beyond in (None, world.deep)
    )
    ratio = deep / first
    late = " too slow" if question.search and max(first, deep) > 0.02 else ""
    # What takes next to no time has no ratio that means anything.
    late += " deep" if ratio > 1.5 and deep > 0.002 else ""
    print(
        f"{who + ', ' + question.words:44}{1000 * first:>7.1f} ms{1000 * deep:>7.1f} ms{ratio:>8.2f}{late}", flush=True
    )


def _timed(ask: Callable[[], object], tries: int) -> float:
    """Return the shortest of several tries, in seconds: other work on the machine only adds to it."""
    times = []
    for _ in range(tries):
        started = perf_counter()
        ask()
        times.append(perf_counter() - started)
    return min(times)


if __name__ == "__main__":
    main()
