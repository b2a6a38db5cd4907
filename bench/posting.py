"""`python -m bench.posting`: what a write costs the server: queries and time of a roll's POST, by ruleset.

A campaign is played in a new SQLite file and in a PostgreSQL of its own. In it a player rolls by each ruleset, speaks, writes on
a sheet and ticks a clock, many times and in turns, through the forms that browsers send. The median counts, and how many times as
long that is as of a bare Django view without middleware that inserts one row, in the same run; beside it stand the time of the
processor that this process took, and the quickest. Connections go back after each request, as they do on a server; PostgreSQL
does not wait for the disk here.

    python -m bench.posting                                 the figures, on both databases
    python -m bench.posting --only postgresql --log arc     each statement of one roll, with the milliseconds it took
    python -m bench.posting --profile storyteller           in which functions its time goes
"""

from __future__ import annotations

import cProfile
import pstats
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench.databases import measured

if TYPE_CHECKING:
    from bench.posting_world import Took, World

WARM = 5
"""Rounds that are sent before any counts."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.posting", description="Time what people send to a table.")
    parser.add_argument("--rounds", type=int, default=100, help="how often each is sent")
    parser.add_argument("--log", metavar="WHAT", default="", help="print the statements of what is called so")
    parser.add_argument("--profile", metavar="WHAT", default="", help="print where the time of what is called so goes")
    measured(parser, arguments, measure)


def measure(asked: Namespace) -> None:
    """Play in the settings' database, and print the measurements asked for."""
    # Models can be named only now.
    from bench.posting_world import World

    world = World()
    print(f"\n{world.database}")
    for _ in range(WARM):
        for what in world.sends:
            world.send(what)
    if asked.log:
        _log(world, _called(world, asked.log))
    elif asked.profile:
        _profile(world, _called(world, asked.profile), asked.rounds)
    else:
        _figures(world, asked.rounds)


def _called(world: World, words: str) -> str:
    return next(what for what in world.sends if words in what)


def _figures(world: World, rounds: int) -> None:
    counts = {what: len(statements(world, what)) for what in world.sends}
    times: dict[str, list[Took]] = {what: [] for what in world.sends}
    bare = []
    for _ in range(rounds):
        for what, took in times.items():
            took.append(world.send(what))
        bare.append(world.send_bare())
    print(f"{'':28}{'queries':>8}{'median':>10}{'ratio':>8}{'processor':>12}{'quickest':>10}")
    for what, took in {"one row, bare Django": bare, **times}.items():
        seconds, processor = median(taken.seconds for taken in took), median(taken.processor for taken in took)
        ratio = seconds / median(taken.seconds for taken in bare)
        quickest = min(taken.seconds for taken in took)
        figures = f"{1000 * seconds:>7.2f} ms{ratio:>8.1f}{1000 * processor:>9.2f} ms{1000 * quickest:>7.2f} ms"
        print(f"{what:28}{counts.get(what, 1):>8}{figures}", flush=True)


def statements(world: World, what: str) -> list[tuple[str, float]]:
    """Return the SQL statements of one request, each with its seconds, without those that begin and end transactions."""
    from django.db import connection

    asked: list[tuple[str, float]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        started = perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            asked.append((sql, perf_counter() - started))

    world.send(what, connection.execute_wrapper(note))
    return asked


def _log(world: World, what: str) -> None:
    for sql, seconds in statements(world, what):
        print(f"{1000 * seconds:6.2f} ms  {sql}")


def _profile(world: World, what: str, rounds: int) -> None:
    profile = cProfile.Profile()
    for _ in range(rounds):
        world.send(what, profile)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


if __name__ == "__main__":
    main()
