"""What becomes of a form that the server has no time for (config/middleware.py), or that meets nobody as it starts again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, Route, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import field, last_card, say
from tests.browser.seats import Sit
from tests.browser.servers import Server, Site
from tests.browser.test_sheet import expect_value, write
from tests.browser.world import character_of

WORDS = "The door at the back stands open."
TRYING = "No answer from the server. Trying again…"

KEY = re.compile(r'name="key"\s+([0-9a-f-]{36})')
COMPOSE = "**/compose/"
TRIES, LONGEST_PAUSE = 12, 12_000
"""The number of times that a refused request is repeated (static/js/patience.js), and the most milliseconds in between."""


def sent_from(page: Page) -> list[str]:
    """Return the keys of all messages sent from now on."""
    keys: list[str] = []
    # A line may have a picture, so its form is sent as multipart.
    page.on("request", lambda asked: keys.extend(KEY.findall(asked.post_data or "")))
    return keys


def answering(status: int, **headers: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(
        status=status, headers={"Content-Type": "text/html", **headers}, body=render_to_string("busy.html")
    )


@pytest.fixture
def server(site: Site) -> Iterator[Server]:
    """Yield a server process that a test may kill and start again."""
    one = Server(site)
    try:
        one.start()
        one.wait()
        yield one
    finally:
        one.stop()


def test_what_nobody_answers_is_said_kept_and_sent_again_by_itself_and_happens_once(service: AtTable) -> None:
    mo, iva = service("mo", fresh=True), service("iva")
    keys = sent_from(mo)
    mo.route(COMPOSE, answering(502), times=2)
    say(mo, WORDS)
    expect(mo.locator("#say-errors")).to_have_text(TRYING)
    expect(mo.get_by_label("Message")).to_have_value(WORDS)
    for page in (mo, iva):
        expect(page.locator("#feed").get_by_text(WORDS)).to_have_count(1)
    expect(mo.locator("#say-errors")).to_be_empty()
    expect(mo.get_by_label("Message")).to_have_value("")
    assert len(keys) == 3 and len({*keys}) == 1
    say(mo, "And behind it?")
    expect(iva.locator("#feed")).to_contain_text("And behind it?")
    assert len({*keys}) == 2, "the next one is an operation of its own"


def test_what_is_pressed_while_a_server_is_started_again_happens_when_it_is_back(
    service: AtTable, sit: Sit, server: Server, table: str
) -> None:
    iva = service("iva")
    mo = sit("mo", at=server.url, fresh=True)
    mo.goto(f"/c/{table}/")
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    field(mo, "pool").fill("3")
    expect(mo.locator("#roll-dice")).to_have_text("3 dice")
    dice.load(9, 9, 9)
    server.kill()
    mo.locator("#roll [type=submit]").click()
    say(mo, WORDS)
    for slot in ("#roll-errors", "#say-errors"):
        expect(mo.locator(slot)).to_have_text(TRYING)
    assert (field(mo, "pool").input_value(), mo.get_by_label("Message").input_value()) == ("3", WORDS)
    server.start()
    server.wait()
    for page in (mo, iva):
        expect(page.locator("#feed").get_by_text(WORDS)).to_have_count(1, timeout=2 * LONGEST_PAUSE)
        expect(page.locator("#feed .line .card")).to_have_count(1, timeout=2 * LONGEST_PAUSE)
    expect(last_card(iva).locator(".die")).to_have_count(3)
    for slot in ("#roll-errors", "#say-errors"):
        expect(mo.locator(slot)).to_be_empty()


def test_what_was_done_and_whose_answer_was_lost_is_not_done_again(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    mo.route(COMPOSE, lose, times=1)
    say(mo, WORDS)
    expect(mo.get_by_label("Message")).to_have_value("")
    expect(mo.locator("#say-errors")).to_be_empty()
    say(mo, "Then I go in.")
    for page in (mo, iva):
        expect(page.locator("#feed")).to_contain_text("Then I go in.")
        expect(page.locator("#feed").get_by_text(WORDS)).to_have_count(1)


def test_whoever_is_never_answered_is_told_so_and_can_send_what_is_still_there(service: AtTable) -> None:
    mo = service("mo", fresh=True)
    keys = sent_from(mo)
    mo.clock.install()
    mo.route(COMPOSE, answering(503, **{"Retry-After": "5"}))
    say(mo, WORDS)
    expect(mo.locator("#say-errors")).to_have_text(TRYING)
    while mo.locator("#say-errors").inner_text() == TRYING:
        mo.clock.run_for(LONGEST_PAUSE)
        assert len(keys) <= 1 + TRIES
    mo.clock.run_for(20 * LONGEST_PAUSE)
    assert len(keys) == 1 + TRIES
    expect(mo.locator("#say-errors")).to_contain_text("Nothing was changed, and what you wrote is still here")
    expect(mo.get_by_label("Message")).to_have_value(WORDS)
    mo.unroute(COMPOSE)
    mo.get_by_label("Message").press("Enter")
    expect(mo.locator("#feed").get_by_text(WORDS)).to_have_count(1)
    assert len({*keys}) == 1


def test_an_error_of_the_server_is_not_sent_again(service: AtTable) -> None:
    mo = service("mo", fresh=True)
    keys = sent_from(mo)
    mo.route(COMPOSE, answering(500), times=1)
    say(mo, WORDS)
    expect(mo.locator("#say-errors")).to_contain_text("answered with an error (500)")
    expect(mo.get_by_label("Message")).to_have_value(WORDS)
    assert len(keys) == 1


def test_a_form_whose_token_is_stale_gets_a_new_one_and_is_sent_again_by_itself(service: AtTable, table: str) -> None:
    mo = service("mo", fresh=True)
    mo.context.clear_cookies(name="csrftoken")
    say(mo, WORDS)
    expect(mo.locator("#feed").get_by_text(WORDS)).to_have_count(1)
    expect(mo.get_by_label("Message")).to_have_value("")
    expect(mo.locator("#say-errors")).to_be_empty()
    mo.goto(f"/c/{table}/characters/{character_of('mo', table)}/")
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    mo.context.clear_cookies(name="csrftoken")
    write(mo, "nature", "Caregiver")
    expect_value(mo, "nature", "Caregiver")
