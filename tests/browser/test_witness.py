"""A GM's rolls are witnessed by the browser of a player, without anybody doing anything for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PROCESS_OF
from tests.browser.hands import last_card, say
from tests.browser.seats import Sit
from tests.browser.servers import Site

WITNESS = "**/witness/"


@pytest.fixture(scope="module")
def fair_servers(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the addresses of two server processes whose dice can be checked."""
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


def test_a_players_open_page_witnesses_what_the_gm_rolls_for_all(fair_table: Callable[..., Page]) -> None:
    gm = fair_table("gm")
    # Without players the GM does not wait.
    with gm.expect_response(WITNESS) as asked:
        roll_five(gm)
    assert asked.value.status == 204
    expect(last_card(gm)).to_be_visible()
    expect(gm.locator("#feed")).not_to_contain_text("witnessed")

    mo = fair_table("mo")
    roll_five(gm)
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("verified by Mo")
    say(gm, "/r 3 d7 # at the gate")
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("at the gate")
        expect(last_card(page)).to_contain_text("verified by Mo")
        expect(page.locator("#witness > *")).to_have_count(0)

    # A page that does not answer is waited for, and then the roll has no witness. Players' rolls wait for none.
    asked_of: list[str] = []

    def refuse(route: Route) -> None:
        asked_of.append(route.request.url)
        route.abort()

    mo.route(WITNESS, refuse)
    with gm.expect_response("**/rolls/"):
        roll_five(gm)
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("not cross-checked")
    asked_of.clear()
    roll_five(mo)
    for page in (gm, mo):
        expect(page.locator("#feed .line .card")).to_have_count(5)
    assert not asked_of


def roll_five(page: Page) -> None:
    page.locator("#roll [name=pool]").fill("5")
    page.locator("#roll [type=submit]").click()
