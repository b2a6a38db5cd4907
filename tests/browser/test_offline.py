"""Away from the network, in a real browser with its service worker: pages as they stood, and back again by themselves."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import say
from tests.browser.seats import Sit, sign_in
from tests.browser.world import character_of

KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith("pages")) continue;
    for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
  }
  return kept;
}"""
BAND = "You’re offline. This is how it stood on"
NATURE = '.entry[data-field="nature"] [data-input]'
ENABLED = "main :is(button:not([popovertarget]), input, select, textarea):enabled"


def kept(page: Page) -> set[str]:
    return set(page.evaluate(KEPT))


def wait_until(holds: Callable[[], bool]) -> None:
    """Ask the browser again until this holds."""
    until = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < until


def keep(page: Page, *paths: str) -> None:
    """Open one's campaigns, and wait until the pages at these addresses are kept."""
    page.goto("/")
    wait_until(lambda: {*paths, "/away/"} <= kept(page))


def be_first(page: Page, words: str) -> None:
    """Say something, so that the table comes first among the campaigns: pages of the last ones are kept."""
    say(page, words)
    expect(page.locator("#feed .said").last).to_contain_text(words)


def sheet_at(table: str) -> str:
    return f"/c/{table}/characters/{character_of('mo', table)}/"


def test_a_sheet_is_read_offline_as_it_stood_and_stands_as_it_is_once_back(service: AtTable, table: str) -> None:
    mo, gm = service("mo", fresh=True), service("gm")
    be_first(mo, "I have to catch my train.")
    sheet = sheet_at(table)
    keep(mo, sheet, f"/c/{table}/sessions/1/")
    mo.context.set_offline(True)
    mo.goto(sheet)
    expect(mo.locator("#away")).to_contain_text(BAND)
    expect(mo.get_by_role("heading", name="Silas Grey")).to_be_visible()
    expect(mo.locator(".top")).to_have_css("display", "flex")
    expect(mo.locator(ENABLED)).to_have_count(0)

    # What is not kept says so, and names what is.
    mo.goto(f"/c/{table}/log/")
    expect(mo.get_by_role("heading", name="You’re offline")).to_be_visible()
    mo.get_by_role("link", name=re.compile("Session 1")).first.click()
    expect(mo.locator("#away")).to_contain_text(BAND)

    mo.goto(sheet)
    gm.goto(sheet)
    gm.locator(NATURE).fill("Caregiver")
    gm.locator(NATURE).press("Enter")
    expect(gm.locator(".beside", has_text="saved").first).to_be_attached()
    expect(mo.locator("#away")).to_be_visible()
    expect(mo.locator(NATURE)).to_have_value("")
    mo.context.set_offline(False)
    expect(mo.locator("#away")).to_be_hidden()
    expect(mo.locator(NATURE)).to_have_value("Caregiver")
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")


def test_what_was_typed_waits_while_one_reads_offline(service: AtTable, table: str) -> None:
    mo = service("mo", fresh=True)
    keep(mo, "/")
    mo.goto(f"/c/{table}/")
    mo.get_by_label("Message").fill("I had begun to say")
    mo.wait_for_function("() => Object.keys(sessionStorage).some((key) => key.startsWith('afterburn-draft:'))")
    mo.context.set_offline(True)
    mo.goto("/")
    expect(mo.locator("#away")).to_contain_text(BAND)
    mo.goto(f"/c/{table}/")
    expect(mo.get_by_role("heading", name="You’re offline")).to_be_visible()
    mo.context.set_offline(False)
    expect(mo.get_by_label("Message")).to_have_value("I had begun to say")


def test_whoever_signs_out_leaves_nothing_to_be_read(sit: Sit, service: AtTable, table: str) -> None:
    be_first(service("iva"), "Good night.")
    mo, sheet = sit("", fresh=True), sheet_at(table)
    sign_in(mo, "mo")  # with a session of its own, which other tests do not need
    keep(mo, sheet)
    mo.goto("/accounts/logout/")
    mo.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(mo).to_have_url(re.compile("/accounts/login/"))
    wait_until(lambda: not kept(mo))
    mo.context.set_offline(True)
    for path in (sheet, "/"):
        with pytest.raises(Error, match=r"ERR_INTERNET_DISCONNECTED|ERR_FAILED"):
            mo.goto(path)


def test_somebody_else_who_signs_in_finds_only_their_own(sit: Sit, service: AtTable, table: str) -> None:
    mo, iva = service("mo", fresh=True), sit("iva")
    be_first(mo, "Here, take mine.")
    keep(mo, sheet_at(table))
    # Without signing out, as when a session has ended elsewhere.
    mo.context.clear_cookies()
    mo.context.add_cookies(iva.context.cookies())
    mo.goto("/")
    expect(mo.get_by_role("heading", level=1)).to_contain_text("Iva")
    wait_until(lambda: sheet_at(table) not in kept(mo) and "/away/" in kept(mo))
    mo.context.set_offline(True)
    mo.goto(sheet_at(table))
    expect(mo.get_by_role("heading", name="You’re offline")).to_be_visible()
    expect(mo.locator(f"a[href*='{sheet_at(table)}']")).to_have_count(0)


@pytest.mark.parametrize("where", ["at the table", "elsewhere"])
def test_nothing_of_a_campaign_is_left_to_whoever_is_removed(service: AtTable, table: str, where: str) -> None:
    mo, gm = service("mo", fresh=True), service("gm")
    be_first(mo, "I am here.")
    sheet = sheet_at(table)
    keep(mo, sheet)
    mo.goto(f"/c/{table}/" if where == "at the table" else "/notices/")
    gm.goto(f"/c/{table}/members/")
    row = gm.get_by_role("listitem").filter(has_text=re.compile(r"\bMo\b"))
    row.get_by_text("Remove", exact=False).first.click()
    row.get_by_role("button", name="Remove Mo").click()
    if where == "elsewhere":
        expect(row.get_by_role("button", name="Remove Mo")).to_have_count(0)
        mo.goto("/")
    wait_until(lambda: sheet not in kept(mo))
    mo.context.set_offline(True)
    mo.goto(sheet)
    expect(mo.get_by_role("heading", name="You’re offline")).to_be_visible()
    expect(mo.locator(f"a[href*='{sheet_at(table)}']")).to_have_count(0)
