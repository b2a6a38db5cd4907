"""One search in real browsers: by keys at a laptop, by thumb on a phone, and from the composer."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import PHONE, say
from tests.browser.seats import Sit


def options(page: Page) -> Locator:
    return page.locator("#search-hits [role=option]")


def chosen(page: Page) -> Locator:
    return page.locator("#search-hits [aria-selected=true]")


def test_a_search_is_opened_moved_through_and_followed_by_keys(service: AtTable) -> None:
    mo = service("mo")
    say(mo, "Where is Silas?")
    mo.locator("#say-text").fill("not sent yet")
    mo.keyboard.press("Control+k")
    words = mo.get_by_role("combobox", name="Search this campaign")
    expect(words).to_be_focused()
    expect(options(mo).filter(has_text="/w")).to_have_count(1)
    words.press_sequentially("ilas gr")
    expect(chosen(mo)).to_contain_text("Silas Grey")
    expect(chosen(mo).locator("mark")).to_have_text(["ilas", "Gr"])
    expect(mo.locator("#search-said")).to_have_text(re.compile(r"^\s*\d+ results?\s*$"))
    words.fill("a")
    words.fill("silas")
    expect(chosen(mo).locator("mark").first).to_have_text("Silas")
    expect(mo.locator(".found-kinds [aria-current]")).to_contain_text("All")
    first = chosen(mo).get_attribute("id")
    words.press("ArrowUp")
    expect(words).to_have_attribute("aria-activedescendant", re.compile(r"^search-hit-(?!1$)\d+$"))
    words.press("ArrowDown")
    expect(words).to_have_attribute("aria-activedescendant", str(first))
    words.press("Tab")
    expect(mo.locator(".found-kinds [aria-current]")).not_to_contain_text("All")
    expect(words).to_be_focused()
    words.press("Shift+Tab")
    expect(mo.locator(".found-kinds [aria-current]")).to_contain_text("All")
    words.press("Escape")
    expect(mo.locator("#search-dialog")).not_to_be_visible()
    expect(mo.locator("#say-text")).to_be_focused()
    expect(mo.locator("#say-text")).to_have_value("not sent yet")
    mo.keyboard.press("Control+k")
    words.fill("silas grey")
    expect(chosen(mo)).to_contain_text("Silas Grey")
    words.press("Enter")
    mo.wait_for_url(re.compile("/characters/"))


def test_a_command_found_elsewhere_is_put_into_the_composer(service: AtTable, table: str) -> None:
    mo = service("mo")
    mo.goto(f"/c/{table}/log/")
    mo.keyboard.press("Control+k")
    mo.locator("#search-words").fill("/whis")
    expect(chosen(mo)).to_contain_text("/w")
    mo.locator("#search-words").press("Enter")
    expect(mo.locator("#say-text")).to_have_value("/w ")
    mo.locator("#say-text").fill("")
    # Whatever else an address says is not put there.
    mo.goto(f"/c/{table}/log/")
    mo.goto(f"/c/{table}/#say=/w iva I know")
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    expect(mo.locator("#say-text")).to_have_value("")
    mo.locator("#say-text").fill("/search silas")
    mo.locator("#say-text").press("Enter")
    expect(mo.locator("#search-words")).to_have_value("silas")
    expect(chosen(mo)).to_contain_text("Silas Grey")
    expect(mo.locator("#say-text")).to_have_value("")


def test_a_line_is_found_by_thumb_where_it_stands(service: AtTable) -> None:
    gm, mo = service("gm"), service("mo", **PHONE)
    gm.locator("#say-text").fill("夜の幽霊屋敷へ行く。")
    gm.locator("#say-text").press("Enter")
    expect(mo.locator(".line", has_text="幽霊屋敷")).to_be_visible()
    mo.get_by_role("link", name="Search this campaign").tap()
    mo.locator("#search-words").fill("幽霊")
    expect(options(mo)).to_have_count(1)
    expect(options(mo).locator("mark")).to_have_text("幽霊")
    options(mo).tap()
    mo.wait_for_url(re.compile(r"/log/[0-9a-f-]+/#event-"))
    expect(mo.locator(".line", has_text="幽霊屋敷")).to_be_in_viewport()
    mo.get_by_role("link", name="Search this campaign").tap()
    mo.locator("#search-words").fill("xyzzy")
    expect(mo.locator("#search-found")).to_contain_text("Nothing found for “xyzzy”.")
    mo.get_by_role("link", name="Search the log by person, scene or date").tap()
    expect(mo.locator("[name=words]")).to_have_value("xyzzy")


def test_without_scripts_it_is_a_page(sit: Sit, service: AtTable, servers: tuple[str, str], table: str) -> None:
    say(service("gm"), "Where is Silas?")
    mo = sit("mo", at=servers[1], fresh=True, java_script_enabled=False)
    mo.goto(f"/c/{table}/")
    mo.get_by_role("link", name="Search this campaign").click()
    mo.locator("main [name=q]").fill("silas")
    mo.locator("main").get_by_role("button", name="Search").click()
    mo.locator("main").get_by_role("link", name=re.compile("Characters 1")).click()
    mo.locator("main .hit", has_text="Silas Grey").click()
    expect(mo).to_have_url(re.compile("/characters/"))
