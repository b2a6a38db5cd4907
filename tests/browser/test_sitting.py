"""A browser that another test has left is given to the next: it is signed in, has what it fetched, and holds nothing else."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.seats import LOOK, Seats

TABLE = "/c/ashes-over-harrow/"
LEAVE_BEHIND = "() => { localStorage.setItem('left', 'behind'); sessionStorage.setItem('left', 'behind'); }"


def test_who_sits_down_finds_nothing_that_another_test_has_left(browser: Browser, servers: tuple[str, str]) -> None:
    seats = Seats(browser)
    pages = set()
    for _ in range(2):
        with seats.of_one_test(servers[0]) as sit:
            page = sit("mo")
            pages.add(page)
            page.goto(TABLE)
            assert "login" not in page.url
            kept = page.evaluate("() => ({ ...localStorage, ...sessionStorage })")
            assert "left" not in kept and "left" not in {cookie["name"] for cookie in page.context.cookies()}
            assert page.viewport_size == LOOK["viewport"] and page.evaluate("matchMedia('screen').matches")
            page.evaluate(LEAVE_BEHIND)
            page.context.add_cookies([{"name": "left", "value": "behind", "url": page.url}])
            page.set_viewport_size({"width": 360, "height": 740})
            page.emulate_media(media="print")
            page.route("**/*", lambda route: route.abort())
            page.context.new_page()
            page.context.set_offline(True)
    assert len(pages) == 1
    assert len(page.context.pages) == 1
    page.context.close()
