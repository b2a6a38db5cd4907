"""A game from outside the project, installed beside it: everywhere a ruleset is, without a line of the project's own for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import dice
from tests.browser.hands import field, last_card, say
from tests.browser.seats import sign_in
from tests.browser.servers import Site, new_database
from tests.examples.installing import LANTERNS, install

TABLE = "by-lantern-light"


@pytest.fixture(scope="module")
def lit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server with the demo, on which Lanterns was installed later."""
    more = install(LANTERNS, tmp_path_factory.mktemp("installed"))
    with new_database(os.environ["DATABASE_URL"], template=os.environ["TEST_DEMO"]) as url:
        site = Site(url, tmp_path_factory.mktemp("servers"), "tests.browser.settings_lanterns", more)
        for words in (("collectstatic", "--noinput", "--verbosity=0"), ("migrate", "--verbosity=0")):
            site.manage(*words)
        site.run("-m", "tests.browser.world", TABLE)
        with site.serve() as address:
            yield address


@pytest.fixture
def come(browser: Browser, lit: str) -> Iterator[Callable[[str], Page]]:
    """`come("mo")` returns that demo person's browser, signed in. The test fails if a page's script throws."""
    thrown: list[str] = []

    def open_browser(person: str) -> Page:
        page = browser.new_context(base_url=lit).new_page()
        page.on("pageerror", lambda error: thrown.append(f"{person}: {error}"))
        sign_in(page, person)
        return page

    yield open_browser
    assert not thrown


@pytest.fixture
def gm(come: Callable[[str], Page]) -> Page:
    """Return Ro's browser, after choosing Lanterns as the table's only ruleset."""
    page = come("gm")
    page.goto(f"/c/{TABLE}/settings/")
    for box in page.locator("[name=systems]").all():
        box.set_checked(box.get_attribute("value") == "lanterns")
    page.get_by_role("button", name="Save settings").click()
    page.goto(f"/c/{TABLE}/")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return page


@pytest.fixture
def mo(come: Callable[[str], Page], gm: Page) -> Page:
    """Return Mo's browser, with a lantern-bearer made step by step."""
    page = come("mo")
    page.goto(f"/c/{TABLE}/characters/new/")
    page.get_by_role("link", name="Lanterns").click()
    page.locator("[name=name]").fill("Ada Wick")
    for _ in ("the card", "the face"):
        page.get_by_role("button", name="Next").click()
    for trait, dots in (("nerve", 3), ("craft", 2)):
        page.locator(f"[name={trait}][value='{dots}']").check(force=True)
    expect(page.locator("#budget-words")).to_contain_text("too many")
    page.locator("[name=nerve][value='2']").check(force=True)
    page.get_by_role("button", name="Create character").click()
    expect(page.locator("h1")).to_contain_text("Ada Wick")
    expect(page.locator("dl.figures")).to_contain_text("oil for 3 rolls")
    ada = page.url.rstrip("/").rpartition("/")[2]
    page.goto(f"/c/{TABLE}/?character={ada}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return page


def test_a_game_from_outside_is_played_like_those_that_are_here(mo: Page, gm: Page) -> None:
    dice.unload()
    mo.locator("[data-trait=nerve]").click()
    expect(field(mo, "trait")).to_have_value("nerve")
    expect(mo.locator("#odds")).to_contain_text("bright 42 %")
    field(mo, "oil").check()
    expect(mo.locator("#odds")).to_contain_text("bright 83 %")
    dice.load(5, 4, 3)
    mo.locator("#roll [type=submit]").click()
    for page in (mo, gm):
        expect(last_card(page)).to_contain_text("Nerve +2")
        expect(last_card(page)).to_contain_text("Oil burned")
        expect(last_card(page).get_by_role("img", name="3", exact=True)).to_be_visible()
        expect(last_card(page).locator(".outcome")).to_have_text("Bright")
    expect(mo.locator("#roll")).to_contain_text("(2 left)")
    bright = colour_of_the_outcome(gm)
    mo.locator("#feed").click()
    mo.keyboard.press("?")
    expect(mo.locator("#keys")).to_contain_text("/l nerve 2 oil")
    expect(mo.locator("#keys")).not_to_contain_text("/r 5")
    mo.keyboard.press("Escape")
    dice.load(1, 1)
    say(mo, "/l heart 1")
    expect(last_card(gm).locator(".outcome")).to_have_text("Dark")
    assert colour_of_the_outcome(gm) != bright, "The game's own style sheet is not there."


def colour_of_the_outcome(page: Page) -> str:
    return str(last_card(page).locator(".outcome").evaluate("one => getComputedStyle(one).color"))
