"""Browsers that go from test to test, since to open a page in a new one takes longer than most tests take in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Cookie, Error, Page, expect

DEMO_PASSWORD = "afterburn-demo"

EMPTY = "/healthz"
"""A page of the site without scripts, which a browser shows that no test has."""

FORGET = """async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const name of await caches.keys()) if (name.startsWith("pages")) await caches.delete(name);
}"""

LOOK = {
    "viewport": {"width": 1280, "height": 720},
    "color_scheme": "light",
    # Nothing is waited for that only moves; what moves is in test_motion.py.
    "reduced_motion": "reduce",
    "forced_colors": "none",
}
"""The display of a page unless a test changes it. A running browser can be set to all of this."""

Sit = Callable[..., Page]


class Seat:
    """A browser with one page. `complaints` is what threw in the page's scripts, broke its Content Security Policy, or was
    asked and not waited for."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._listen)

    def take(self, cookies: list[Cookie], look: dict[str, Any]) -> None:
        """Sign in with these cookies, and look like that."""
        self.complaints.clear()
        self.context.add_cookies(cookies)
        self.page.set_viewport_size(look.pop("viewport"))
        self.page.emulate_media(media="null", **look)

    def leave(self) -> None:
        """Forget all but what was fetched of scripts, styles and fonts. Raises playwright's Error where the page is gone."""
        for page in self.context.pages:
            if page != self.page:
                page.close()
        self.context.set_offline(False)
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.mouse.move(0, 0)
        self.page.goto(EMPTY)
        self.page.evaluate(FORGET)
        self.context.clear_cookies()

    def _listen(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "htmx:sendAbort" in message.text:
            self.complaints.append(message.text)


class Seats:
    """All the browsers of a run; those that no test has by whose they are, and by what cannot be changed of them."""

    def __init__(self, browser: Browser) -> None:
        self.free: dict[str, list[Seat]] = defaultdict(list)
        self._browser = browser
        self._signed_in: dict[str, list[Cookie]] = {"": []}

    @contextmanager
    def of_one_test(self, usual_server: str) -> Iterator[Sit]:
        """Lend browsers to a test, as `sit` in conftest.py says, and take them back in the end."""
        taken: list[tuple[str, Seat]] = []

        def sit(person: str, *, at: str = usual_server, fresh: bool = False, **options: Any) -> Page:
            look = {name: options.pop(name, usual) for name, usual in LOOK.items()}
            kind = "" if fresh else f"{person} at {at}: {sorted(options.items())}"
            seat = self.free[kind].pop() if kind and self.free[kind] else Seat(self._browser, base_url=at, **options)
            taken.append((kind, seat))
            seat.take(self._signed_in.get(person, []), look)
            if person not in self._signed_in:
                sign_in(seat.page, person)
                self._signed_in[person] = seat.context.cookies()
            return seat.page

        yield sit
        complaints = [complaint for _, seat in taken for complaint in seat.complaints]
        for kind, seat in taken:
            self._take_back(kind, seat)
        assert not complaints, complaints

    def _take_back(self, kind: str, seat: Seat) -> None:
        """Take a browser back. Fresh ones are closed, as are those whose page is closed or hangs."""
        try:
            if kind:
                seat.leave()
        except Error:
            kind = ""
        if not kind or seat.complaints:
            seat.context.close()
        else:
            self.free[kind].append(seat)


def sign_in(page: Page, person: str) -> None:
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(person)
    page.locator("input[name=password]").fill(DEMO_PASSWORD)
    page.locator("input[name=password]").press("Enter")
    expect(page).not_to_have_url(re.compile("/accounts/login/"))
