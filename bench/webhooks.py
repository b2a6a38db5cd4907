"""`python -m bench.webhooks`: what a thousand webhooks to a silent receiver cost the table that they follow.

A player rolls in a new SQLite file and in a PostgreSQL of its own: first without webhooks, then with a thousand at the same table
and `manage.py deliver` beside it, whose requests are taken by a receiver that never answers. Rolls are a tenth of a second apart.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING

from bench.databases import measured

if TYPE_CHECKING:
    from bench.posting_world import World

ROOT = Path(__file__).parents[1]
ROLL = "roll: storyteller"
APART = 0.1
WARM = 20


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(
        prog="python -m bench.webhooks", description="Time rolls beside webhooks that nobody answers."
    )
    parser.add_argument("--rolls", type=int, default=300, help="how many are timed each time")
    parser.add_argument("--webhooks", type=int, default=1000)
    measured(parser, arguments, measure)


def measure(asked: Namespace) -> None:
    """Roll without and with webhooks in the settings' database, and print how long it took."""
    from bench.posting_world import World

    world = World()
    print(f"\n{world.database}")
    _rolled(world, WARM)
    _print("without webhooks", _rolled(world, asked.rolls))
    with _silent_receiver() as (port, taken):
        _add(world, asked.webhooks, port)
        with _worker():
            _rolled(world, WARM)
            _print(f"{asked.webhooks:,} webhooks to a silent receiver", _rolled(world, asked.rolls))
        print(f"  requests that the receiver took meanwhile: {len(taken)}")


def _rolled(world: World, rolls: int) -> list[float]:
    """Return the milliseconds of each."""
    times = []
    for _ in range(rolls):
        times.append(world.send(ROLL).seconds * 1000)
        sleep(APART)
    return times


def _print(what: str, times: list[float]) -> None:
    print(f"  {what}: median {median(times):.1f} ms, p99 {quantiles(times, n=100)[98]:.1f} ms")


def _add(world: World, webhooks: int, port: int) -> None:
    """Add webhooks directly, as the services allow a table only a few."""
    from django.utils import timezone

    from webhooks.models import Format, Webhook

    seq = world.campaign.streams.get(name="table").seq
    Webhook.objects.bulk_create(
        Webhook(
            campaign=world.campaign,
            address=f"http://127.0.0.1:{port}/{number}",
            host="127.0.0.1",
            format=Format.STANDARD,
            topics=["roll"],
            made_at=timezone.now(),
            seq=seq,
        )
        for number in range(webhooks)
    )


@contextmanager
def _silent_receiver() -> Iterator[tuple[int, list[socket.socket]]]:
    """Give a port and the connections that were made to it; nothing is ever read from them."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0), backlog=1000) as server:

        def take() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return

        Thread(target=take, daemon=True).start()
        yield server.getsockname()[1], taken
        # The accepting thread does not notice that its socket is closed.
        server.shutdown(socket.SHUT_RDWR)


@contextmanager
def _worker() -> Iterator[None]:
    environment = os.environ | {"WEBHOOK_NETWORKS": "127.0.0.1"}
    worker = subprocess.Popen([sys.executable, "manage.py", "deliver"], cwd=ROOT, env=environment)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait()


if __name__ == "__main__":
    main()
