"""Checks of VI-VIII-X on three pages, one of them a phone's: announced and set, with chips, and opposed."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import bring, last_card, open_form
from tests.browser.servers import Site
from tests.browser.world import guard_of, thief

PHONE = {"width": 360, "height": 740}


def test_a_check_is_announced_set_and_rolled(service: AtTable, site: Site, table: str) -> None:
    mo, iva, gm = everybody(service, site, table)
    announce_with_tamper(mo)
    expect(check(gm)).to_contain_text("Control + Tamper")

    # What Mo says for it waits for the GM.
    propose(mo, "a dark lantern")
    expect(check(iva)).to_contain_text("a dark lantern +1 proposed")
    expect(mo.get_by_role("button", name="Count it")).to_have_count(0)
    gm.get_by_role("button", name="Count it a dark lantern").click()
    # The input depends on the count, so it is made once that is shown.
    expect(gm.get_by_role("button", name="Count it a dark lantern")).to_have_count(0)

    # One press sets it, one rolls it.
    gm.get_by_role("button", name="Average 9").click()
    dice.load(5)
    mo.locator("#requests").get_by_role("button", name="Roll it").click()
    for page in (mo, iva, gm):
        expect(last_card(page)).to_contain_text("Success")
        expect(last_card(page)).to_contain_text("a dark lantern +1")
        expect(check(page)).to_have_count(0)


def test_who_rolls_second_against_somebody_completes_the_card_of_the_first(
    service: AtTable, site: Site, table: str
) -> None:
    mo, iva, gm = everybody(service, site, table)
    call_in_a_fight(gm, "Tibor", "tamper", against=("Dorina", "watch"))
    expect(check(mo)).to_contain_text("Against Dorina (Intellect + Watch), in a fight.")
    dice.load(6)
    iva.get_by_role("button", name="Roll it").click()
    expect(last_card(mo)).to_contain_text("waiting for Tibor’s check")
    expect(check(gm)).to_contain_text("has rolled")
    dice.load(5)
    mo.locator("#requests").get_by_role("button", name="Roll it").click()
    for page in (mo, iva, gm):
        expect(page.locator("#feed")).to_contain_text("Tibor succeeded against Dorina")
        expect(page.locator("#feed")).to_contain_text("Not countered")
    for page in (mo, iva):
        expect(page.locator("#feed")).not_to_contain_text("Visible only to the GM")


def everybody(service: AtTable, site: Site, table: str) -> tuple[Page, Page, Page]:
    """Mo by phone as Tibor, Iva as Dorina, and the GM."""
    site.run("-m", "tests.browser.world", "--thief", table)
    mo = service("mo", viewport=PHONE, character=thief(table))
    return mo, service("iva", character=guard_of(table)), service("gm")


def check(page: Page) -> Locator:
    return page.locator("#procedures > .procedure")


def announce_with_tamper(mo: Page) -> None:
    """Announce a check with three presses on a phone, the first of which opens the sheet; the skill brings its stat."""
    mo.locator("[data-opens=sheet]").click()
    mo.locator("[data-trait=Tamper]").click()
    mo.locator(".side.is-open .side-close").click()
    mo.get_by_role("button", name="Announce").click()


def propose(mo: Page, what: str) -> None:
    bring(check(mo))
    mo.get_by_role("button", name="Add adjustment").click()
    form = mo.locator("#desk")
    form.get_by_label("Adjustment").fill(what)
    form.get_by_role("button", name="Continue").click()


def call_in_a_fight(gm: Page, who: str, skill: str, *, against: tuple[str, str]) -> None:
    open_form(gm, "Check")
    form = gm.locator("#desk")
    form.locator("[name=character]").select_option(label=who)
    form.locator("[name=skill]").fill(skill)
    form.locator("[name=against]").select_option(label=against[0])
    form.locator("[name=against_skill]").fill(against[1])
    form.get_by_label("In a fight").check()
    form.get_by_role("button", name="Start").click()
