"""The overlay of a stream follows its table as a spectator does, in a browser of whomever, and is bounded."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import expect_scale, roll_from_sheet
from tests.browser.seats import Sit
from tests.browser.test_accessibility import found_by_axe
from tests.browser.world import CLOCK

ROLL = (10, 9, 7, 4, 5)
AGAIN = (7, 1, 1, 3, 2)  # the Scale falls by three


@pytest.fixture
def link(service: AtTable, table: str) -> str:
    """Return the address of this table's overlay, as its GM copies it."""
    gm = service("gm")
    gm.goto(f"/c/{table}/invitations/")
    gm.get_by_role("button", name="Turn on").click()
    return gm.locator("#overlay").input_value()


def follow(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return page


def test_it_shows_the_last_roll_and_nothing_to_press_though_the_gm_is_signed_in(
    sit: Sit, service: AtTable, link: str
) -> None:
    mo = service("mo")
    overlays = [follow(sit(""), f"{link}?stay=0"), follow(sit("gm"), f"{link}?stay=0")]
    roll_from_sheet(mo, ROLL)
    for overlay in overlays:
        expect(overlay.locator("#feed .die")).to_have_count(len(ROLL))
        expect_scale(overlay, 2)
    roll_from_sheet(mo, AGAIN)
    for overlay in overlays:
        expect_scale(overlay, -1)
        expect(overlay.locator("#feed > *")).to_have_count(1)
        expect(overlay.locator("#clocks")).to_contain_text(CLOCK)
        assert not overlay.evaluate(
            "[...document.querySelectorAll('a, button, input')].some(part => part.checkVisibility() && !part.closest('.scale'))"
        )


def test_it_says_nothing_of_a_lost_connection_and_comes_back(sit: Sit, service: AtTable, link: str) -> None:
    mo = service("mo")
    overlay = follow(sit("", fresh=True), f"{link}?parts=roll&stay=0")
    overlay.context.set_offline(True)
    expect(overlay.locator("#connection")).to_have_attribute("data-state", "reconnecting")
    expect(overlay.locator("body")).to_have_text(re.compile(r"^\s*\S+: latest events\s*$"), use_inner_text=True)
    roll_from_sheet(mo, ROLL)
    overlay.context.set_offline(False)
    expect(overlay.locator("#feed .die")).to_have_count(len(ROLL))


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_roll_goes_after_its_time_whether_things_may_move_or_not(
    sit: Sit, service: AtTable, link: str, motion: str
) -> None:
    overlay = follow(sit("", reduced_motion=motion), f"{link}?parts=roll&stay=1")
    roll_from_sheet(service("mo"), ROLL)
    expect(overlay.locator("#feed .roll")).to_be_visible()
    expect(overlay.locator("#feed > *")).to_have_count(0)


def test_it_is_empty_once_the_link_is_another(sit: Sit, service: AtTable, link: str, table: str) -> None:
    overlay = follow(sit(""), f"{link}?stay=0")
    expect(overlay.locator("#clocks")).to_be_visible()
    gm = service("gm")
    gm.goto(f"/c/{table}/invitations/")
    gm.get_by_role("button", name="Generate a new link").click()
    expect(overlay.locator("#connection")).to_have_attribute("data-state", "gone")
    expect(overlay.locator(".overlay")).to_be_hidden()


def test_it_has_no_faults_and_never_scrolls(sit: Sit, service: AtTable, link: str) -> None:
    mo = service("mo")
    roll_from_sheet(mo, ROLL)
    page = sit("")
    for width, height, size in ((1920, 1080, 1.5), (640, 360, 1), (640, 360, 4)):
        page.set_viewport_size({"width": width, "height": height})
        follow(page, f"{link}?preview=1&size={size}")
        over = page.evaluate(
            "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
        )
        assert max(over) <= 0, (width, height, size)
    page.set_viewport_size({"width": 1920, "height": 1080})
    follow(page, f"{link}?preview=1")
    page.evaluate(AXE_SCRIPT)
    assert not list(found_by_axe(page))
