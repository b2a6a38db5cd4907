"""Django's admin as hosts use it, under the site's Content Security Policy: `sit` fails the test at any breach of that."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import expect

from tests.browser.seats import DEMO_PASSWORD, Sit
from tests.browser.servers import Site

HOST = "host"


@pytest.fixture(scope="module")
def host(site: Site) -> str:
    """Return a superuser made by `manage.py createsuperuser`, with the password of the demo's people."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "DJANGO_SUPERUSER_PASSWORD", DEMO_PASSWORD)
        site.manage("createsuperuser", "--noinput", "--username", HOST, "--email", "host@example.org")
    return HOST


def test_what_only_a_script_does_works_under_the_policy(sit: Sit, host: str) -> None:
    page = sit(host, color_scheme="light")
    page.goto("/admin/people/user/")
    page.locator("#action-toggle").check()
    expect(page.locator(".action-counter")).to_have_text(re.compile(r"^(\d+) of \1 selected$"))
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name=re.compile("Toggle theme")).first.click(click_count=2)
    assert page.evaluate("document.documentElement.dataset.theme") in ("light", "dark")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != colour


def test_every_list_and_its_first_page_are_drawn_with_their_styles(sit: Sit, host: str) -> None:
    page = sit(host)
    for place in ("", "people/user/", "campaigns/campaign/", "campaigns/invitation/"):
        page.goto(f"/admin/{place}")
        expect(page.locator("#header")).to_have_css("display", "flex")
        if place:
            page.locator("#result_list tbody th a").first.click()
            expect(page.locator("#content h2").or_(page.locator("fieldset")).first).to_be_visible()
