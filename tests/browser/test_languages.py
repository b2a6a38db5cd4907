"""One table in two languages: each page reads, says and is told in its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.seats import Sit

TABLE = "/c/ashes-over-harrow/"


@pytest.mark.parametrize("writer", ["gm", "mo"])
def test_what_happens_is_told_to_each_page_in_its_language(sit: Sit, writer: str) -> None:
    pages = {"gm": sit("gm"), "mo": sit("mo", locale="de-DE")}
    for page in pages.values():
        page.goto(TABLE)
        expect(page.locator("html[data-live]").or_(page.locator("#feed"))).to_be_visible()
    box = pages[writer].locator("#say [name=text]")
    box.fill("/r 3 d6")
    box.press("Enter")
    english, german = (pages[name].locator("#feed .card.roll").last for name in ("gm", "mo"))
    expect(english).to_contain_text("difficulty 6")
    expect(german).to_contain_text("Schwierigkeit 6")
    expect(german).not_to_contain_text("difficulty")
