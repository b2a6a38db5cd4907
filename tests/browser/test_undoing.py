"""A GM undoes the last line of what is over: it goes on, on the pages of all, and what can’t be undone says why."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import PHONE, filled_in, leave_side, open_form, press, under_way
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


@pytest.mark.parametrize("look", [{"viewport": {"width": 1440, "height": 900}}, PHONE], ids=["desk", "phone"])
def test_a_gm_voids_a_roll_that_is_one_line_of_a_card(
    service: AtTable, site: Site, table: str, look: dict[str, Any]
) -> None:
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    gm, mo, iva = service("gm", **look), service("mo"), service("iva", **PHONE)
    open_form(mo, "Action")
    filled_in(mo, character="Cross", action="Prowl", reason="Across the yard unseen")
    leave_side(gm)
    gm.get_by_role("button", name="Let Cross roll").click()
    dice.load(5)
    press(mo, re.compile(r"^Roll \d+ di(c)?e$"))
    whole = {page: page.locator(".story-card", has_text="Across the yard unseen").first for page in (gm, iva)}
    line = whole[gm].locator(".line:has(.roll)")
    expect(line.locator(".roll-more")).to_be_hidden()
    line.locator(".outcome").click()
    line.locator(".roll-more > summary").click()
    line.get_by_label("Reason").fill("The wrong action")
    line.get_by_role("button", name="Void").click()
    expect(whole[gm]).to_contain_text("The wrong action")
    # What it is called has room beside what came of it.
    heading = whole[iva].get_by_role("heading").first.bounding_box()
    assert heading and heading["height"] < 60


def test_why_something_could_not_be_undone_is_said_at_its_line_until_its_undo_moves(
    service: AtTable, table: str
) -> None:
    gm, there = service("gm"), service("gm", fresh=True)
    gm.locator("#clock-line-name").fill("Dawn 4")
    gm.keyboard.press("Enter")
    tick = gm.get_by_role("button", name="Tick Dawn", exact=True)
    tick.click()
    undo = gm.locator("#feed .line", has_text="Dawn").locator(".line-undo")
    expect(undo).to_have_count(1)
    there.goto(f"/c/{table}/clocks/")
    there.locator(".clock", has_text="Dawn").get_by_role("button", name="Archive").click()
    expect(tick).to_have_count(0)
    undo.get_by_role("button", name="Undo").click()
    expect(undo).to_contain_text("This clock is archived.")
    expect(gm.locator("#refusals")).to_be_empty()
    there.locator(".clock", has_text="Dawn").get_by_role("button", name="Restore").click()
    tick.click()
    expect(gm.locator("#clocks > .clock", has_text="Dawn")).to_contain_text("2 of 4")
    expect(gm.get_by_text("This clock is archived.")).to_have_count(0)
    undo.get_by_role("button", name="Undo").click()
    expect(gm.locator("#clocks > .clock", has_text="Dawn")).to_contain_text("1 of 4")
