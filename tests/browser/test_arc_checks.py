"""Checks of VI-VIII-X on three pages, one of them a phone's: announced and set, with chips, and opposed."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import last_card
from tests.browser.servers import Site
from tests.browser.world import guard_of, thief

PHONE = {"width": 360, "height": 740}


def sit_as(page: Page, table: str, character: object) -> None:
    page.goto(f"/c/{table}/?character={character}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")


def check(page: Page):
    return page.locator("#procedures > .procedure")


def test_a_check_is_announced_set_countered_and_rolled(service: AtTable, site: Site, table: str) -> None:
    mo, iva, gm = service("mo", viewport=PHONE), service("iva"), service("gm")
    site.run("-m", "tests.browser.world", "--thief", table)
    sit_as(mo, table, thief(table))
    sit_as(iva, table, guard_of(table))

    # Three presses on a phone, of which the first opens the sheet; the skill brings its stat.
    mo.locator("[data-opens=sheet]").click()
    mo.locator("[data-trait=Tamper]").click()
    mo.locator(".side.is-open .side-close").click()
    mo.get_by_role("button", name="Announce").click()
    expect(check(gm)).to_contain_text("Control + Tamper")

    # What Mo says for it waits for the GM.
    mo.locator("[data-opens=panels]").click()
    mo.get_by_role("button", name="What speaks for it or against it").click()
    form = mo.locator("#desk")
    form.get_by_label("What it is").fill("a dark lantern")
    form.get_by_role("button", name="Go on").click()
    expect(check(iva)).to_contain_text("a dark lantern +1 proposed")
    mo.locator("#panels .side-close").click()
    expect(mo.get_by_role("button", name="Count it")).to_have_count(0)
    gm.get_by_role("button", name="Count it a dark lantern").click()
    # What is set goes by what is counted, so it is set once that has come.
    expect(gm.get_by_role("button", name="Count it a dark lantern")).to_have_count(0)

    # One press sets it, one rolls it.
    gm.get_by_role("button", name="Average 9").click()
    dice.load(5)
    mo.locator("#waiting").get_by_role("button").first.click()
    for page in (mo, iva, gm):
        expect(last_card(page)).to_contain_text("Success")
        expect(last_card(page)).to_contain_text("a dark lantern +1")
        expect(check(page)).to_have_count(0)

    # Against somebody, who rolls as well; whoever is second completes the card of the first.
    gm.get_by_role("button", name="Check", exact=True).click()
    form = gm.locator("#desk")
    form.locator("[name=character]").select_option(label="Tibor")
    form.locator("[name=skill]").fill("tamper")
    form.locator("[name=against]").select_option(label="Dorina")
    form.locator("[name=against_skill]").fill("watch")
    form.get_by_label("In a fight").check()
    form.get_by_role("button", name="Begin").click()
    expect(check(mo)).to_contain_text("Against Dorina, Intellect + Watch, in a fight.")
    dice.load(6)
    iva.get_by_role("button", name="Roll it").click()
    expect(last_card(mo)).to_contain_text("waits for the check of Tibor")
    expect(check(gm)).to_contain_text("has rolled")
    dice.load(5)
    mo.locator("#waiting").get_by_role("button").first.click()
    for page in (mo, iva, gm):
        expect(page.locator("#feed")).to_contain_text("Opposed check: Tibor succeeds against Dorina")
        expect(page.locator("#feed")).to_contain_text("Not countered")
    for page in (mo, iva):
        expect(page.locator("#feed")).not_to_contain_text("Seen by GMs alone")
