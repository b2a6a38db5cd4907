"""A GM's rolls are witnessed by the browser of a player, without anybody doing anything for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PROCESS_OF
from tests.browser.hands import last_card, say
from tests.browser.seats import Sit
from tests.browser.servers import Site


@pytest.fixture(scope="module")
def fair_servers(site: Site) -> Iterator[tuple[str, str]]:
    """Two server processes whose dice can be checked."""
    fairness = replace(site, settings="tests.browser.fair")
    with fairness.serve() as one, fairness.serve() as other:
        yield one, other


@pytest.fixture
def fair_table(sit: Sit, fair_servers: tuple[str, str], table: str) -> Callable[..., Page]:
    def sit_down(person: str, **options: Any) -> Page:
        page = sit(person, at=fair_servers[PROCESS_OF[person]], **options)
        page.goto(f"/c/{table}/")
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        return page

    return sit_down


def test_a_players_open_page_witnesses_what_the_gm_rolls_for_all_by_form_and_by_command(
    fair_table: Callable[..., Page],
) -> None:
    gm, mo = fair_table("gm"), fair_table("mo")
    roll_five(gm)
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("witnessed by Mo")
    say(gm, "/r 3 d7 # at the gate")
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("at the gate")
        expect(last_card(page)).to_contain_text("witnessed by Mo")
        expect(page.locator("#witness > *")).to_have_count(0)


def test_a_page_that_does_not_answer_is_waited_for_and_then_the_roll_is_not_witnessed(
    fair_table: Callable[..., Page],
) -> None:
    gm, mo = fair_table("gm"), fair_table("mo")
    mo.route("**/witness/", lambda route: route.abort())
    with gm.expect_response(lambda answer: answer.url.endswith("/rolls/")):
        roll_five(gm)
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("not witnessed")


def test_where_no_player_is_the_gm_waits_for_nobody(fair_table: Callable[..., Page]) -> None:
    gm = fair_table("gm")
    with gm.expect_response(lambda answer: answer.url.endswith("/witness/")) as asked:
        roll_five(gm)
    assert asked.value.status == 204
    expect(last_card(gm)).to_be_visible()
    expect(gm.locator("#feed")).not_to_contain_text("witnessed")


def test_players_ask_nobody(fair_table: Callable[..., Page]) -> None:
    _, mo = fair_table("gm"), fair_table("mo", fresh=True)
    asked = []
    mo.on("request", lambda request: asked.append(request.url) if "/witness/" in request.url else None)
    roll_five(mo)
    expect(last_card(mo)).to_be_visible()
    assert not asked


def roll_five(page: Page) -> None:
    page.locator("#roll [name=pool]").fill("5")
    page.locator("#roll [type=submit]").click()
