"""`python -m bench.posting`: what a write costs the server: queries and time of a roll's POST, by ruleset.

A campaign is played in a new SQLite file and in a PostgreSQL of its own. In it a player rolls by each ruleset, speaks, writes on
a sheet and ticks a clock, many times and in turns, through the forms that browsers send. The median counts, and how many times as
long that is as of a bare Django view without middleware that inserts one row, in the same run; beside it stand the time of the
processor that this process took, and the quickest. Connections go back after each request, as they do on a server; PostgreSQL
does not wait for the disk here.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.databases import measured

if TYPE_CHECKING:
    from bench.posting_world import Took, World

WARM = 5
"""Rounds that are sent before any counts."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.posting", description="Time what people send to a table.")
    parser.add_argument("--rounds", type=int, default=100, help="how often each is sent")
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
    _figures(world, asked.rounds)


def _figures(world: World, rounds: int) -> None:
    counts = {what: _queries(world, what) for what in world.sends}
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


def _queries(world: World, what: str) -> int:
    """Return how many SQL statements one request takes, without those that begin and end transactions."""
    from django.db import connection

    asked: list[str] = []

    def note(execute: Any, sql: str, *more: Any) -> Any:
        asked.append(sql)
        return execute(sql, *more)

    world.send(what, connection.execute_wrapper(note))
    return len(asked)


if __name__ == "__main__":
    main()
