"""A contest of two players and what follows, in the browsers of those who play it: Mo's is a phone, and the GM looks on."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import field, open_form
from tests.browser.servers import Site

PHONE = {"viewport": {"width": 360, "height": 640}}

PRESSED_ALL_OVER = """button => {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const edges = [[left + 1, y], [right - 1, y], [x, top + 1], [x, bottom - 1]];
  return edges.every((point) => button.contains(document.elementFromPoint(...point)));
}"""
"""Returns whether a click on any part of the button reaches it, without scrolling first."""

WORDS_UNDER_MORE = """line => {
  const more = line.querySelector(".roll-more > summary").getBoundingClientRect();
  const meets = (box) => box.left < more.right && box.right > more.left && box.top < more.bottom && box.bottom > more.top;
  const words = document.createTreeWalker(line.querySelector(".roll"), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const under = [];
  while (words.nextNode()) {
    if (words.currentNode.parentElement.closest(".visually-hidden")) continue;
    range.selectNodeContents(words.currentNode);
    if ([...range.getClientRects()].some(meets)) under.push(words.currentNode.data.trim());
  }
  return under;
}"""
"""Returns the words on a roll's card that are covered by its "more" button."""


def test_all_of_a_contest_can_be_read_and_pressed_on_a_phone(service: AtTable, site: Site, table: str) -> None:
    mo, iva, _gm = at_the_ford(service, site, table)
    begin(mo)
    fill(mo, "Swordplay", "Old grudge")
    fill(iva, "Shield wall")
    expect(contest(mo)).to_contain_text("Abigail wins")
    assert not sideways(mo)
    for part in contest(mo).locator(".pool-odds :is(.odds-bar, .odds-lines > p)").filter(visible=True).all():
        box = part.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["viewport"]["width"], "all of it in sight"
    assert button(mo, "Ready Abigail").evaluate(PRESSED_ALL_OVER), "nothing lies over it"
    mo.locator("#stage").evaluate("stage => { stage.scrollTop = stage.scrollHeight; }")
    button(mo, "Ready Abigail").click()
    expect(contest(iva).locator(".staged-side").first).to_contain_text("ready")
    dice.load(9, 8, 2, 6, 4, 3, 3)
    button(iva, "Ready Bob").click()
    expect(button(mo, "Make a Scene Descriptor Abigail")).to_be_visible()
    assert top(contest(mo)) >= top(mo.locator("#stage")), "it is read from its top"


def test_who_loses_a_quick_roll_crosses_off_the_box_with_one_press(service: AtTable, site: Site, table: str) -> None:
    mo, iva, gm = at_the_ford(service, site, table)
    dice.load(2, 3, 9, 8, 6)
    field(iva, "pool").fill("Shield wall")
    field(iva, "against").fill("3")
    iva.get_by_role("button", name="Roll", exact=True).click()
    card = mo.locator("#feed .line:has(.opposed)").last
    card.locator(".aftermath > li").last.evaluate(
        "line => line.append(' What follows may take several lines.'.repeat(4))"
    )
    assert card.evaluate(WORDS_UNDER_MORE) == []
    button(iva, "Cross off box 3 Bob").click()
    for page in (mo, iva, gm):
        expect(page.locator("#feed")).to_contain_text("Bob crossed off box 3")
    expect(iva.locator("#procedures .procedure-body").get_by_role("button")).to_have_count(0)
    bob = gm.locator("#party > li", has_text="Bob")
    expect(bob).to_contain_text("Power 1/6")


def test_who_presses_chips_by_key_keeps_their_place_when_the_card_is_drawn_anew(
    service: AtTable, site: Site, table: str
) -> None:
    mo, iva, _gm = at_the_ford(service, site, table)
    begin(mo)
    for chip in ("Swordplay", "Old grudge"):
        contest(mo).get_by_role("button", name=chip, pressed=False).press("Enter")
        expect(contest(mo).get_by_role("button", name=chip, pressed=True)).to_be_focused()
    fill(iva, "Shield wall")
    expect(contest(mo)).to_contain_text("Shield wall")
    expect(contest(mo).get_by_role("button", name="Old grudge", pressed=True)).to_be_focused()


def at_the_ford(service: AtTable, site: Site, table: str) -> tuple[Page, Page, Page]:
    """Mo as Abigail by phone, with what is under way in sight, Iva as Bob, and the GM."""
    site.run("-m", "tests.browser.world", "--duel", table)
    mo, iva, gm = service("mo", **PHONE), service("iva"), service("gm")
    return mo, iva, gm


def contest(page: Page) -> Locator:
    return page.locator("#procedures > .procedure", has_text="Contest")


def button(page: Page, name: str) -> Locator:
    return page.locator("#procedures").get_by_role("button", name=name, exact=True)


def begin(mo: Page) -> None:
    open_form(mo, "Contest")
    form = mo.locator("#desk")
    form.get_by_label("Character").select_option(label="Abigail")
    form.locator("[name=b_character]").select_option(label="Bob")
    form.get_by_role("button", name="Start").click()
    expect(form.locator("form")).to_have_count(0)  # until then no key reaches the card behind it


def fill(page: Page, *chips: str) -> None:
    card = contest(page)
    for chip in chips:
        pressed = card.get_by_role("button", name=chip, pressed=False)
        pressed.click()
        expect(card.get_by_role("button", name=chip, pressed=True)).to_be_visible()


def sideways(page: Page) -> bool:
    """Return whether the page is wider than the phone."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["y"]
