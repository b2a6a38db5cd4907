"""With forced colours (high contrast), what colours tell apart elsewhere is told by form."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser import world
from tests.browser.conftest import AtTable
from tests.browser.hands import last_card, pick_traits, roll_from_sheet

Scheme = Literal["light", "dark"]
LEAST = 0.05
"""The smallest part of an element's pixels that must differ between two of its states."""


def ink(thing: Locator) -> float:
    """Return the share of pixels, 0 to 1, that clearly differ from the reader's background."""
    shades = Image.open(io.BytesIO(thing.screenshot())).convert("L").histogram()
    light = thing.page.evaluate("matchMedia('(prefers-color-scheme: light)').matches")
    return sum(shades[:128] if light else shades[128:]) / sum(shades)


def expect_apart(*things: Locator) -> None:
    inks = sorted(map(ink, things))
    assert all(more - less > LEAST for less, more in pairwise(inks)), inks


@pytest.fixture(params=["light", "dark"])
def mo(service: AtTable, request: pytest.FixtureRequest) -> Page:
    scheme: Scheme = request.param
    return service("mo", forced_colors="active", color_scheme=scheme)


def test_what_is_filled_chosen_or_counts_does_not_look_like_the_rest(mo: Page, service: AtTable, table: str) -> None:
    gm = service("gm")
    perception = mo.locator("[data-trait=perception]")
    expect_apart(perception.locator(".dot.on").first, perception.locator(".dot:not(.on)").first)
    clock = mo.locator(".clock-face").first
    empty_clock, empty_scale, not_pressed = ink(clock), ink(mo.locator(".scale-bar").first), ink(perception)
    pick_traits(mo)
    mo.locator("#main").focus()
    assert abs(ink(perception) - not_pressed) > LEAST
    for ticks in ("1 of 4", "2 of 4"):
        gm.get_by_role("button", name=f"Tick {world.CLOCK}", exact=True).click()
        expect(mo.get_by_role("img", name=ticks)).to_be_visible()
        assert ink(clock) > empty_clock + LEAST
        empty_clock = ink(clock)

    bar = mo.locator("#odds .odds-bar")
    expect(bar.locator(".odds-good")).to_be_visible()
    expect_apart(bar.locator(".odds-bad rect"), bar.locator(".odds-good rect"))
    roll_from_sheet(mo, (7, 1, 1, 3, 2))
    cancelled, cancels, *_, plain = faces(mo, 5)
    expect_apart(cancelled, cancels)
    expect_apart(cancels, plain)
    assert ink(mo.locator(".scale-bar").first) > empty_scale + LEAST
    roll_from_sheet(mo, (9, 1, 8, 8, 5))
    success, one, *_, blank = faces(mo, 5)
    expect_apart(success, one, blank)

    willpower = mo.get_by_role("slider", name="Willpower")
    willpower.press("ArrowLeft")
    expect(willpower.locator(".cell")).to_have_attribute("data-value", "4")  # drawn by the socket
    mo.locator("#main").focus()
    expect_apart(willpower.locator(".dot.on").first, willpower.locator(".dot:not(.on)").first)
    mo.goto(f"/c/{table}/characters/{world.character_of('mo', table)}/")
    dots = mo.locator(".entry[data-field=perception] .dot")
    expect_apart(dots.first, dots.last)


def faces(page: Page, number: int) -> list[Locator]:
    """Return the faces of the last roll, of so many dice."""
    dice_of_it = last_card(page).locator(".die")
    expect(dice_of_it).to_have_count(number)
    return [die.locator(".face") for die in dice_of_it.all()]
