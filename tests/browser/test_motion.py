"""What moves at a table: the dice of a roll that falls now, and nothing that is past."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import expect_scale, last_card, roll_from_sheet

ROLL = (10, 9, 7, 4, 5)
SEEN = """() => {
  window.seen = [];
  document.addEventListener("animationstart", ({ animationName }) => window.seen.push(animationName));
}"""


OPEN_SCENE = """async () => {
  const headers = JSON.parse(document.body.getAttribute("hx-headers"));
  const body = new FormData();
  body.set("key", crypto.randomUUID());
  body.set("title", "The Lantern Room");
  await fetch(`${location.pathname}scenes/open/`, { method: "POST", headers, body });
}"""


MOVING = {"reduced_motion": "no-preference"}


def moved(page: Page) -> set[str]:
    return set(page.evaluate("window.seen"))


def test_dice_tumble_on_every_screen_when_they_fall_and_then_lie_still(service: AtTable) -> None:
    mo, iva = service("mo", **MOVING), service("iva", **MOVING)
    for screen in (mo, iva):
        screen.evaluate(SEEN)
    roll_from_sheet(mo, ROLL)
    for screen in (mo, iva):
        expect(last_card(screen).locator(".die svg")).to_have_count(len(ROLL))
        expect(screen.locator(".arrives")).to_have_count(0, timeout=5000)
        assert {"tumble", "stamp", "appear"} <= moved(screen)


def test_what_is_past_lies_still_when_a_page_is_opened(service: AtTable) -> None:
    mo = service("mo", fresh=True, **MOVING)
    roll_from_sheet(mo, ROLL)
    expect(last_card(mo)).to_be_visible()
    mo.add_init_script(f"({SEEN})()")
    mo.reload()
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    assert not moved(mo) & {"tumble", "stamp"}


def test_what_came_while_a_page_was_away_lies_still(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva", **MOVING)
    iva.evaluate(SEEN)
    iva.context.set_offline(True)
    expect(iva.locator("#connection")).to_have_attribute("data-state", "reconnecting")
    roll_from_sheet(mo, ROLL)
    expect_scale(mo, 2)
    iva.context.set_offline(False)
    expect_scale(iva, 2)
    assert not moved(iva) & {"tumble", "stamp"}


def test_nothing_moves_for_whoever_asked_their_device_for_less_motion(service: AtTable) -> None:
    mo, iva = service("mo", **MOVING), service("iva")
    iva.evaluate(SEEN)
    roll_from_sheet(mo, ROLL)
    expect(last_card(iva)).to_contain_text("Perception")
    expect(iva.locator(".arrives")).to_have_count(0)
    assert moved(iva) == set()


def test_an_offered_burn_is_said_in_the_band_of_the_scale_and_not_again_among_what_waits(service: AtTable) -> None:
    mo = service("mo")
    roll_from_sheet(mo, (9, 10, 8, 4, 5))
    expect(mo.locator("#offers .offer")).to_contain_text("Grace Burn available.")
    expect(mo.locator("#waiting")).to_be_hidden()
    expect(mo).to_have_title(re.compile(r"^\(1\) "))


def test_a_new_scene_is_announced_to_everyone_and_then_gone(service: AtTable) -> None:
    gm, mo = service("gm", **MOVING), service("mo", **MOVING)
    for screen in (gm, mo):
        screen.evaluate(
            """() => new MutationObserver(changes => {
              for (const one of changes.flatMap(({ addedNodes }) => [...addedNodes]))
                if (one.matches?.(".scene-card")) window.announced = one.textContent;
            }).observe(document.body, { childList: true })"""
        )
    gm.evaluate(OPEN_SCENE)
    for screen in (gm, mo):
        screen.wait_for_function("() => window.announced?.includes('The Lantern Room')")
        expect(screen.locator(".scene-card")).to_have_count(0)
    mo.reload()
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    expect(mo.locator(".scene-card")).to_have_count(0)
