"""Django's admin as hosts use it, under the site's Content Security Policy: `sit` fails the test at any breach of that."""

from __future__ import annotations

import os
import re
import secrets

import pytest
from playwright.sync_api import Page, expect

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


def new_account(page: Page) -> str:
    """Create an account and return its user name; the page is signed in to it."""
    name = f"guest-{secrets.token_hex(4)}"
    page.goto("/accounts/signup/")
    page.locator("input[name=username]").fill(name)
    page.locator("input[name=password1]").fill("lanterns-and-soot")
    page.get_by_role("main").get_by_role("button", name="Create account").click()
    expect(page).not_to_have_url(re.compile("signup"))
    return name


def do(page: Page, name: str, action: str) -> None:
    """Choose one account of the list, and what to do about it."""
    page.goto(f"/admin/people/user/?q={name}")
    page.locator("input[name=_selected_action]").check()
    page.get_by_label("Action:").select_option(label=action)
    page.get_by_role("button", name="Run").or_(page.get_by_role("button", name="Go")).click()


def test_a_host_comes_there_by_the_menu_and_switches_an_account_off(sit: Sit, host: str) -> None:
    guest, page = sit(""), sit(host)
    name = new_account(guest)
    page.goto("/")
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("link", name="Administration").click()
    expect(page).to_have_title(re.compile("Afterburn: administration"))
    do(page, name, "Switch off (signs out everywhere)")
    expect(page.locator(".messagelist")).to_contain_text(f"Switched off and signed out everywhere: {name}.")
    guest.goto("/profile/")
    expect(guest).to_have_url(re.compile("/accounts/login/"))


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
