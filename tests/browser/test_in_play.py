"""What matters of a character in play, in the browsers of a table: marked by one, and seen by everybody at once."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import AtTable
from tests.browser.hands import answer_late, open_party
from tests.browser.servers import Site
from tests.browser.world import fencer


def test_rows_come_and_go_at_hand_and_can_be_rolled_at_once(site: Site, table: str, service: AtTable) -> None:
    site.run("-m", "tests.browser.world", "--fencer", table)
    mo, gm = service("mo", character=fencer(table)), service("gm")
    assert mo.evaluate("document.documentElement.scrollHeight") == mo.evaluate("innerHeight")
    marks = open_party(gm, "Abigail").locator(".party-open")
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


def test_what_comes_while_boxes_are_fetched_is_in_them(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")

    def pressed() -> None:
        mo.get_by_role("slider", name="Willpower").press("ArrowLeft")
        expect(gm.locator(".party-one", has_text="Silas Grey").locator("summary")).to_contain_text("4/5")

    answer_late(gm, "**/in-play/", pressed)
    boxes = open_party(gm, "Silas Grey").get_by_role("slider", name="Willpower")
    expect(boxes).to_have_attribute("aria-valuenow", "4")


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
