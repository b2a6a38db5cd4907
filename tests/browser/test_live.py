"""How an open page keeps to its socket: when the server lets it wait, and when it is gone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.seats import Sit

TABLE = "/c/ashes-over-harrow/"


def opened(page: Page) -> list[WebSocketRoute]:
    """Return the sockets that the page opens, on a server that admits it and then says nothing."""
    sockets: list[WebSocketRoute] = []
    page.route_web_socket("**/live/", lambda socket: sockets.append(socket))
    page.clock.install()
    page.goto(TABLE)
    expect(page.locator("#connection")).to_have_attribute("data-state", "connecting")
    return sockets


def test_a_page_that_was_away_for_long_gives_a_busy_server_the_time_to_come_to_it(sit: Sit) -> None:
    """Once it had been silent for 20 seconds it hung up on each new socket a second later, and lost its place among others."""
    page = sit("mo", fresh=True)
    sockets = opened(page)
    page.clock.run_for(22_000)
    expect(page.locator("#connection")).to_have_attribute("data-state", "behind")
    page.clock.run_for(1_000)
    tried = len(sockets)
    assert tried == 2
    page.clock.run_for(15_000)
    assert len(sockets) == tried
    sockets[-1].send('{"t": "beat", "heads": {}}')
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")


@pytest.mark.parametrize(("chance", "least", "most"), [(0, 100, 150), (0.999, 350, 400)])
def test_pages_do_not_all_come_back_in_the_same_moment(sit: Sit, chance: float, least: int, most: int) -> None:
    page = sit("mo", fresh=True)
    sockets = opened(page)
    page.evaluate(f"Math.random = () => {chance}")
    # From here on time passes only on command: on a busy machine these milliseconds would be over too soon.
    page.clock.pause_at(datetime.fromtimestamp(page.evaluate("Date.now()") / 1000 + 1, UTC))
    sockets[-1].close(code=1012)
    expect(page.locator("#connection")).to_have_attribute("data-state", "reconnecting")
    page.clock.run_for(least)
    assert len(sockets) == 1
    page.clock.run_for(most - least)
    assert len(sockets) == 2
