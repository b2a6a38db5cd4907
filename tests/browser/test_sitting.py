"""A browser that another test has left is given to the next: it is signed in, has what it fetched, and holds nothing else."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser

from tests.browser.conftest import Left, sitting

TABLE = "/c/ashes-over-harrow/"
LEAVE_BEHIND = "() => { localStorage.setItem('left', 'behind'); sessionStorage.setItem('left', 'behind'); }"


def test_who_sits_down_finds_nothing_that_another_test_has_left(
    browser: Browser, servers: tuple[str, str], signed_in: dict[str, Any]
) -> None:
    left: Left = defaultdict(list)
    for turn in range(2):
        with sitting(browser, servers, signed_in, left) as sit:
            page = sit("mo")
            page.goto(TABLE)
            assert "login" not in page.url
            there = page.evaluate("() => ({ ...localStorage, ...sessionStorage })")
            assert "left" not in there and "left" not in {one["name"] for one in page.context.cookies()}
            page.evaluate(LEAVE_BEHIND)
            page.context.add_cookies([{"name": "left", "value": "behind", "url": page.url}])
            page.context.new_page().goto(TABLE)
            page.context.set_offline(True)
        (browsers,) = filter(None, left.values())
        assert [len(one.pages) for one in browsers] == [0], turn
    browsers[0].close()
