"""Steps that are pressed twice, or by two at once: one person's press is one step, and whoever was later is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import field, open_form, open_party, say

ROLL = "**/rolls/"
MEANWHILE = "already settled this"


class Held:
    """The socket of a page whose news wait until they are let through; the page is loaded anew for it."""

    def __init__(self, page: Page) -> None:
        self.holds, self._held = False, list[tuple[WebSocketRoute, str | bytes]]()
        page.route_web_socket("**/live/", self._join)
        page.reload()
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        self._page = page

    def _join(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        server.on_message(lambda news: self._held.append((page, news)) if self.holds else page.send(news))

    def let_through(self) -> None:
        self.holds = False
        for page, news in self._held:
            page.send(news)
        self._held.clear()


def begin(gm: Page) -> None:
    """Begin a conflict of Silas, Corvina and a dog."""
    open_form(gm, "Conflict")
    form = gm.locator("#desk")
    form.get_by_role("checkbox", name="Silas Grey").check()
    form.get_by_role("checkbox", name="Corvina Hale").check()
    form.get_by_label("Others").fill("Dog 2")
    form.get_by_role("button", name="Start").dblclick()
    expect(now(gm)).to_have_count(1)


def now(page: Page) -> Locator:
    return page.locator(".turns > [aria-current] .who")


def posts(page: Page) -> list[str]:
    """Return the addresses that forms are sent to from now on."""
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    return sent


def test_a_step_that_is_pressed_again_before_its_card_has_come_is_one_step(service: AtTable) -> None:
    gm = service("gm", fresh=True)
    begin(gm)
    expect(gm.locator("#procedures > *")).to_have_count(1)
    line = Held(gm)
    first = now(gm).inner_text()
    done, sent = gm.get_by_role("button", name=f"Done {first}"), posts(gm)
    line.holds = True
    with gm.expect_response("**/act/"):
        done.click()
    done.click(force=True)
    gm.get_by_role("button", name="Undo last step").evaluate_all("all => all.map(one => one.click())")
    line.let_through()
    expect(now(gm)).not_to_have_text(first)
    expect(gm.get_by_role("button", name="Undo last step")).to_have_count(1)
    assert len(sent) == 1 and MEANWHILE not in gm.locator("#refusals").inner_text()


def test_the_second_half_of_a_press_does_nothing_on_the_card_that_has_come_since(service: AtTable) -> None:
    gm, mo = service("gm", fresh=True), service("mo")
    begin(gm)
    order = gm.locator(".turns .who").all_inner_texts()
    for halves, stands in ((pointer(gm), 1), (key(gm), 2)):
        for name in order[stands - 1 : stands + 1]:
            next(halves)(gm.get_by_role("button", name=f"Done {name}"))
            expect(now(mo)).to_have_text(order[stands])
        say(gm, f"By then it would have happened, {stands}.")
        expect(mo.locator("#feed")).to_contain_text(f"By then it would have happened, {stands}.")
        expect(now(mo)).to_have_text(order[stands])


def pointer(page: Page) -> Iterator[Callable[[Locator], None]]:
    """Yield the two clicks of a double-click, each at the button's current place."""
    for half in (1, 2):

        def click(button: Locator, half: int = half) -> None:
            box = button.bounding_box()
            assert box
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.down(click_count=half)
            page.mouse.up(click_count=half)

        yield click


def key(page: Page) -> Iterator[Callable[[Locator], None]]:
    """Yield the press of a held key and its repetition."""

    def press(button: Locator) -> None:
        button.focus()
        page.keyboard.down("Enter")

    def press_again_and_let_go(button: Locator) -> None:
        press(button)
        page.keyboard.up("Enter")

    yield press
    yield press_again_and_let_go


def test_of_two_gms_who_press_at_once_the_second_is_told_until_they_have_read_it(service: AtTable) -> None:
    gm, other = service("gm"), service("gm", fresh=True)
    begin(gm)
    expect(now(other)).to_have_count(1)
    line = Held(other)
    first = now(gm).inner_text()
    line.holds = True
    gm.get_by_role("button", name=f"Done {first}").click()
    expect(now(gm)).not_to_have_text(first)
    other.get_by_role("button", name=f"Done {first}").click()
    expect(other.locator("#refusals")).to_contain_text(MEANWHILE)
    line.let_through()
    expect(now(other)).to_have_text(now(gm).inner_text())
    expect(other.locator("#refusals")).to_contain_text(MEANWHILE)
    second = now(other).inner_text()
    other.get_by_role("button", name=f"Done {second}").click()
    for page in (gm, other):
        expect(now(page)).not_to_have_text(second)
    expect(other.locator("#refusals")).to_be_empty()

    # It stays when its card is gone, too.
    line.holds = True
    gm.get_by_role("button", name="End", exact=True).click()
    expect(gm.locator("#procedures > *")).to_have_count(0)
    other.get_by_role("button", name=f"Done {now(other).inner_text()}").click()
    expect(other.locator("#refusals")).to_contain_text("This is over.")
    line.let_through()
    expect(other.locator("#procedures > *")).to_have_count(0)
    expect(other.locator("#refusals")).to_contain_text("This is over.")
    dismiss = other.locator("#refusals").get_by_role("button", name="Dismiss")
    dismiss.focus()
    dismiss.press("Enter")
    expect(other.locator("#refusals")).to_be_empty()


def test_a_roll_that_is_pressed_twice_falls_once(service: AtTable) -> None:
    mo = service("mo", fresh=True)
    field(mo, "pool").fill("3")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    mo.route(ROLL, hold)
    sent = posts(mo)
    with mo.expect_request(ROLL):
        mo.locator("#roll [type=submit]").dblclick()
    held[0].continue_()
    expect(mo.locator("#feed .line .card")).to_have_count(1)
    say(mo, "By then it would have fallen again.")
    expect(mo.locator("#feed")).to_contain_text("By then")
    expect(mo.locator("#feed .line .card")).to_have_count(1)
    assert len(sent) == 2


def test_a_press_counts_although_what_is_pressed_is_drawn_again_before_the_finger_goes_up(service: AtTable) -> None:
    gm, other = service("gm", fresh=True), service("gm")
    gm.get_by_role("button", name="Request a roll").click()
    gm.get_by_label("Traits or dice").fill("wits + stealth")
    gm.get_by_role("button", name="Request", exact=True).click()
    socket = Held(gm)
    socket.holds = True
    gm.get_by_role("button", name="Cancel request").hover()
    gm.mouse.down()
    other.get_by_role("button", name="Edit", exact=True).click()
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.locator("#feed .line").last).to_contain_text("changed the roll")
    socket.let_through()
    gm.mouse.up()
    expect(gm.locator("#feed .line").last).to_contain_text("cancelled the roll")


def test_a_press_counts_although_what_comes_above_it_moves_it_away_before_the_button_goes_up(service: AtTable) -> None:
    gm = service("gm", fresh=True)
    held: list[Route] = []
    gm.route("**/in-play/", lambda route: held.append(route))
    with gm.expect_request("**/in-play/"):
        corvina = open_party(gm, "Corvina Hale")
    link = corvina.get_by_role("link", name="Roll for Corvina Hale")
    link.hover()
    before = link.bounding_box()
    gm.mouse.down()
    held[0].continue_()
    expect(corvina.locator(".party-panel")).not_to_be_empty()
    assert link.bounding_box() != before
    gm.mouse.up()
    expect(gm.locator("#hand h2")).to_have_text("Corvina Hale")
