"""What scripts say is in the language of their page, and its words are fetched once."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from languages.scripts import PREFIX
from tests.browser.seats import Sit


def test_scripts_speak_the_language_of_their_page_and_its_words_are_kept(sit: Sit) -> None:
    page = sit("", fresh=True, locale="de-DE")
    page.goto("/accounts/login/")
    expect(page.get_by_role("button", name="Passwort zeigen")).to_have_text("Zeigen")
    assert _sent(page) > 0
    page.goto("/accounts/password/reset/")
    assert _sent(page) == 0  # out of the browser's cache


def _sent(page: Page) -> int:
    """Return the bytes that were sent to this page of the script that has the words."""
    return int(
        page.evaluate(
            "prefix => performance.getEntries().find(({ name }) => name.includes(prefix)).transferSize", PREFIX
        )
    )
