"""One table in two languages: each page reads, says and is told in its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import last_card


@pytest.mark.parametrize("writer", ["gm", "mo"])
def test_what_happens_is_told_to_each_page_in_its_language(service: AtTable, writer: str) -> None:
    pages = {"gm": service("gm"), "mo": service("mo", locale="de-DE")}
    dice.load(9, 6, 2)
    box = pages[writer].locator("#say [name=text]")
    box.fill("/r 3 d6")
    box.press("Enter")
    english, german = (last_card(pages[name]) for name in ("gm", "mo"))
    expect(english).to_contain_text("difficulty 6")
    expect(german).to_contain_text("Schwierigkeit 6")
    expect(german).not_to_contain_text("difficulty")
