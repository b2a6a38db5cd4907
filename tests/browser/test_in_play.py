"""What matters of a character in play, in the browsers of a table: marked on a phone, and seen by everybody at once."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AtTable, Sit
from tests.browser.servers import Site
from tests.browser.world import fencer

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def sit_with_abigail(site: Site, table: str, service: AtTable, **options: Any) -> Page:
    """Mo's table with Abigail at hand."""
    site.run("-m", "tests.browser.world", "--fencer", table)
    mo = service("mo", **options)
    mo.goto(f"{mo.url}?character={fencer(table)}")
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    return mo


def in_party(page: Page, table: str) -> Locator:
    return page.locator(f"#party-{fencer(table)}")


def test_what_its_owner_presses_on_a_phone_stands_on_every_page(site: Site, table: str, service: AtTable) -> None:
    mo = sit_with_abigail(site, table, service, **PHONE)
    gm, iva = service("gm"), service("iva")
    mo.locator("[data-opens=sheet]").tap()
    panel = mo.get_by_role("region", name="In play: Abigail")
    box = panel.get_by_role("button", name="Power box 3")
    assert min(box.bounding_box()[side] for side in ("width", "height")) >= 44
    box.tap()
    expect(panel.get_by_role("button", name="Power box 3, crossed off")).to_be_visible()
    panel.get_by_role("button", name="Power box 5").tap()
    panel.get_by_role("button", name="One die more: Burnt hand").tap()
    panel.get_by_role("button", name="One less: Will").tap()
    for page in (gm, iva):
        expect(in_party(page, table)).to_contain_text("2 of 6 crossed off")
        expect(in_party(page, table).locator(".party-rows")).to_contain_text("Burnt hand 3")
        expect(in_party(page, table).locator(".is-number .sight")).to_have_text("8")
        expect(page.locator("#feed")).to_contain_text("Abigail crosses off Power box 3")
    expect(in_party(iva, table).locator("button")).to_have_count(0)
    box.tap()
    expect(panel.get_by_role("button", name="Power box 3, free")).to_be_visible()
    expect(in_party(iva, table)).to_contain_text("1 of 6 crossed off")


def test_rows_come_and_go_at_hand_and_can_be_rolled_at_once(site: Site, table: str, service: AtTable) -> None:
    mo, gm = sit_with_abigail(site, table, service), service("gm")
    assert mo.evaluate("document.documentElement.scrollHeight") == mo.evaluate("innerHeight")
    gm.get_by_role("button", name="Marks of Abigail").click()
    gm.locator("#desk").get_by_role("button", name="Add: Injuries").click()
    gm.locator("#desk").get_by_label("Name").fill("Broken rib")
    gm.locator("#desk").get_by_role("button", name="Add", exact=True).click()
    panel = mo.get_by_role("region", name="In play: Abigail")
    rib = panel.get_by_role("button", name="Broken rib Dice")
    rib.click()
    expect(rib).to_have_attribute("aria-pressed", "true")
    expect(mo.locator("#roll [name=pool]")).to_have_value("Broken rib")
    expect(gm.locator("#feed")).to_contain_text("Abigail takes an Injury: Broken rib, 1D")
    gm.get_by_role("button", name="Marks of Abigail").click()
    gm.locator("#desk").get_by_role("button", name="Take off: Broken rib").click()
    expect(rib).to_have_count(0)
    expect(gm.locator("#desk").get_by_role("list", name="Injuries")).to_have_text(re.compile("Burnt hand"))
    expect(gm.locator("#desk")).not_to_contain_text("Broken rib")


def test_a_gm_marks_somebody_who_is_away_in_two_presses(site: Site, table: str, service: AtTable) -> None:
    site.run("-m", "tests.browser.world", "--fencer", table)
    gm, iva = service("gm"), service("iva")
    gm.get_by_role("button", name="Marks of Abigail").click()
    gm.locator("#desk").get_by_role("button", name="Power box 2").click()
    expect(gm.locator("#desk").get_by_role("button", name="Power box 2, crossed off")).to_be_visible()
    expect(in_party(iva, table)).to_contain_text("1 of 6 crossed off")
    gm.keyboard.press("Escape")
    expect(gm.get_by_role("button", name="Marks of Abigail")).to_be_focused()
    # Who is at hand is marked there, and not in a second place.
    in_party(gm, table).get_by_role("link", name="Roll for Abigail").click()
    panel = gm.get_by_role("region", name="In play: Abigail")
    expect(panel).to_be_visible()
    gm.get_by_role("button", name="Marks of Abigail").click()
    expect(panel).to_be_focused()
    expect(gm.locator("#dialog")).not_to_be_visible()


def test_the_x_card_is_in_reach_while_a_side_of_the_table_is_open_on_a_phone(service: AtTable, sit: Sit) -> None:
    mo = service("mo", **PHONE)
    for side in ("sheet", "panels"):
        mo.locator(f"[data-opens={side}]").tap()
        mo.get_by_role("button", name="X-card: stop the game").tap()
        expect(mo.get_by_role("button", name="Pause the game")).to_be_visible()
        mo.keyboard.press("Escape")
        expect(mo.get_by_role("button", name="Pause the game")).not_to_be_visible()
        expect(mo.locator(f"#{side}")).to_be_visible()
        mo.keyboard.press("Escape")
        expect(mo.locator(f"#{side}")).not_to_be_visible()
    mo.locator("[data-opens=sheet]").tap()
    mo.get_by_role("button", name="X-card: stop the game").tap()
    mo.get_by_role("button", name="Pause the game").tap()
    expect(mo.locator("#pause")).to_be_visible()
