"""Whoever loses the right to follow a table is sent nothing that is said there afterwards, on whichever process they sit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import say
from tests.browser.seats import Sit, sign_in
from tests.browser.servers import Site

AFTERWARDS = "Said when they were gone"


@pytest.fixture
def sample(site: Site, table: str) -> Iterator[str]:
    """Make this test's table the sample; afterwards the demo's is the sample again."""
    site.manage("sample", table)
    yield table
    site.manage("sample", "ashes-over-harrow")


def followed(page: Page, address: str) -> list[str]:
    """Open a table there; all frames that its sockets bring from now on."""
    frames: list[str] = []

    def hear(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    page.on("websocket", hear)
    page.goto(address)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return frames


def hear_nothing(those: list[tuple[Page, list[str]]], gm: Page, stays: Page) -> None:
    """Check that these pages hear nothing the GM says now, while `stays` does, and that they show they are disconnected."""
    say(gm, AFTERWARDS)
    expect(stays.locator("#feed .line").last).to_contain_text(AFTERWARDS)
    for page, frames in those:
        expect(page.locator("#connection")).not_to_have_attribute("data-state", "live")
        assert not [frame for frame in frames if AFTERWARDS in frame]
        assert AFTERWARDS not in page.content()


def follow_from_both(sit: Sit, servers: tuple[str, str], address: str) -> list[tuple[Page, list[str]]]:
    """Strangers at the table there, one on each process, and what their sockets bring."""
    strangers = [sit("", at=server, fresh=True) for server in servers]
    return [(stranger, followed(stranger, address)) for stranger in strangers]


def test_a_stranger_at_the_sample_hears_nothing_once_it_is_none(
    sit: Sit, site: Site, servers: tuple[str, str], service: AtTable, sample: str
) -> None:
    gm, mo = service("gm"), service("mo")
    strangers = follow_from_both(sit, servers, f"/c/{sample}/")
    site.manage("sample", "--none")
    hear_nothing(strangers, gm, mo)


def test_who_came_by_the_spectator_link_hears_nothing_once_it_is_off(
    sit: Sit, servers: tuple[str, str], service: AtTable, table: str
) -> None:
    gm, mo = service("gm"), service("mo")
    settings = gm.context.new_page()
    settings.goto(f"/c/{table}/invitations/")
    card = settings.locator("section", has=settings.locator("#watch-head"))
    card.get_by_role("button", name="Turn on").click()
    link = card.locator("#link").input_value()
    watchers = follow_from_both(sit, servers, link[link.index("/watch/") :])
    card.get_by_role("button", name="Turn off").click()
    expect(card.get_by_role("button", name="Turn on")).to_be_visible()
    hear_nothing(watchers, gm, mo)


def test_who_signs_out_in_another_tab_hears_nothing_in_the_first(
    sit: Sit, servers: tuple[str, str], service: AtTable, table: str
) -> None:
    gm, iva = service("gm"), service("iva")
    mo = sit("", at=servers[0], fresh=True)
    sign_in(mo, "mo")
    frames = followed(mo, f"/c/{table}/")
    other = mo.context.new_page()
    other.goto(f"{servers[1]}/accounts/logout/")
    other.get_by_role("button", name="Sign out").last.click()
    expect(other.get_by_text("You have signed out.")).to_be_visible()
    hear_nothing([(mo, frames)], gm, iva)
