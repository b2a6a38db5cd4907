"""What matters of a character in play, in the browsers of a table: marked on a phone, and seen by everybody at once."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import PHONE, open_party
from tests.browser.servers import Site
from tests.browser.world import fencer


def sit_with_abigail(site: Site, table: str, service: AtTable, **options: Any) -> Page:
    """Open Mo's table with Abigail at hand."""
    site.run("-m", "tests.browser.world", "--fencer", table)
    return service("mo", character=fencer(table), **options)


def in_party(page: Page, table: str) -> Locator:
    return page.locator(f"#party-{fencer(table)}")


def in_party_open(page: Page, table: str) -> Locator:
    """Open Abigail in the party, and return what is marked there, or only shown."""
    one = in_party(page, table)
    one.locator("summary").click()
    return one.locator(".party-open")


def test_what_its_owner_presses_on_a_phone_stands_on_every_page(site: Site, table: str, service: AtTable) -> None:
    mo = sit_with_abigail(site, table, service, **PHONE)
    gm, iva = service("gm"), service("iva")
    mo.locator("[data-opens=sheet]").tap()
    panel = mo.get_by_role("region", name="Resources: Abigail", exact=True)
    box = panel.get_by_role("button", name="Power box 3")
    assert box.bounding_box()["height"] >= 44
    box.tap()
    expect(panel.get_by_role("button", name="Power box 3, crossed off")).to_be_visible()
    panel.get_by_role("button", name="Power box 5").tap()
    panel.get_by_role("button", name="One die more: Burnt hand").tap()
    panel.get_by_role("button", name="One less: Will").tap()
    seen, marked = in_party_open(iva, table), in_party_open(gm, table)
    expect(seen).to_contain_text("2 of 6 crossed off")
    expect(seen.locator(".party-rows")).to_contain_text("Burnt hand 3")
    expect(seen.locator(".is-number .sight")).to_have_text("8")
    expect(seen.locator("button:not([data-whisper])")).to_have_count(0)
    expect(marked.get_by_role("button", name="crossed off")).to_have_count(2)
    for page in (gm, iva):
        expect(in_party(page, table).get_by_role("img", name="Power 2 of 6", include_hidden=True)).to_have_count(1)
        expect(page.locator("#feed")).to_contain_text("Abigail crosses off Power box 3")
    box.tap()
    expect(panel.get_by_role("button", name="Power box 3, free")).to_be_visible()
    expect(seen).to_contain_text("1 of 6 crossed off")


def test_rows_come_and_go_at_hand_and_can_be_rolled_at_once(site: Site, table: str, service: AtTable) -> None:
    mo, gm = sit_with_abigail(site, table, service), service("gm")
    assert mo.evaluate("document.documentElement.scrollHeight") == mo.evaluate("innerHeight")
    marks = in_party_open(gm, table)
    marks.get_by_role("button", name="Add: Injuries").click()
    gm.locator("#desk").get_by_label("Name").fill("Broken rib")
    gm.locator("#desk").get_by_role("button", name="Add", exact=True).click()
    panel = mo.get_by_role("region", name="Resources: Abigail", exact=True)
    rib = panel.get_by_role("button", name=re.compile("^Broken rib"))
    rib.click()
    expect(rib).to_have_attribute("aria-pressed", "true")
    expect(mo.locator("#roll [name=pool]")).to_have_value("Broken rib")
    expect(gm.locator("#feed")).to_contain_text("Abigail takes an Injury: Broken rib, 1D")
    marks.get_by_role("button", name="Remove: Broken rib").click()
    expect(rib).to_have_count(0)
    expect(marks.get_by_role("list", name="Injuries")).to_have_text(re.compile("Burnt hand"))
    expect(marks).not_to_contain_text("Broken rib")


def test_a_row_of_boxes_is_moved_by_keys_and_set_by_a_press(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    willpower = mo.get_by_role("slider", name="Willpower")
    willpower.press("ArrowLeft")
    willpower.press("ArrowLeft")
    of_the_gm = open_party(gm, "Silas Grey").get_by_role("slider", name="Willpower")
    expect(of_the_gm).to_have_attribute("aria-valuenow", "3")
    willpower.locator(".dot").nth(3).click()
    expect(of_the_gm).to_have_attribute("aria-valuenow", "4")
    health = mo.get_by_role("group", name="Health")
    health.get_by_role("button").first.press("ArrowRight")
    mo.keyboard.press("Enter")
    expect(health.get_by_role("button", name="bashing")).to_have_count(2)
    expect(health.get_by_role("button").nth(1)).to_be_focused()
    mo.keyboard.press("Enter")
    expect(health.locator(".is-lethal")).to_have_count(1)
    expect(gm.locator(".party-one", has_text="Silas Grey").locator("summary")).to_contain_text("Hurt −1")
