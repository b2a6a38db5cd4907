"""What moves at a table: the dice of a roll that falls now, and nothing that is past."""

from __future__ import annotations

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


def test_dice_tumble_on_every_screen_when_they_fall_but_not_for_who_wants_less_motion(service: AtTable) -> None:
    mo, iva, still = service("mo", **MOVING), service("iva", **MOVING), service("gm", reduced_motion="reduce")
    for screen in (mo, iva, still):
        screen.evaluate(SEEN)
    roll_from_sheet(mo, ROLL)
    for screen in (mo, iva):
        expect(last_card(screen).locator(".die svg")).to_have_count(len(ROLL))
        expect(screen.locator(".arrives")).to_have_count(0, timeout=5000)
        assert {"tumble", "stamp", "appear"} <= moved(screen)
    expect(last_card(still)).to_contain_text("Perception")
    expect(still.locator(".arrives")).to_have_count(0)
    assert moved(still) == set()


def test_what_is_past_lies_still_when_a_page_is_opened_or_comes_back(service: AtTable) -> None:
    mo, iva = service("mo", fresh=True, **MOVING), service("iva", **MOVING)
    iva.evaluate(SEEN)
    iva.context.set_offline(True)
    expect(iva.locator("#connection")).to_have_attribute("data-state", "reconnecting")
    roll_from_sheet(mo, ROLL)
    expect_scale(mo, 2)
    iva.context.set_offline(False)
    expect_scale(iva, 2)
    mo.add_init_script(f"({SEEN})()")
    mo.reload()
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    for screen in (mo, iva):
        assert not moved(screen) & {"tumble", "stamp"}


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
