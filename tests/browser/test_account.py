"""The doors of an account in a real browser: a passkey, a provider on this machine, and signing out elsewhere."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tests import provider as providers
from tests.browser.seats import Sit, sign_in
from tests.browser.servers import Site

PASSWORD = "lanterns-and-soot"
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def sign_up(page: Page) -> str:
    """Make an account there, and return its name."""
    name = f"nell-{secrets.token_hex(3)}"
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill(name)
    page.locator("input[name=password1]").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page).not_to_have_url(re.compile("signup"))
    return name


def confirm(page: Page) -> None:
    expect(page.get_by_role("heading", name="Confirm it’s you")).to_be_visible()
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


def sign_out(page: Page) -> None:
    page.goto("/accounts/logout/")
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/accounts/login/"))


def test_a_passkey_is_made_signs_in_alone_and_is_removed(sit: Sit, servers: tuple[str, str]) -> None:
    # Browsers have passkeys on localhost, and none at an address in numbers.
    page = sit("", at=servers[0].replace("127.0.0.1", "localhost"), fresh=True)
    name = sign_up(page)
    link = page.context.new_cdp_session(page)
    link.send("WebAuthn.enable")
    key = link.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})["authenticatorId"]

    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Add a passkey").click()
    confirm(page)
    expect(page.get_by_label("Name")).to_have_value(re.compile("Chrome"))
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    expect(page.locator("code")).to_have_count(10)

    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url(re.compile(r"//localhost:\d+/$"))
    page.goto("/profile/")
    expect(page.locator("main")).to_contain_text(name)

    page.goto("/accounts/2fa/")
    expect(page.locator("main")).to_contain_text("Last used")
    page.get_by_role("link", name=re.compile("^Remove")).click()
    confirm(page)
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".messages")).to_contain_text("Passkey removed.")
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator(".messages")).to_contain_text("Incorrect code")

    # One who turns back at the browser's own question reads so, and can go on.
    link.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": key})
    unverified = KEY | {"isUserVerified": False}
    link.send("WebAuthn.addVirtualAuthenticator", {"options": unverified})
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert").filter(has_text="That didn’t work")).to_be_visible()


def test_a_password_and_a_passkey_as_the_second_factor(sit: Sit, servers: tuple[str, str]) -> None:
    page = sit("", at=servers[0].replace("127.0.0.1", "localhost"), fresh=True)
    name = sign_up(page)
    link = page.context.new_cdp_session(page)
    link.send("WebAuthn.enable")
    link.send("WebAuthn.addVirtualAuthenticator", {"options": KEY | {"hasResidentKey": False}})
    page.goto("/accounts/2fa/webauthn/add/")
    confirm(page)
    page.get_by_label("Sign in with it alone").uncheck()
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    sign_out(page)
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Two-factor sign-in")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(re.compile(r"//localhost:\d+/$"))


@pytest.fixture
def with_provider(site: Site) -> Iterator[tuple[str, providers.Provider]]:
    """Yield the address of a server with the keys of a provider, and the provider."""
    with providers.serving() as provider:
        keys = {
            "DISCORD_CLIENT_ID": "afterburn",
            "DISCORD_CLIENT_SECRET": "never asked for",
            "OIDC_URL": provider.url,
            "OIDC_NAME": "Lamps",
            "OIDC_CLIENT_ID": providers.CLIENT,
            "OIDC_CLIENT_SECRET": providers.SECRET,
        }
        with replace(site, more=keys).serve() as url:
            yield url, provider


def test_a_provider_leads_there_and_back(sit: Sit, with_provider: tuple[str, providers.Provider]) -> None:
    url, provider = with_provider
    provider.person = {"sub": secrets.token_hex(4), "preferred_username": f"lamplighter-{secrets.token_hex(3)}"}
    page = sit("", at=url, fresh=True)
    page.goto("/accounts/login/")
    expect(page.get_by_role("button", name="Continue with Discord")).to_be_visible()
    page.get_by_role("button", name="Continue with Lamps").click()
    expect(page.get_by_label("Username")).to_have_value(provider.person["preferred_username"])
    page.get_by_role("button", name="Create account").click()
    expect(page).to_have_url(f"{url}/")
    assert "/token" in [path for path, _ in provider.asked]
    sign_out(page)
    page.get_by_role("button", name="Continue with Lamps").click()
    expect(page).to_have_url(f"{url}/")
    page.goto("/accounts/3rdparty/")
    expect(page.locator("main")).to_contain_text("Lamps")


def test_signing_out_elsewhere_ends_the_table_that_is_open_there(
    sit: Sit, servers: tuple[str, str], table: str
) -> None:
    lost, home = sit("", at=servers[0], fresh=True), sit("", at=servers[1], fresh=True)
    for page in (lost, home):
        sign_in(page, "mo")
    lost.goto(f"/c/{table}/")
    expect(lost.locator("#connection")).to_have_attribute("data-state", "live")
    home.goto("/accounts/sessions/")
    home.locator("li", has_text="this one").wait_for()
    # The newest but this one: other tests sign in as Mo, too.
    home.locator("li", has=home.get_by_role("button")).last.get_by_role("button").click()
    expect(home.locator(".messages")).to_contain_text("Signed out there.")
    expect(lost.locator("#connection")).not_to_have_attribute("data-state", "live")
    lost.goto("/profile/")
    expect(lost).to_have_url(re.compile("/accounts/login/"))
