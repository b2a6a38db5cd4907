"""`python -m bench.writes`: how many rolls a second a whole site commits on PostgreSQL, and what notifications cost of that.

Processes write side by side, each at tables of its own, so that nothing but the database is shared: first rolls, by the service
and without any request, then transactions that only hold a table and keep a key, in SQL, which is what the database lets through
when the processes are no limit. Each is done with NOTIFY inside the transaction, with one after it for all the tables that
committed meanwhile (campaigns/live/notifications.py), and without any. This PostgreSQL waits for the disk, as a real one does.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from bench.databases import new_databases, run_in, set_up, start_in

WAYS = ("inside", "after", "none")
WHAT = ("rolls", "bare")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.writes", description="Count what processes commit in a second.")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--what", nargs="+", choices=WHAT, default=WHAT)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--tables", type=int, default=24, help="campaigns that are written in")
    parser.add_argument(
        "--lay-out", action="store_true", help="make the tables in the database that DATABASE_URL names"
    )
    parser.add_argument("--write", nargs=3, metavar=("WHAT", "WAY", "WHICH"), help="be one of the processes")
    asked = parser.parse_args(arguments)
    if asked.lay_out or asked.write:
        _here(asked.tables, asked.write, asked.seconds)
        return
    for url in new_databases("postgresql", waits_for_disk=True):
        run_in(url, "bench.writes", ["--lay-out", "--tables", str(asked.tables)])
        print(f"{'commits a second':24}" + "".join(f"{way:>12}" for way in WAYS))
        for what in asked.what:
            for processes in asked.processes:
                # In turns, and the best of each: what else the machine does only ever takes away.
                turns = [
                    [_together(url, what, way, processes, asked.seconds) for way in WAYS] for _ in range(asked.turns)
                ]
                rates = [max(rate) for rate in zip(*turns, strict=True)]
                print(
                    f"{what + ', processes: ' + str(processes):24}" + "".join(f"{rate:>12.0f}" for rate in rates),
                    flush=True,
                )


def _here(tables: int, write: list[str] | None, seconds: float) -> None:
    set_up()
    # Models can be named only now.
    from bench import writes_world

    if write is None:
        writes_world.lay_out(tables)
        return
    what, way, which = write
    writer = writes_world.Writer(what, way, which)
    print("ready", flush=True)
    sys.stdin.readline()
    print(writer.write_for(seconds), flush=True)


def _together(url: str, what: str, way: str, processes: int, seconds: float) -> float:
    """Return the commits per second of all processes, which begin at the same moment."""
    started = [
        start_in(url, "bench.writes", ["--seconds", str(seconds), "--write", what, way, f"{number}/{processes}"])
        for number in range(processes)
    ]
    for process in started:
        _said(process)
    for process in started:
        assert process.stdin  # for mypy
        process.stdin.write("go\n")
        process.stdin.flush()
    done = [int(_said(process)) for process in started]
    for process in started:
        process.communicate()
    return sum(done) / seconds


def _said(process: subprocess.Popen[str]) -> str:
    assert process.stdout  # for mypy
    return process.stdout.readline()


if __name__ == "__main__":
    main()
