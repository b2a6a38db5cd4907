"""What is pressed twice, or by two at once: one press is one step, and whoever was later is told until they have read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import (
    TO_GRACE,
    Held,
    ask_mo,
    at_turn,
    begin_conflict,
    field,
    last_card,
    open_party,
    press_down,
    roll_from_sheet,
    say,
)

ROLL = "**/rolls/"
DROP = "**/requests/*/close/"
MEANWHILE = "already settled this"


def posts(page: Page) -> list[str]:
    """Return the addresses that forms are sent to from now on."""
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    return sent


def test_a_step_that_is_pressed_again_before_its_card_has_come_is_one_step(service: AtTable) -> None:
    gm = service("gm", fresh=True)
    begin_conflict(gm, "Dog 2")
    expect(gm.locator("#procedures > *")).to_have_count(1)
    line = Held(gm)
    first = at_turn(gm).inner_text()
    done, sent = gm.get_by_role("button", name=f"Done {first}"), posts(gm)
    line.holds = True
    with gm.expect_response("**/act/"):
        done.click()
    done.click(force=True)
    gm.get_by_role("button", name="Undo last step").evaluate_all("all => all.map(one => one.click())")
    line.let_through()
    expect(at_turn(gm)).not_to_have_text(first)
    expect(gm.get_by_role("button", name="Undo last step")).to_have_count(1)
    assert len(sent) == 1 and MEANWHILE not in gm.locator("#refusals").inner_text()


def test_other_steps_that_are_pressed_before_the_card_has_come_follow_on_it(service: AtTable) -> None:
    gm = service("gm", fresh=True)
    begin_conflict(gm, "Dog 2, Rat 1")
    line = Held(gm)
    first = at_turn(gm).inner_text()
    line.holds = True
    with gm.expect_response("**/act/"):
        gm.get_by_role("button", name=f"Done {first}").click()
    for name in ("Rat", "Dog"):
        gm.get_by_role("button", name=f"Remove {name}").click(force=True)
    line.let_through()
    for name in ("Rat", "Dog"):
        expect(gm.locator(".turns > li", has_text=name)).to_have_count(0)
    expect(at_turn(gm)).not_to_have_text(first)


def test_the_second_half_of_a_press_does_nothing_on_the_card_that_has_come_since(service: AtTable) -> None:
    gm, mo = service("gm", fresh=True), service("mo")
    begin_conflict(gm, "Dog 2")
    order = gm.locator(".turns .who").all_inner_texts()
    for halves, stands in ((pointer(gm), 1), (key(gm), 2)):
        for name in order[stands - 1 : stands + 1]:
            next(halves)(gm.get_by_role("button", name=f"Done {name}"))
            expect(at_turn(mo)).to_have_text(order[stands])
        say(gm, f"By then it would have happened, {stands}.")
        expect(mo.locator("#feed")).to_contain_text(f"By then it would have happened, {stands}.")
        expect(at_turn(mo)).to_have_text(order[stands])


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
    begin_conflict(gm, "Dog 2")
    expect(at_turn(other)).to_have_count(1)
    line = Held(other)
    first = at_turn(gm).inner_text()
    line.holds = True
    gm.get_by_role("button", name=f"Done {first}").click()
    expect(at_turn(gm)).not_to_have_text(first)
    other.get_by_role("button", name=f"Done {first}").click()
    expect(other.locator("#refusals")).to_contain_text(MEANWHILE)
    line.let_through()
    expect(at_turn(other)).to_have_text(at_turn(gm).inner_text())
    expect(other.locator("#refusals")).to_contain_text(MEANWHILE)
    second = at_turn(other).inner_text()
    other.get_by_role("button", name=f"Done {second}").click()
    for page in (gm, other):
        expect(at_turn(page)).not_to_have_text(second)
    expect(other.locator("#refusals")).to_be_empty()

    # It stays when its card is gone, too.
    line.holds = True
    gm.get_by_role("button", name="End", exact=True).click()
    expect(gm.locator("#procedures > *")).to_have_count(0)
    other.get_by_role("button", name=f"Done {at_turn(other).inner_text()}").click()
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


@pytest.mark.parametrize("is_long", [False, True], ids=["short", "longer than news wait for it"])
def test_a_press_counts_although_what_is_pressed_is_drawn_again_before_the_finger_goes_up(
    service: AtTable, is_long: bool
) -> None:
    gm, other = service("gm", fresh=True), service("gm")
    gm.get_by_role("button", name="Request a roll").click()
    gm.get_by_label("Traits or dice").fill("wits + stealth")
    gm.get_by_role("button", name="Request", exact=True).click()
    socket = Held(gm)
    socket.holds = True
    press_down(gm.get_by_role("button", name="Cancel request"))
    other.get_by_role("button", name="Edit", exact=True).click()
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.locator("#feed .line").last).to_contain_text("changed the roll")
    socket.let_through()
    if is_long:
        expect(gm.locator("#feed .line").last).to_contain_text("changed the roll")
    gm.mouse.up()
    expect(gm.locator("#feed .line").last).to_contain_text("cancelled the roll")


def test_a_press_counts_although_what_comes_above_it_moves_it_away_before_the_button_goes_up(service: AtTable) -> None:
    gm = service("gm", fresh=True)
    held: list[Route] = []
    gm.route("**/in-play/", lambda route: held.append(route))
    with gm.expect_request("**/in-play/"):
        corvina = open_party(gm, "Corvina Hale")
    link = corvina.get_by_role("link", name="Roll for Corvina Hale")
    press_down(link)
    before = link.bounding_box()
    held[0].continue_()
    expect(corvina.locator(".party-panel")).not_to_be_empty()
    assert link.bounding_box() != before
    gm.mouse.up()
    expect(gm.locator("#hand h2")).to_have_text("Corvina Hale")


# What was refused is said until it is dismissed, whatever is drawn


def refusals(page: Page) -> Locator:
    return page.locator("#refusals > *")


def dismissed(page: Page) -> None:
    refusals(page).get_by_role("button", name="Dismiss").click()
    expect(refusals(page)).to_have_count(0)


def test_an_offer_that_was_answered_elsewhere_says_so_when_it_is_gone(service: AtTable) -> None:
    mo, other = service("mo"), service("mo", fresh=True, viewport={"width": 390, "height": 844})
    roll_from_sheet(mo, TO_GRACE)
    expect(other.get_by_role("button", name="Take it")).to_be_visible()
    line = Held(other)
    line.holds = True
    mo.get_by_role("button", name="Bank it").click()
    expect(mo.locator(".offer")).to_have_count(0)
    other.get_by_role("button", name="Take it").click()
    expect(refusals(other)).to_have_count(1)
    said = refusals(other).inner_text()
    line.let_through()
    expect(other.locator(".offer")).to_have_count(0)
    expect(refusals(other)).to_have_text(said, use_inner_text=True)
    refusal, scale = refusals(other).bounding_box(), other.locator("#scales").bounding_box()
    assert refusal and scale and refusal["y"] + refusal["height"] <= scale["y"], "it does not cover the Scale"
    expect(other.locator(".thumb")).to_be_in_viewport(ratio=1)
    dismissed(other)


def test_a_roll_that_another_gm_took_back_says_so_whatever_is_drawn(service: AtTable) -> None:
    mo, gm, other = service("mo"), service("gm"), service("gm", fresh=True)
    roll_from_sheet(mo, TO_GRACE)
    expect(last_card(other)).to_be_visible()
    line = Held(other)
    line.holds = True
    void(gm)
    expect(mo.locator("#feed")).to_contain_text("Voided by")
    before = places(other)
    void(other)
    expect(refusals(other)).to_contain_text("already voided")
    assert places(other) == before, "of the table nothing moves but the upper edge of the feed"
    line.let_through()
    expect(other.locator("#feed")).to_contain_text("Voided by")
    expect(refusals(other)).to_contain_text("already voided")
    dismissed(other)


def places(page: Page) -> list[object]:
    return [
        page.locator(part).bounding_box()
        for part in ("#sheet", "#panels", "#scales", "#composer", "#feed > :last-child")
    ]


def void(gm: Page) -> None:
    gm.locator("#feed .roll-more > summary").last.click()
    gm.locator("#feed .roll-more").last.get_by_role("button", name="Void").click()


def test_what_is_answered_after_its_card_has_gone_is_said_all_the_same(service: AtTable) -> None:
    gm, other = service("gm"), service("gm")
    for answer, words in (
        (Route.continue_, "no longer open"),
        (no_time, "answered with an error (500)"),
    ):
        ask_mo(gm)
        held = hold(other)
        with other.expect_request(DROP):
            other.get_by_role("button", name="Cancel request").click()
        gm.get_by_role("button", name="Cancel request").click()
        expect(other.locator("#requests > *")).to_have_count(0)
        answer(held[0])
        expect(refusals(other)).to_contain_text(words)
        dismissed(other)
        other.unroute(DROP)


def hold(page: Page) -> list[Route]:
    """Hold requests to drop a request from now on, and return them."""
    held: list[Route] = []
    page.route(DROP, lambda route: held.append(route))
    return held


def no_time(route: Route) -> None:
    route.fulfill(status=500, content_type="text/html", body="<!doctype html><title>Busy</title><h1>Busy</h1>")
