"""The log in a real browser: what its one script is for."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.seats import Sit

GAP = """mark => {
  const before = document.createRange();
  before.selectNode(mark.previousSibling);
  return mark.getBoundingClientRect().left - before.getBoundingClientRect().right;
}"""
"""How far a marked word is from the words before it."""


def test_the_log_is_read_by_keys_searched_and_gone_through_by_scenes(sit: Sit) -> None:
    page = sit("mo", viewport={"width": 1440, "height": 900})
    page.goto("/c/ashes-over-harrow/log/")
    last = page.locator(".log-lines > :is(.line, .story-card)").last.get_attribute("id")
    page.locator(".log-lines > .further a").focus()
    # The keyboard goes on with what the button has brought.
    expect(page.locator(f"#{last} + :focus")).to_have_count(1)

    # A roll is one line until it is clicked, and the words searched for are marked.
    roll = page.locator(".log-lines .card.roll").first
    expect(roll.locator(".roll-end .quiet").first).to_be_hidden()
    roll.get_by_role("button", name="Show roll").press("Enter")
    expect(roll.locator(".roll-end .quiet").first).to_be_visible()
    page.get_by_label("Search in talk").fill("lantern room")
    page.get_by_role("button", name="Search").click()
    marked = page.locator(".log-lines .scene-line mark").first
    expect(marked).to_have_text("Lantern")
    assert page.url.endswith("?words=lantern+room")
    assert abs(marked.evaluate(GAP)) < 1

    spine = page.get_by_role("navigation", name="Sessions and scenes")
    spine.get_by_role("link", name="The Lantern Room").click()
    expect(spine.locator("[aria-current]")).to_have_text("The Lantern Room")
    expect(page.get_by_role("complementary")).to_contain_text("Rolls")


@pytest.mark.thorough
def test_the_table_of_a_chart_is_fetched_when_it_is_opened(sit: Sit) -> None:
    page = sit("mo", viewport={"width": 390, "height": 844})
    page.goto("/c/ashes-over-harrow/sessions/1/")
    moves = page.locator("details", has_text="Show as a table").first
    expect(moves.locator("table")).to_have_count(0)
    moves.locator("summary").press("Enter")
    expect(moves.locator("tbody tr").first).to_be_visible()
    expect(moves.locator("p.further")).to_have_count(0)
    # It goes on by itself, and the keyboard with it.
    moves.locator("tr.further a").focus()
    expect(moves.locator("tr:focus")).to_have_count(1)
