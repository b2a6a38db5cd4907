"""A database that was put back, without a word of it: pages that were open show what there is now, and say what happened."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.servers import Site
from tests.browser.test_verify import GO_BACK_BY_ONE, AtTable, say

SILENTLY = GO_BACK_BY_ONE.replace("    mark_restored(campaign)\n", "")


def test_lines_that_are_lost_go_from_open_pages_and_new_ones_come(service: AtTable, table: str, site: Site) -> None:
    page, other = service("mo"), service("iva")
    say(page, "Lost again")
    for one in (page, other):
        expect(one.locator("#feed")).to_contain_text("Lost again")
    site.run("-c", SILENTLY, table)
    for one in (page, other):
        expect(one.locator("#feed")).not_to_contain_text("Lost again")
        expect(one.locator("#chain-alarm [data-about=changed]")).to_be_visible()
        expect(one.locator("#connection")).to_have_attribute("data-state", "live")
    say(other, "Said instead")
    for one in (page, other):
        expect(one.locator("#feed")).to_contain_text("Said instead")
