"""Every page is served the same by either process, and by another server than the one we serve with."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.seats import Sit, sign_in
from tests.browser.servers import Site


def test_a_session_begun_at_one_process_holds_at_the_other(sit: Sit, servers: tuple[str, str]) -> None:
    page = sit("", fresh=True)
    for server in servers:
        page.goto(server)
        page.get_by_role("link", name="Sign in").click()
        expect(page.locator("input[name=login]")).to_be_visible()
    sign_in(page, "mo")
    page.goto(f"{servers[1]}/c/ashes-over-harrow/")
    expect(page).to_have_title(re.compile("Ashes over Harrow · Afterburn$"))


@pytest.mark.parametrize("program", ["daphne", "runserver"])
def test_the_table_is_live_on_other_servers_too(sit: Sit, site: Site, program: str) -> None:
    with site.serve(program) as url:
        page = sit("mo", at=url, fresh=True)
        with page.expect_websocket() as opened:
            page.goto("/c/ashes-over-harrow/")
        opened.value.wait_for_event("framereceived")
        page.close()
