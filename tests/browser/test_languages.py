"""Each page reads, and its scripts speak, in its own language."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from languages.scripts import PREFIX
from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import last_card, say
from tests.browser.seats import Sit


def test_what_happens_is_told_to_each_page_in_its_language(service: AtTable) -> None:
    gm, mo = service("gm"), service("mo", locale="de-DE")
    dice.load(9, 6, 2)
    say(gm, "/r 3 d6")
    expect(last_card(gm)).to_contain_text("difficulty 6")
    expect(last_card(mo)).to_contain_text("Schwierigkeit 6")
    expect(last_card(mo)).not_to_contain_text("difficulty")


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
