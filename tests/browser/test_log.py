"""The log in a real browser: what its one script is for."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.seats import Sit


def test_the_keyboard_goes_on_with_what_the_button_has_brought(sit: Sit) -> None:
    page = sit("mo")
    page.goto("/c/ashes-over-harrow/log/")
    last = page.locator(".log-lines .line").last.get_attribute("id")
    page.locator("#further a").focus()
    expect(page.locator(f"#{last} + :focus")).to_have_count(1)


def test_a_roll_is_one_line_until_it_is_pressed_and_what_was_searched_for_is_marked(sit: Sit) -> None:
    page = sit("mo")
    page.goto("/c/ashes-over-harrow/log/")
    roll = page.locator(".log-lines .card.roll").first
    expect(roll.locator(".roll-end .quiet").first).to_be_hidden()
    roll.get_by_role("button", name="Show roll").press("Enter")
    expect(roll.locator(".roll-end .quiet").first).to_be_visible()
    page.get_by_label("Search in talk").fill("lamp")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".log-lines mark").first).to_contain_text("lamp", ignore_case=True)
    assert page.url.endswith("?words=lamp")


def test_sessions_and_scenes_lead_through_the_log(sit: Sit) -> None:
    page = sit("mo", viewport={"width": 1440, "height": 900})
    page.goto("/c/ashes-over-harrow/log/")
    spine = page.get_by_role("navigation", name="Sessions and scenes")
    spine.get_by_role("link", name="The Lantern Room").click()
    expect(spine.locator("[aria-current]")).to_have_text("The Lantern Room")
    expect(page.get_by_role("complementary")).to_contain_text("Rolls")
