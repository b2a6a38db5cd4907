"""What becomes of a form that the server has no time for (config/shedding.py)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from config.shedding import PAGE
from tests.browser.conftest import AtTable
from tests.browser.hands import say

WORDS = "The door at the back stands open."

KEY = re.compile(r'name="key"\s+([0-9a-f-]{36})')


def sent_from(page: Page) -> list[str]:
    """The keys of what is said from now on."""
    keys: list[str] = []
    # A line may bring a picture: its form is sent in parts.
    page.on("request", lambda asked: keys.extend(KEY.findall(asked.post_data or "")))
    return keys


@pytest.mark.always
def test_what_a_busy_server_refuses_stays_and_happens_once_when_it_is_sent_again(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva")
    keys = sent_from(mo)

    def refuse(route: Route) -> None:
        route.fulfill(status=503, headers={"Retry-After": "5", "Content-Type": "text/html"}, body=PAGE)

    mo.route("**/compose/", refuse, times=1)
    say(mo, WORDS)
    expect(mo.locator("#say-errors")).to_contain_text("This was not done, and what you wrote is still here")
    expect(mo.get_by_label("What to say")).to_have_value(WORDS)
    mo.get_by_label("What to say").press("Enter")
    for page in (mo, iva):
        expect(page.locator("#feed").get_by_text(WORDS)).to_have_count(1)
    expect(mo.locator("#say-errors")).to_be_empty()
    expect(mo.get_by_label("What to say")).to_have_value("")
    assert len(keys) == 2 and len({*keys}) == 1
