"""`python -m bench.search`: what a search of a whole campaign costs, at 100,000 events, 1,000 things with names and 1,000 pages.

It is asked for as the dialog asks, through the whole site, with the hits drawn. Processor time counts, of this process and of
PostgreSQL's, so that other work on the machine does not. What has to hold: half of the searches take less than 50 ms.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from bench.databases import measured

if TYPE_CHECKING:
    from django.test import Client

EVENTS, THINGS, TRIES, GOAL = 100_000, 1000, 25, 50
WORDS = {
    "what can be done": "",
    "a name": "lanternkeeper 77",
    "inside names and lines": "ternkeep",
    "a rare word of the pages": "berth 77",
    "a common word of the pages": "chandler",
    "a word with accents": "wachter",
    "a rare word of the log": "r77",
    "a common word of the log": "c7x",
    "two common words": "c7x c9x",
    "two letters": "la",
    "one letter": "x",
    "Japanese": "幽霊屋敷",
    "a rule": "burn",
    "nothing": "nowhere",
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.search", description="Measure searches of a whole campaign.")
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--tries", type=int, default=TRIES, help="how often each is asked for")
    measured(parser, arguments, measure)


def measure(asked: Namespace) -> None:
    """Build the world in the database of the settings, and print what searches take."""
    # Models can be named only now.
    from django.conf import settings
    from django.test import Client
    from django.test.utils import setup_test_environment

    import config.application  # noqa: F401  # garbage is collected as in the server
    from bench.log_world import World, add_names
    from people.models import User

    setup_test_environment()
    settings.SECURE_SSL_REDIRECT = False
    world = World(asked.events)
    add_names(world.campaign, THINGS)
    print(
        f"\n{world.database}, {asked.events:,} events, {THINGS:,} things with names, {THINGS:,} pages; ms of processor time"
    )
    print(f"{'':40}{'p50':>8}{'p95':>8}{'elapsed':>10}")
    for who, viewer in world.viewers.items():
        client = Client(headers={"HX-Request": "true"})
        client.force_login(User.objects.get(pk=viewer.by.user_id))
        for words, typed in WORDS.items():
            _ask(f"{who}, {words}", client, f"/c/{world.campaign.slug}/search/", typed, asked.tries)


def _ask(who: str, client: Client, address: str, typed: str, tries: int) -> None:
    costs, elapsed = [], []
    for number in range(tries + 1):
        begun, at = _spent(), perf_counter()
        answer = client.get(address, {"q": typed})
        # The first one fills what is kept in memory.
        if number:
            costs.append(1000 * (_spent() - begun))
            elapsed.append(1000 * (perf_counter() - at))
        if answer.status_code != 200:
            raise RuntimeError(f"{typed!r}: {answer.status_code}")
    late = " too slow" if median(costs) > GOAL else ""
    print(f"{who:40}{median(costs):>8.1f}{quantiles(costs, n=20)[-1]:>8.1f}{median(elapsed):>10.1f}{late}", flush=True)


def _spent() -> float:
    """Return the processor time of this process and of the one that answers it, in seconds."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return process_time()
    connection.ensure_connection()
    server = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()[0]
    return process_time() + int(server) / 1e9


if __name__ == "__main__":
    main()
