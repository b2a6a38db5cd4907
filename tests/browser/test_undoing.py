"""A GM undoes the last line of what is over: it goes on, on the pages of all, and what can’t be undone says why."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import filled_in, open_form, press, under_way
from tests.browser.servers import Site


def card(page: Page) -> Locator:
    return page.locator(".story-card", has=page.get_by_role("heading", name="I had bribed the clerk"))


def undo(page: Page) -> Locator:
    return card(page).locator(".line-undo")


def pay(mo: Page, *pages: Page) -> None:
    press(mo, "Pay 1 stress")
    for page in pages:
        expect(under_way(page).locator(":scope > *")).to_have_count(0)


def test_a_flashback_that_was_paid_goes_on_once_a_gm_undoes_its_last_line(
    service: AtTable, site: Site, table: str
) -> None:
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    gm, mo, there = service("gm"), service("mo"), service("gm", fresh=True)
    open_form(mo, "Flashback")
    filled_in(mo, character="Cross", reason="I had bribed the clerk")
    press(gm, "1 stress")
    expect(undo(gm)).to_have_count(1)
    pay(mo, gm, mo)
    expect(undo(gm)).to_have_count(1)
    expect(undo(mo)).to_have_count(0)
    undo(gm).get_by_role("button", name="Undo").click()
    expect(under_way(mo).get_by_role("button", name="Pay 1 stress")).to_be_visible()
    for page in (gm, mo, there):
        expect(under_way(page)).to_contain_text("It costs 1 stress.")
    for page in (gm, there):
        expect(card(page).locator(".line", has_text="undid the last step of “Flashback”")).to_have_count(1)
        expect(undo(page)).to_have_count(1)
    pay(mo, gm, mo)
    gm.goto(f"/c/{table}/log/")
    expect(undo(gm)).to_have_count(1)
    undo(there).get_by_role("button", name="Undo").click()
    expect(under_way(mo).get_by_role("button", name="Pay 1 stress")).to_be_visible()
    undo(gm).get_by_role("button", name="Undo").click()
    expect(card(gm).locator(".errors")).to_contain_text("already undone")
