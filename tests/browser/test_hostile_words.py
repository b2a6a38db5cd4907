"""Words that would be elements or scripts, pushed into the open pages of others: they arrive as words."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import AtTable
from tests.browser.hands import say
from tests.flows.hostile import ELEMENTS, MARK

MADE = """mark => [
  window[mark.replace("-", "_")] ?? 0,
  document.querySelectorAll(`${mark}, [${mark}]`).length,
  document.querySelectorAll("#feed :is(script, iframe, svg[onload], img[src='x'], a[href^='javascript'])").length,
]"""
"""What has become of the words: whether a script ran, and the elements that should not be there."""


def test_whatever_somebody_says_is_text_on_the_screens_of_others(service: AtTable) -> None:
    iva, mo = service("iva"), service("mo")
    for words in (*ELEMENTS, "That is all."):
        say(mo, words)
        expect(mo.get_by_label("Message")).to_have_value("")
    for page in (iva, mo):
        expect(page.locator("#feed")).to_contain_text("That is all.")
        expect(page.locator("#feed")).to_contain_text("SECRET_KEY")
        made = page.evaluate(MADE, MARK)
        assert made == [0, 0, 0]
    iva.reload()
    expect(iva.locator("#feed")).to_contain_text("That is all.")
    assert iva.evaluate("mark => document.querySelectorAll(`${mark}, [${mark}]`).length", MARK) == 0
