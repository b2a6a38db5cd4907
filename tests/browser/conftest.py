"""Browser tests: real browsers on two real server processes, and no ORM. Run by `python3 dev.py test -- tests/browser`."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import dice
from tests.browser.servers import Site, new_database
from tests.browser.world import READY
from tools import chromium

DEMO_PASSWORD = "afterburn-demo"
TABLES_AT_ONCE = 8

PROCESS_OF = {"gm": 0, "mo": 1, "iva": 0, "watcher": 1}
"""Who sits at which of the two server processes: nobody's news comes from their own process only."""

Sit = Callable[..., Page]
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
    """`service("mo")`: Mo's browser with the table open and live, on the process where Mo always sits."""

    def sit_down(person: str, **options: Any) -> Page:
        page = sit(person, at=servers[PROCESS_OF[person]], **options)
        page.goto(f"/c/{table}/")
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        return page

    dice.unload()
    yield sit_down
    dice.unload()


@pytest.fixture(scope="session")
def signed_in() -> dict[str, Any]:
    """What the browsers of those keep who have signed in once: a sign-in takes longer than most tests."""
    return {}


@pytest.fixture
def sit(browser: Browser, servers: tuple[str, str], signed_in: dict[str, Any]) -> Iterator[Sit]:
    """`sit("mo")`, `sit("gm", at=servers[1])`: that demo person's browser, signed in; `sit("")` is a stranger's.

    What breaks the Content Security Policy or throws in a page's script fails the test.
    """
    complaints: list[str] = []
    with ExitStack() as stack:

        def open_browser(person: str, *, at: str = servers[0], **options: Any) -> Page:
            options["storage_state"] = signed_in.get(person)
            context = stack.enter_context(browser.new_context(base_url=at, **options))
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(f"{person}: {error}"))
            page.on("console", lambda message: complaints.extend(_breaches(person, message.text)))
            if person and person not in signed_in:
                sign_in(page, person)
                signed_in[person] = context.storage_state()
            return page

        yield open_browser
    assert not complaints


def sign_in(page: Page, person: str) -> None:
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(person)
    page.locator("input[name=password]").fill(DEMO_PASSWORD)
    page.locator("input[name=password]").press("Enter")
    expect(page).not_to_have_url(re.compile("/accounts/login/"))


def _breaches(person: str, words: str) -> list[str]:
    return [f"{person}: {words}"] if "Content Security Policy" in words else []


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """pytest-playwright starts the browser that dev.py found, not one of its own."""
    program = os.environ.get("CHROMIUM") or chromium.chromium()
    return browser_type_launch_args | {"executable_path": program, "args": chromium.FLAGS}
