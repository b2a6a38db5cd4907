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


def test_two_players_fill_roll_and_settle_a_contest_and_mend_what_it_did(
    service: AtTable, site: Site, table: str
) -> None:
    mo, iva, gm = everybody = at_the_ford(service, site, table)
    begin(mo)
    for page in everybody:
        expect(contest(page)).to_contain_text("Abigail")
    expect(contest(iva).get_by_role("button", name="Swordplay")).to_have_count(0)

    fill_both_pools(mo, iva, gm)
    assert not sideways(mo)
    for part in contest(mo).locator(".pool-odds :is(.odds-bar, .odds-lines > p)").filter(visible=True).all():
        box = part.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["viewport"]["width"], "all of it in sight"
    assert button(mo, "Ready Abigail").evaluate(PRESSED_ALL_OVER), "nothing lies over it"
    mo.locator("#stage").evaluate("stage => { stage.scrollTop = stage.scrollHeight; }")
    both_ready(mo, iva)
    for page in everybody:
        expect(contest(page)).to_contain_text("Abigail wins")
        expect(contest(page)).to_contain_text("2 successes, target number 6")
    assert top(contest(mo)) >= top(mo.locator("#stage")), "it is read from its top"

    settle(mo, iva)
    for page in everybody:
        expect(contest(page)).to_have_count(0)
        expect(page.locator("#tokens")).to_contain_text("Out of breath")
        expect(page.locator("#feed")).to_contain_text("took a level 2 Injury instead of crossing off a box")

    mend(iva)
    fill(mo, "Abigail", "Swordplay", kind="Recovery")
    assert not sideways(mo)
    dice.load(9, 8, 7, 3, 2)
    button(mo, "Ready Abigail").click()
    for page in everybody:
        expect(page.locator("#feed")).to_contain_text(
            "Bob recovers from “Cut arm”. Abigail: 2 successes, the Injury is gone."
        )


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
    expect(bob.get_by_role("img", name="Power 1 of 6", include_hidden=True)).to_have_count(1)


def test_who_presses_chips_by_key_keeps_their_place_when_the_card_is_drawn_anew(
    service: AtTable, site: Site, table: str
) -> None:
    mo, iva, _gm = at_the_ford(service, site, table)
    begin(mo)
    for chip in ("Swordplay", "Old grudge"):
        contest(mo).get_by_role("button", name=chip, pressed=False).press("Enter")
        expect(contest(mo).get_by_role("button", name=chip, pressed=True)).to_be_focused()
    fill(iva, "Bob", "Shield wall")
    expect(contest(mo)).to_contain_text("Shield wall")
    expect(contest(mo).get_by_role("button", name="Old grudge", pressed=True)).to_be_focused()


def at_the_ford(service: AtTable, site: Site, table: str) -> tuple[Page, Page, Page]:
    """Mo as Abigail by phone, with what is under way in sight, Iva as Bob, and the GM."""
    site.run("-m", "tests.browser.world", "--duel", table)
    mo, iva, gm = service("mo", **PHONE), service("iva"), service("gm")
    return mo, iva, gm


def fill_both_pools(mo: Page, iva: Page, gm: Page) -> None:
    """Fill both pools; the GM strikes one of Abigail's Descriptors."""
    fill(mo, "Abigail", "Swordplay", "Old grudge")
    expect(contest(iva)).to_contain_text("costs 2 Will")
    expect(contest(mo).get_by_role("button", name="Take out")).to_have_count(2)
    expect(contest(iva).get_by_role("button", name="Take out")).to_have_count(0)
    fill(iva, "Bob", "Shield wall")
    button(gm, "Strike Old grudge 2D").click()
    expect(contest(mo).locator(".side-entries")).not_to_contain_text(["Old grudge"])
    expect(contest(mo)).to_contain_text("Abigail wins")


def both_ready(mo: Page, iva: Page) -> None:
    """Make both ready, after which the dice fall."""
    button(mo, "Ready Abigail").click()
    expect(button(mo, "Not ready Abigail")).to_be_visible()
    expect(contest(iva).locator(".staged-side").first).to_contain_text("ready")
    dice.load(9, 8, 2, 6, 4)
    button(iva, "Ready Bob").click()


def settle(mo: Page, iva: Page) -> None:
    button(mo, "Make a Scene Descriptor Abigail").click()
    say(mo, "What’s true now, in this scene", "Out of breath")
    button(iva, "Take a level 2 Injury Bob").click()
    say(iva, "Injury", "Cut arm")


def contest(page: Page, kind: str = "Contest") -> Locator:
    return page.locator("#procedures > .procedure", has_text=kind)


def button(page: Page, name: str) -> Locator:
    return page.locator("#procedures").get_by_role("button", name=name, exact=True)


def begin(mo: Page) -> None:
    open_form(mo, "Contest")
    form = mo.locator("#desk")
    form.get_by_label("Character").select_option(label="Abigail")
    form.locator("[name=b_character]").select_option(label="Bob")
    form.get_by_role("button", name="Start").click()


def fill(page: Page, who: str, *chips: str, kind: str = "Contest") -> None:
    card = contest(page, kind)
    for chip in chips:
        pressed = card.get_by_role("button", name=chip, pressed=False)
        pressed.click()
        expect(card.get_by_role("button", name=chip, pressed=True)).to_be_visible()


def say(page: Page, label: str, words: str) -> None:
    form = page.locator("#desk")
    form.get_by_label(label).fill(words)
    form.get_by_role("button", name="Continue").click()
    expect(form.locator("form")).to_have_count(0)


def mend(iva: Page) -> None:
    open_form(iva, "Recovery")
    form = iva.locator("#desk")
    form.get_by_role("checkbox", name="Abigail").check()
    form.get_by_role("button", name="Start").click()


def sideways(page: Page) -> bool:
    """Return whether the page is wider than the phone."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["y"]
