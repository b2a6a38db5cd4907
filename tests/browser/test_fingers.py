"""What a finger presses on a phone is 44 px wide and high, or has that much room for it around what is drawn."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import last_card

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FINGER = 44

REACH = """target => {
  target.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = target.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const isHit = (right, down) => target.contains(document.elementFromPoint(x + right, y + down));
  const reach = (right, down) => {
    let pixels = 0;
    while (pixels < 200 && isHit(right * (pixels + 1), down * (pixels + 1))) pixels += 1;
    return pixels;
  };
  return [1 + reach(1, 0) + reach(-1, 0), 1 + reach(0, 1) + reach(0, -1)];
}"""
"""How many pixels beside and above each other are pressed as this one, through its middle."""


def assert_pressed(**targets: Locator) -> None:
    """Check that a finger finds each of these; pixels are counted whole, so that one may be missing."""
    found = {name: target.evaluate(REACH) for name, target in targets.items()}
    assert not {name: reach for name, reach in found.items() if min(reach) < FINGER - 1}


def test_a_finger_finds_what_it_presses_on_a_player_s_table(service: AtTable) -> None:
    mo = service("mo", **PHONE)
    dice.load(7, 7, 3, 2, 5)
    mo.locator("[data-opens=sheet]").tap()
    hand = mo.locator("#sheet")
    assert_pressed(
        first_health_box=hand.locator(".health-level").first,
        last_health_box=hand.locator(".health-level").last,
        untrained=hand.locator(".unrated"),
        trait=hand.locator("[data-trait=perception]"),
    )
    for name in ("perception", "alertness"):
        mo.locator(f"[data-trait={name}]").tap()
    hand.get_by_role("button", name="Roll 5 dice", exact=True).tap()
    expect(last_card(mo)).to_contain_text("Perception + Alertness")
    rolled = mo.locator("#feed .line").last
    assert_pressed(
        time=rolled.locator(".line-time"),
        pin=rolled.locator(".line-pin button"),
        more=rolled.locator(".roll-more > summary"),
        scale=mo.locator(".scale-number"),
    )
    # What a die gave is said by a touch, and goes with the next one.
    die = rolled.locator(".die:has(.why)").first
    for target, opacity in ((die, "1"), (die, "0"), (die, "1"), (rolled.locator(".outcome"), "0")):
        target.tap()
        expect(die.locator(".why")).to_have_css("opacity", opacity)


def test_a_finger_finds_what_it_presses_on_a_gm_s_table(service: AtTable) -> None:
    gm = service("gm", **PHONE)
    assert_pressed(session=gm.locator(".play summary").first, scene=gm.locator(".play summary").last)
    gm.locator("[data-opens=sheet]").tap()
    assert_pressed(face=gm.locator(".party-face").first, new_npc=gm.get_by_role("link", name="New NPC"))
