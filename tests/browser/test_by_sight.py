"""What is pressed at the table where it is seen: by its place on the screen, as hands do, and not by its name."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import PHONE, begin_conflict, last_card, leave_side, roll_by, roll_from_sheet
from tests.browser.servers import Site
from tests.browser.world import CLOCK

DESKS = (1440, 1280, 1024)

ASTRAY = """top => {
  const controls = "a[href]:not(.skip), button:enabled, summary, :is(select, textarea, input:not([type=hidden])):enabled";
  const named = (part) => {
    const words = part.getAttribute("aria-label") ?? part.textContent.replace(/\\s+/g, " ").trim();
    return `${part.tagName} “${words.slice(0, 60)}”`;
  };
  const isDrawn = (part) => part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().width > 1;
  const isSeen = (part) => isDrawn(part) && getComputedStyle(part).opacity !== "0" && getComputedStyle(part).clipPath === "none";
  const found = [];
  const look = (within) => {
    for (const control of within.querySelectorAll(controls)) {
      const labels = [...(control.labels ?? [])];
      const part = [control, ...labels].find(isSeen);
      if (!part) continue;
      part.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const { left, top, width, height } = part.getClientRects()[0];
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if ([control, ...labels].some((one) => one.contains(hit))) continue;
      found.push(`${named(control)} has ${hit ? named(hit) : "nothing of the screen"} at its middle`);
    }
  };
  look(top);
  for (const menu of [...top.querySelectorAll("details:not([open])")].filter(isDrawn)) {
    menu.open = true;
    look(menu);
    menu.open = false;
  }
  for (const part of top.querySelectorAll("*")) {
    const isScrolled = ["auto", "scroll"].includes(getComputedStyle(part).overflowX) && !part.matches("textarea, select");
    const more = part.scrollWidth - part.clientWidth;
    if (isScrolled && more > 1 && isDrawn(part)) found.push(`${named(part)} scrolls sideways by ${more} px`);
  }
  return found;
}"""
"""What of a part of the page, with its menus open one by one, is not pressed by its middle, or scrolls sideways."""


def middle(seen: Locator) -> tuple[float, float]:
    seen.scroll_into_view_if_needed()
    box = seen.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pie(gm: Page) -> Locator:
    return gm.locator("#clocks .clock", has_text=CLOCK).locator(".clock-face")


def test_a_press_on_the_middle_of_a_clock_s_pie_ticks_it_at_every_width(service: AtTable) -> None:
    gm, phone = service("gm"), service("gm", **PHONE)
    for filled, width in enumerate(DESKS, start=1):
        gm.set_viewport_size({"width": width, "height": 800})
        gm.mouse.click(*middle(pie(gm)))
        expect(gm.get_by_role("img", name=f"{filled} of 4")).to_be_visible()
    phone.locator("[data-opens=panels]").tap()
    phone.touchscreen.tap(*middle(pie(phone)))
    expect(phone.get_by_role("img", name="4 of 4")).to_be_visible()


@pytest.mark.parametrize("who", ["gm", "mo"])
def test_every_control_of_the_table_is_pressed_by_its_middle_at_every_width(service: AtTable, who: str) -> None:
    mo, gm = service("mo"), service("gm")
    roll_from_sheet(mo, (7, 7, 3, 2, 5))
    begin_conflict(gm)
    page = {"gm": gm, "mo": mo}[who]
    expect(page.locator("#procedures .turns > li")).to_have_count(2)
    for width in DESKS:
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.locator(".htmx-request")).to_have_count(0)  # a button waits with its form
        assert page.locator("body").evaluate(ASTRAY) == [], width
        expect(page.get_by_role("navigation", name="Pages of play")).to_be_visible()
    phone = service(who, **PHONE)
    assert phone.locator("body").evaluate(ASTRAY) == []
    for side in ("sheet", "panels"):
        phone.locator(f"[data-opens={side}]").tap()
        expect(phone.locator(f"#{side}")).to_contain_class("is-open")
        assert phone.locator(f"#{side}").evaluate(ASTRAY) == [], side
        phone.locator(f"#{side} .side-close").tap()


HIDDEN_DICE = """() => [...document.querySelectorAll(".roll.is-folded .dice")].flatMap((row) =>
  [...row.children].filter((die) => {
    const { left, right, bottom } = die.getBoundingClientRect();
    const [own, card] = [row, row.closest(".roll")].map((part) => part.getBoundingClientRect());
    return left < card.left || right > Math.min(own.right, card.right) + 1 || bottom > own.bottom + 1;
  }).map((die) => die.textContent.trim()))"""
"""The dice of rolls folded to a line that stand beyond its edge."""


def test_all_dice_of_a_large_pool_are_seen_on_its_line(service: AtTable) -> None:
    mo, phone = service("mo"), service("mo", **PHONE)
    for _ in range(2):
        dice.load(*[10, 9, 8, 7, 6, 5, 4, 3, 2] * 2)
        mo.get_by_label("Message").fill("/r 18 d7")
        mo.get_by_label("Message").press("Enter")
        expect(last_card(mo)).to_contain_text("18 dice")
    log = mo.url.removesuffix("/") + "/log/"
    for page in (mo, phone):
        folded = page.locator(".roll.is-folded .die")
        expect(folded).to_have_count(18)
        assert page.evaluate(HIDDEN_DICE) == []
        page.goto(log)
        expect(folded).to_have_count(36)
        assert page.evaluate(HIDDEN_DICE) == []


# What a finger presses on a phone is 44 px wide and high, or has that much room for it around what is drawn


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


# What is rolled is read beside its button, in the longer language too

CROWDED = """form => {
  const room = form.getBoundingClientRect();
  const button = form.querySelector("[type=submit]").getBoundingClientRect();
  const found = [];
  for (const part of form.querySelectorAll(".slots > *, .picked > button")) {
    const { left, right, top, bottom, width } = part.getBoundingClientRect();
    if (!width || part.classList.contains("to-announce")) continue;
    const words = `${part.className} “${part.textContent.replace(/\\s+/g, " ").trim().slice(0, 40)}”`;
    if (right > room.right + 1) found.push(`${words} ends ${right - room.right} px outside`);
    const isUnder = left < button.right && right > button.left && top < button.bottom && bottom > button.top;
    if (isUnder) found.push(`${words} is under the button`);
    if (part.matches(".picked > button") && width < 64) found.push(`${words} is narrow`);
  }
  return found;
}"""
"""What of a roll form lies outside of it or under its button, and which chips are too narrow to be read."""


@pytest.mark.parametrize("width", [1440, 1280, 1024])
def test_all_that_is_rolled_has_room_beside_its_button(service: AtTable, site: Site, table: str, width: int) -> None:
    site.run("-m", "tests.browser.world", "--thief", table)
    look = {"viewport": {"width": width, "height": 800}, "locale": "de-DE"}
    mo, gm = service("mo", **look), service("gm", **look)
    for name in ("perception", "alertness"):
        mo.locator(f"[data-trait={name}]").click()
    expect(mo.locator("#roll .picked > button")).to_have_count(2)
    assert mo.locator("#roll").evaluate(CROWDED) == []
    roll_by(gm, "VI-VIII-X", "arc")
    gm.locator("#roll [name=kind]").select_option("opposed")
    expect(gm.locator("#roll [name=kind]")).to_have_value("opposed")
    assert gm.locator("#roll").evaluate(CROWDED) == []


ROOM = """input => {
  const { paddingLeft, paddingRight, font } = getComputedStyle(input);
  const drawn = Object.assign(document.createElement("canvas").getContext("2d"), { font });
  return input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - drawn.measureText(input.placeholder).width;
}"""
"""What is left beside an empty field's words."""

NUMBER_SHOWS = """(title, number) => {
  const [range, at] = [document.createRange(), title.textContent.indexOf(number)];
  range.setStart(title.firstChild, at);
  range.setEnd(title.firstChild, at + number.length);
  const [read, box] = [range.getBoundingClientRect(), title.getBoundingClientRect()];
  return at > 0 && read.right <= box.right && read.bottom <= box.bottom;
}"""


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_numbers_of_session_and_scene_and_what_a_line_is_for_are_read_whole(service: AtTable, language: str) -> None:
    gm, desk = service("gm", **PHONE, locale=language), service("gm", locale=language)
    gm.locator("[data-opens=panels]").tap()
    for line in (gm.locator("#clock-line-name"), desk.locator("#clock-line-name"), desk.locator("#npc-line-name")):
        assert line.evaluate(ROOM) > 0
    leave_side(gm)
    other = service("gm")
    other.locator("#scene-band").get_by_role("button", name="Next scene…").click()
    other.locator("#dialog [name=title]").fill("The Lantern Room by the old harbour")
    other.locator("#dialog").get_by_role("button", name="Start scene").click()
    for title in ("#session-title", "#scene-title"):
        expect(gm.locator(title)).to_contain_text(" 1")
        assert gm.locator(title).evaluate(NUMBER_SHOWS, "1"), title
    desk.set_viewport_size({"width": 1024, "height": 768})
    menu, dot = desk.locator("#now > .drop").last.bounding_box(), desk.locator("#connection").bounding_box()
    assert menu and dot and menu["x"] + menu["width"] <= dot["x"]
