"""The log in a real browser: what its one script is for."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit


@pytest.mark.always
def test_the_keyboard_goes_on_with_what_the_button_has_brought(sit: Sit) -> None:
    page = sit("mo")
    page.goto("/c/ashes-over-harrow/log/")
    last = page.locator(".log-lines .line").last.get_attribute("id")
    page.locator("#further a").focus()
    expect(page.locator(f"#{last} + :focus")).to_have_count(1)
