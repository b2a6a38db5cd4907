"""What hands do at the table page, for those who test what comes of it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from tests import dice

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

TO_GRACE = (9, 10, 9, 4, 5)  # +1 for each 9 and 10
TO_TROUBLE = (7, 1, 1, 3, 2)  # a success that a 1 cancels, then -1 for each of the others

# Keys that act as a click (Enter on a button) also cause click events; choosing in a list causes a change event.
COUNT_PRESSES = """() => {
  const counted = "presses" in window;
  window.presses = 0;
  if (counted) return;
  document.addEventListener("click", ({ detail, isTrusted }) => { window.presses += isTrusted && detail > 0; }, true);
  document.addEventListener("change", ({ target }) => { window.presses += target.matches("select"); }, true);
}"""


def count_presses(*pages: Page) -> None:
    """Count what is pressed on these pages, from now on."""
    for page in pages:
        page.evaluate(COUNT_PRESSES)


def presses(*pages: Page) -> int:
    """Return the number of presses since `count_presses`, on all of these pages together."""
    return sum(int(page.evaluate("window.presses")) for page in pages)


def roll_from_sheet(page: Page, faces: tuple[int, ...]) -> None:
    """Roll, and wait for the card and the answer: traits picked before them would go into the same roll."""
    dice.load(*faces)
    pick_traits(page)
    cards = page.locator("#feed .line .card.roll")
    before = cards.count()
    page.locator("#roll [type=submit]").click()
    expect(cards).to_have_count(before + 1)
    answered(page)


def answered(page: Page) -> None:
    """Wait for the answer to the roll form. The socket may bring the card earlier; a press before the answer is no second one."""
    expect(page.locator("#roll")).not_to_have_class(re.compile("htmx-request"))


def pick_traits(page: Page, *names: str) -> None:
    """Press these on the sheet at hand, by default Perception and Alertness, where they are not pressed already."""
    for name in names or ("perception", "alertness"):
        trait = page.locator(f"[data-trait={name}]")
        if trait.get_attribute("aria-pressed") == "false":
            trait.click()
        expect(trait).to_have_attribute("aria-pressed", "true")


def press_down(control: Locator) -> None:
    """Put the mouse down on this and leave it there, wherever what comes above it a moment after the page has moved it to."""
    page = control.page
    for _ in range(5):
        control.hover()
        page.mouse.down()
        if control.evaluate("one => one.matches(':active')"):
            return
        page.mouse.move(0, 0)
        page.mouse.up()
    raise AssertionError(f"{control} does not come to rest")


def answer_late(page: Page, url: str | re.Pattern[str], news: Callable[[], None]) -> None:
    """Answer requests for `url` in this page only once `news`, which waits for messages of the socket, has returned."""

    def answer(route: Route) -> None:
        response = route.fetch()
        news()
        route.fulfill(response=response)

    page.route(url, answer)


class Held:
    """The socket of a page, whose news waits until it is let through. The page is loaded again for it."""

    def __init__(self, page: Page) -> None:
        self.holds, self._held = False, list[tuple[WebSocketRoute, str | bytes]]()
        page.route_web_socket("**/live/", self._join)
        page.reload()
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")

    def _join(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        server.on_message(lambda news: self._held.append((page, news)) if self.holds else page.send(news))

    def let_through(self) -> None:
        self.holds = False
        for page, news in self._held:
            page.send(news)
        self._held.clear()


def last_card(page: Page) -> Locator:
    return page.locator("#feed .line .card").last


def expect_scale(page: Page, value: int) -> None:
    expect(page.locator("#scales [role=meter]")).to_have_attribute("aria-valuenow", str(value))


def say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.get_by_label("Message").press("Enter")


def field(page: Page, name: str) -> Locator:
    """Return an input of the roll form."""
    return page.locator(f"#roll [name={name}]")


def roll_by(page: Page, rules: str, system: str) -> None:
    """Have the roll form of these rules, from the menu of those that the campaign mixes; and where it is there, keep it."""
    if field(page, "system").input_value() != system:
        page.locator(".systems summary").click()
        page.locator(".systems").get_by_role("button", name=rules, exact=True).click()
    expect(field(page, "system")).to_have_value(system)


def open_more(page: Page) -> None:
    """Open the rarely changed part of the roll form."""
    more = page.locator("#roll .more")
    if more.get_attribute("open") is None:
        more.locator("summary").click()


def bring(card: Locator) -> None:
    """Unfold what is being settled, where something else lies open on the stage."""
    head = card.locator("[data-stage]")
    if head.get_attribute("aria-expanded") == "false":
        head.click()


def leave_side(page: Page) -> None:
    """Close the open side, which covers the stage on a phone."""
    close = page.locator(".side.is-open .side-close")
    if close.count():
        close.click()


def open_form(page: Page, what: str) -> None:
    """Open the form of a procedure, from the menu of all of them."""
    leave_side(page)
    menu = open_say(page).locator(".openers")
    menu.locator("summary").click()
    menu.get_by_role("button", name=what, exact=True).click()


def open_say(page: Page) -> Locator:
    """Return the line to speak, which a phone shows in place of the roll form once it is chosen."""
    choice = page.locator("label:has(#mode-say)")
    if choice.is_visible():
        choice.click()
    return page.locator("#say")


def open_party(page: Page, name: str) -> Locator:
    """Open one of the party: at the left of a GM's table, in the head of a player's. Return it."""
    one = page.locator(".party-one", has_text=name)
    if one.locator("details").get_attribute("open") is None:
        one.locator("summary").click()
    return one


def play_menu(page: Page, what: str, press: str) -> None:
    """Press what a GM's menu of "Session" or "Scene" in the head of the table holds."""
    menu = page.locator("#now details", has_text=what)
    menu.locator("summary").click()
    menu.get_by_role("button", name=press).click()


def next_scene(page: Page) -> None:
    """Start a scene, by the press in the band at the head of the feed."""
    page.locator("#scene-band").get_by_role("button", name="Next scene…").click()
    page.locator("#dialog").get_by_role("button", name="Start scene").click()


def under_way(page: Page) -> Locator:
    return page.locator("#procedures")


def press(page: Page, words: str | re.Pattern[str]) -> None:
    """Press the button of these very words, or of a pattern, on what is under way."""
    leave_side(page)
    exact = isinstance(words, str)
    button = page.get_by_role("button", name=words, exact=exact, include_hidden=True)
    bring(under_way(page).locator(".procedure").filter(has=button))
    under_way(page).get_by_role("button", name=words, exact=exact).click()


def filled_in(page: Page, **values: Any) -> None:
    """Fill in the open form of a step, and continue."""
    form = page.locator("#desk form")
    for name, value in values.items():
        box = form.locator(f"[name={name}]")
        if box.evaluate("box => box.tagName") == "SELECT":
            box.select_option(label=value)
        else:
            box.fill(value)
    form.locator("[type=submit]").first.click()
    expect(form).to_have_count(0)


def sign_up(page: Page) -> None:
    """Follow the link to a new account, and make one."""
    page.get_by_role("link", name=re.compile("^(Create account|Join as a player)$")).first.click()
    page.locator("[name=username]").fill(f"new-{secrets.token_hex(4)}")
    password = page.locator("[name=password1]")
    password.fill("lanterns-and-soot-7")
    page.get_by_role("button", name="Show password").click()
    expect(password).to_have_attribute("type", "text")
    page.get_by_role("button", name="Create account").click()
    expect(page).not_to_have_url(re.compile("/accounts/signup/"))


def begin_extended(gm: Page) -> None:
    """Begin an extended action of Silas, for four successes."""
    open_form(gm, "Extended action")
    form = gm.locator("#desk")
    form.get_by_label("Character").select_option(label="Silas Grey")
    form.get_by_label("Traits or dice").fill("wits + stealth")
    form.get_by_label("Successes needed").fill("4")
    form.get_by_role("button", name="Start").click()
    expect(under_way(gm)).to_contain_text("0 of 4 successes, 0 rolls")
    expect(form.locator("form")).to_have_count(0)


def begin_conflict(gm: Page, others: str = "", *, players: bool = True) -> None:
    """Begin a conflict of others with the player characters, or without them."""
    open_form(gm, "Conflict")
    form = gm.locator("#desk")
    for name in ("Silas Grey", "Corvina Hale"):
        expect(form.get_by_role("checkbox", name=name)).to_be_checked()
        if not players:
            form.get_by_role("checkbox", name=name).uncheck()
    form.get_by_label("Others").fill(others)
    form.get_by_role("button", name="Start").dblclick()
    expect(at_turn(gm)).to_have_count(1)


def at_turn(page: Page) -> Locator:
    return page.locator(".turns > [aria-current] .who")


def ask_mo(gm: Page) -> None:
    gm.get_by_role("button", name="Request a roll").click()
    fill_in_for_mo(gm)


def fill_in_for_mo(gm: Page) -> None:
    gm.get_by_label("Who rolls").select_option(label="Silas Grey (Mo)")
    gm.get_by_label("Traits or dice").fill("wits + stealth")
    gm.locator(".request-form [name=difficulty]").select_option("8")
    gm.locator(".request-form [type=submit]").click()
