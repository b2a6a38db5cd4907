"""`python -m bench.pages`: what every page of a campaign costs when the campaign is young and when it is old.

The demo is made in a new SQLite file and in a PostgreSQL of its own, and grows to 10,000 and 1,000,000 events by going through
all of it again and again (pages_world.py). Each page is asked for as the site does it, by a GM and by a player; the table
printed says for each size how many queries it took, how long (the CPU time of the server's process, the median of several
tries, and behind it the time that it waited for PostgreSQL), and how many bytes came of it, plain and compressed. The last
columns compare the oldest campaign with the youngest. What has to hold: no page takes many more queries, much more time or many
more bytes.

    python -m bench.pages --sizes 100 10000 --only sqlite
    python -m bench.pages --frames       how long a line takes to draw for open pages, in each language
    python -m bench.pages --browser      first and largest contentful paint in Chromium, at the demo
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.databases import measured

if TYPE_CHECKING:
    from bench.pages_world import World

SIZES = (100, 10_000, 1_000_000)
TRIES = 5
GROWN = 1.5
"""Times as much as in the youngest campaign: a page beyond it is named in the last column."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m bench.pages", description="What pages cost as a campaign grows older.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="EVENTS", help="the demo has some 900")
    parser.add_argument(
        "--tries", type=int, default=TRIES, help="how often a page is asked for, of which the median counts"
    )
    parser.add_argument("--pages", nargs="+", default=[], metavar="NAME", help="these alone")
    parser.add_argument("--frames", action="store_true", help="measure what a line takes to draw instead")
    parser.add_argument("--browser", action="store_true", help="measure when a browser has drawn the demo instead")
    measured(parser, arguments, report_here)


def report_here(asked: Namespace) -> None:
    """Play in the settings' database, and print the measurements asked for."""
    from django.core.management import call_command

    # Models can be named only now.
    from bench.pages_world import World

    # Pages name files by their hashes, so they have to be there.
    call_command("collectstatic", interactive=False, verbosity=0)
    started = perf_counter()
    world = World()
    print(f"\n{world.database} (the demo was made in {perf_counter() - started:.0f} s)", flush=True)
    if asked.frames:
        from bench.frames import report as frames

        frames(world)
    elif asked.browser:
        from bench.paints import report as paints

        paints(world)
    else:
        measure(world, asked.sizes, asked.tries, asked.pages)


class Page(NamedTuple):
    """A page by the name of its address, what that names further, and its query."""

    name: str
    values: dict[str, object] = {}
    query: str = ""
    who: Sequence[str] = ("gm", "mo")

    @property
    def words(self) -> str:
        """Return the page's name in the report, the same at every size."""
        return self.name + self.query.partition("=")[0]


class Cost(NamedTuple):
    """`own` and `database` in milliseconds."""

    queries: int
    own: float
    database: float
    size: int
    packed: int


def measure(world: World, sizes: Sequence[int], tries: int, only: Sequence[str]) -> None:
    """Let the world grow, ask for its pages at each size, and print them side by side."""
    costs_of: dict[str, list[Cost]] = {}
    heads = []
    for size in sizes:
        started = perf_counter()
        world.grow(size)
        heads.append(f"{world.events:,} events")
        print(f"{heads[-1]} after {perf_counter() - started:.0f} s", flush=True)
        for page in pages(world):
            if not only or page.name in only:
                for who in page.who:
                    costs_of.setdefault(f"{who}: {page.words}", []).append(cost(world, page, who, tries))
    print("\n" + f"{'queries, ms + ms in the database, kB / compressed':44}" + "".join(f"{head:>34}" for head in heads))
    for name, costs in costs_of.items():
        print(f"{name:44}" + "".join(_cell(page_cost) for page_cost in costs) + _ratios(costs[0], costs[-1]))


def _cell(cost: Cost) -> str:
    return f"{cost.queries:>6} {cost.own:>8.1f} +{cost.database:>6.1f} {cost.size / 1000:>6.0f} /{cost.packed / 1000:>4.0f}"


def _ratios(young: Cost, old: Cost) -> str:
    ratios = {
        "queries": old.queries / young.queries,
        "ms": (old.own + old.database) / (young.own + young.database),
        "kB": old.size / young.size,
    }
    grown = " ".join(name for name, ratio in ratios.items() if ratio > GROWN)
    return "".join(f"{ratio:>7.2f}" for ratio in ratios.values()) + f"  {grown}"


def pages(world: World) -> Iterator[Page]:
    """Yield every page of a campaign, and one of each kind that is about one thing."""
    from campaigns.models import Clock, Event, Storyline

    session = {"number": world.session.number}
    character = {"character_id": world.campaign.characters.get(name="Silas Grey").pk}
    said = Event.objects.filter(campaign=world.campaign, stream__name="table", kind="campaigns.said").last()
    for name in ("table", "log", "sessions", "statistics", "storylines", "clocks", "characters", "members", "scale"):
        yield Page(name)
    yield Page("chain")
    yield Page("log", query="?topic=roll")
    yield Page("log", query="?words=street")
    yield Page("log", query=f"?session={world.session.pk}")
    for name in ("session", "session_totals", "verify", "replay", "replay_events"):
        yield Page(name, session)
    yield Page("statistics", query=f"?session={world.session.number}")
    yield Page("statistics", query=f"?character={character['character_id']}")
    yield Page("log_event", {"uid": said.uid})
    yield Page("older", {"uid": said.uid})
    for name in ("character", "advances", "character_card"):
        yield Page(name, character)
    yield Page("field_history", character, query="?field=willpower_now")
    yield Page("clock", {"clock_id": Clock.objects.filter(campaign=world.campaign).exclude(visibility="secret")[0].pk})
    yield Page("roll_form")
    for name in ("awards", "oracles", "invitations", "campaign_settings", "rules_settings", "creation_settings"):
        yield Page(name, who=["gm"])
    yield Page("character_templates", who=["gm"])
    yield Page("recap", session, who=["gm"])
    yield Page("storyline", {"storyline_id": Storyline.objects.filter(campaign=world.campaign)[0].pk}, who=["gm"])
    yield Page("home")


def cost(world: World, page: Page, who: str, tries: int) -> Cost:
    """Measure a page as one person. The first answer does not count: templates are read then, and lines drawn."""
    import brotli  # comes with whitenoise
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    client = Client(HTTP_HOST="localhost", HTTP_ACCEPT_ENCODING="br")
    client.force_login(world.members[who].user)
    slug = {} if page.name == "home" else {"slug": world.campaign.slug}
    url = reverse(page.name, kwargs={**slug, **page.values}) + page.query
    times: list[float] = []

    def timed(execute: Any, *args: Any) -> Any:
        started = perf_counter()
        try:
            return execute(*args)
        finally:
            times.append(1000 * (perf_counter() - started))

    owns, waits = [], []
    for attempt in range(tries + 1):
        times.clear()
        with connection.execute_wrapper(timed):
            started = process_time()
            answer = client.get(url)
            packed = answer.getvalue()
            own = 1000 * (process_time() - started)
        if answer.status_code != 200:
            raise SystemExit(f"{url} answers {answer.status_code}.")
        if attempt:
            owns.append(own)
            waits.append(sum(times))
    plain = brotli.decompress(packed) if answer.headers.get("Content-Encoding") == "br" else packed
    # SQLite works within this process, so that its time is in the CPU's already.
    waited = 0.0 if connection.vendor == "sqlite" else median(waits)
    return Cost(len(times), median(owns), waited, len(plain), len(packed))


if __name__ == "__main__":
    main()
