"""A contest moves the Scale where the GM has it so: its dice show what they give, and its player is offered a Burn."""

from __future__ import annotations

from playwright.sync_api import expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.servers import Site
from tests.browser.test_contest import PHONE, begin, button, contest, fill, sideways


def test_a_contest_moves_the_scale_once_the_gm_has_it_so(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--duel", table)
    gm = service("gm")
    gm.goto(f"/c/{table}/settings/rules/")
    gm.get_by_label("Opposed rolls move the Scale").check()
    gm.get_by_role("button", name="Save", exact=True).click()
    expect(gm.get_by_label("Opposed rolls move the Scale")).to_be_checked()
    gm.goto(f"/c/{table}/")
    mo, iva = service("mo", **PHONE), service("iva")
    begin(mo)
    fill(mo, "Abigail", "Swordplay")
    fill(iva, "Bob", "Shield wall")
    button(mo, "Ready Abigail").click()
    expect(contest(iva).locator(".staged-side").first).to_contain_text("ready")
    dice.load(9, 8, 8, 6, 4)
    button(iva, "Ready Bob").click()
    for page in (mo, iva, gm):
        expect(page.locator("#feed .roll").last).to_contain_text("Scale +3")
        expect(page.locator("#feed .pairs").last.locator(".given.good")).to_have_count(3)
        expect(page.locator("#scales")).to_contain_text("3")
    expect(mo.locator("#offers")).to_contain_text("Grace Burn available")
    assert not sideways(mo)
    expect(mo.locator("#offers").get_by_role("button", name="Take it")).to_have_count(1)
