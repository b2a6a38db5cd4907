"""What was refused on cards that the socket draws: said to whoever pressed until it is dismissed, whatever is drawn."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import last_card, roll_from_sheet
from tests.browser.test_pressed_twice import Held
from tests.browser.test_requests import ask_mo
from tests.browser.test_table import TO_GRACE

DROP = "**/requests/*/close/"


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
