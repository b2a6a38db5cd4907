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
"""Who sits at which of the two server processes: nobody's news comes from their own process only."""

AtTable = Callable[..., Page]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A fresh installation with the demo campaign in it: a copy of the one that dev.py has made (tools/databases.py)."""
    url, demo = os.environ.get("DATABASE_URL", ""), os.environ.get("TEST_DEMO")
    if not demo:
        pytest.fail("Browser tests need PostgreSQL: python3 dev.py test -- tests/browser")
    with new_database(url, template=demo) as database_url:
        yield Site(database_url, tmp_path_factory.mktemp("servers"))


@pytest.fixture(scope="session")
def servers(site: Site) -> Iterator[tuple[str, str]]:
    """The addresses of two server processes of one site."""
    with site.serve() as one, site.serve() as other:
        yield one, other


@pytest.fixture(scope="session")
def fresh_tables(site: Site) -> Iterator[str]:
    """Slugs of campaigns at which nobody has played yet: those that are there, and then more, several at once."""

    def make() -> Iterator[str]:
        yield from READY
        while True:
            slugs = [f"table-{secrets.token_hex(4)}" for _ in range(TABLES_AT_ONCE)]
            site.run("-m", "tests.browser.world", *slugs)
            yield from slugs

    return make()


@pytest.fixture
def table(fresh_tables: Iterator[str]) -> str:
    """The slug of a campaign of this test's own, as in tests/browser/world.py."""
    return next(fresh_tables)


@pytest.fixture
def service(sit: Sit, servers: tuple[str, str], table: str) -> Iterator[AtTable]:
    """`service("mo")`: Mo's browser with the table open and live, on the process where Mo always sits.

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
    """The browsers of all tests of this process."""
    return Seats(browser)


@pytest.fixture
def sit(seats: Seats, servers: tuple[str, str]) -> Iterator[Sit]:
    """`sit("mo")`, `sit("gm", at=servers[1])`: that demo person's browser, signed in; `sit("")` is a stranger's.

    It holds nothing of other tests, and can look otherwise than usual (`viewport=`, `reduced_motion=`, …: LOOK in seats.py). One
    that goes to another server, whose clock or sockets are changed or whose page is listened to (`page.on`) is `fresh=True`, and
    closed in the end. What breaks the Content Security Policy or throws in a page's script fails the test.
    """
    with seats.of_one_test(servers[0]) as open_browser:
        yield open_browser


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """pytest-playwright starts the browser that dev.py found, not one of its own."""
    program = os.environ.get("CHROMIUM") or chromium.chromium()
    return browser_type_launch_args | {"executable_path": program, "args": chromium.FLAGS}
