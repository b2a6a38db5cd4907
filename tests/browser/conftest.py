"""Browser tests: real browsers on two real server processes, and no ORM. Run by `python3 dev.py test -- tests/browser`."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import dice
from tests.browser.seats import Seats, Sit
from tests.browser.servers import Site, new_database
from tests.browser.world import READY
from tools import chromium

TABLES_AT_ONCE = 8

PROCESS_OF = {"gm": 0, "mo": 1, "iva": 0, "watcher": 1}
"""Which of the two server processes serves whom: everyone's news also comes from the other process."""

AtTable = Callable[..., Page]

# What comes in a moment takes longer where several browsers and other tests share two cores.
expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield a new installation with the demo campaign: a copy of the one that dev.py has made (tools/databases.py).

    All tests share it, so that none rolls there: its Scale is low, and a Major Burn would stop everybody.
    """
    url, demo = os.environ.get("DATABASE_URL", ""), os.environ.get("TEST_DEMO")
    if not demo:
        pytest.fail("Browser tests need PostgreSQL: python3 dev.py test -- tests/browser")
    with new_database(url, template=demo) as database_url:
        yield Site(database_url, tmp_path_factory.mktemp("servers"))


@pytest.fixture(scope="session")
def servers(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the addresses of two server processes of one site."""
    with site.serve() as one, site.serve() as other:
        yield one, other


@pytest.fixture(scope="session")
def fresh_tables(site: Site) -> Iterator[str]:
    """Yield slugs of campaigns that nobody has played yet: the prepared ones first, then more, several at once."""

    def make() -> Iterator[str]:
        yield from READY
        while True:
            slugs = [f"table-{secrets.token_hex(4)}" for _ in range(TABLES_AT_ONCE)]
            site.run("-m", "tests.browser.world", *slugs)
            yield from slugs

    return make()


@pytest.fixture
def table(fresh_tables: Iterator[str]) -> str:
    """Return the slug of a campaign for this test alone, as in tests/browser/world.py."""
    return next(fresh_tables)


@pytest.fixture
def service(sit: Sit, servers: tuple[str, str], table: str) -> Iterator[AtTable]:
    """`service("mo")` returns Mo's browser with the table open and live, on the process that Mo always uses.

    `character=` is who is at hand there; everything else goes to `sit`.
    """

    def sit_down(person: str, *, character: UUID | None = None, **options: Any) -> Page:
        page = sit(person, at=servers[PROCESS_OF[person]], **options)
        page.goto(f"/c/{table}/?character={character}" if character else f"/c/{table}/")
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        return page

    dice.unload()
    yield sit_down
    dice.unload()


@pytest.fixture(scope="session")
def seats(browser: Browser) -> Seats:
    """Return the browsers of all tests in this process."""
    return Seats(browser)


@pytest.fixture
def sit(seats: Seats, servers: tuple[str, str]) -> Iterator[Sit]:
    """`sit("mo")`, `sit("gm", at=servers[1])` return that demo person's browser, signed in; `sit("")` a stranger's.

    It holds nothing from other tests, and can look different (`viewport=`, `reduced_motion=`, …: LOOK in seats.py). A
    browser that goes to another server, whose clock or sockets are changed or whose page is listened to (`page.on`) has
    to be `fresh=True`, and is closed at the end. The test fails if a page breaks the Content Security Policy or throws.
    """
    with seats.of_one_test(servers[0]) as open_browser:
        yield open_browser


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the browser that dev.py found instead of pytest-playwright's own."""
    program = os.environ.get("CHROMIUM") or chromium.chromium()
    return browser_type_launch_args | {"executable_path": program, "args": chromium.FLAGS}
