"""Browser tests: real browsers on two real server processes, and no ORM. Run by `python3 dev.py test -- tests/browser`."""

from __future__ import annotations

import os
import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

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
Left = dict[str, list[BrowserContext]]


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


@pytest.fixture(scope="session")
def left() -> Left:
    """Browsers that tests have left, by whose they are and what they are like. They keep nothing but what they have fetched of
    scripts, styles and fonts: to fetch and compile that anew for each test took a sixth of what these tests take."""
    return defaultdict(list)


@pytest.fixture
def sit(browser: Browser, servers: tuple[str, str], signed_in: dict[str, Any], left: Left) -> Iterator[Sit]:
    """`sit("mo")`, `sit("gm", at=servers[1])`: that demo person's browser, signed in; `sit("")` is a stranger's.

    It holds nothing of other tests. One that is changed as a whole (its clock) is `fresh=True`, and closed in the end. What
    breaks the Content Security Policy or throws in a page's script fails the test.
    """
    with sitting(browser, servers, signed_in, left) as open_browser:
        yield open_browser


@contextmanager
def sitting(browser: Browser, servers: tuple[str, str], signed_in: dict[str, Any], left: Left) -> Iterator[Sit]:
    """What `sit` is, for one test; leaves its browsers to the next."""
    complaints: list[str] = []
    used: list[tuple[str, BrowserContext]] = []

    def open_browser(person: str, *, at: str = servers[0], fresh: bool = False, **options: Any) -> Page:
        kind = "" if fresh else f"{person} at {at}: {sorted(options.items())}"
        context = left[kind].pop() if kind and left[kind] else browser.new_context(base_url=at, **options)
        used.append((kind, context))
        page = _new_page(context, {at, *servers})
        context.add_cookies(signed_in.get(person, []))
        page.on("pageerror", lambda error: complaints.append(f"{person}: {error}"))
        page.on("console", lambda message: complaints.extend(_breaches(person, message.text)))
        if person and person not in signed_in:
            sign_in(page, person)
            signed_in[person] = context.cookies()
        return page

    yield open_browser
    for kind, context in used:
        if not kind:
            context.close()
            continue
        for page in context.pages:
            page.close()
        context.set_offline(False)
        left[kind].append(context)
    assert not complaints


def _new_page(context: BrowserContext, addresses: set[str]) -> Page:
    """In a browser that forgets first what pages of these addresses have kept. What a tab keeps for itself is gone with it."""
    context.clear_cookies()
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    for address in addresses:
        devtools.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage"})
    devtools.detach()
    return page


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
