"""When a real browser has drawn a page of the demo: first and largest contentful paint, and what came over the wire for it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from django.urls import reverse

from bench.live_world import HOST, free_port, wait_for
from bench.pages_world import World
from config.demo.people import PASSWORD
from tools.chromium import FLAGS, chromium
from tools.serving import UVICORN_FLAGS

TRIES = 5

PAINTS = """() => new Promise(done => new PerformanceObserver(list => done({
  first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  largest: list.getEntries().at(-1).startTime,
  bytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter(one => !one.name.includes(".woff2")).reduce((sum, one) => sum + one.encodedBodySize, 0),
})).observe({type: "largest-contentful-paint", buffered: true}))"""


def report(world: World) -> None:
    """Print the medians of several loads, each with an empty cache; bytes are those of all but the fonts, compressed."""
    # Whoever has no browser can do the rest of the bench.
    from playwright.sync_api import sync_playwright

    slug = world.campaign.slug
    silas = world.campaign.characters.get(name="Silas Grey").pk
    pages = {
        "sign-in": "/accounts/login/",
        "table": reverse("table", args=[slug]),
        "sheet": reverse("character", args=[slug, silas]),
        "log": reverse("log", args=[slug]),
    }
    print(f"{'':12}{'first':>10}{'largest':>10}{'bytes':>12}")
    program = chromium()
    with _served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        signed_in = _sign_in(browser, url)
        for name, path in pages.items():
            state = None if name == "sign-in" else signed_in
            loads = [_load(browser, url + path, state) for _ in range(TRIES + 1)][1:]
            first, largest, size = (median(load[what] for load in loads) for what in ("first", "largest", "bytes"))
            print(f"{name:12}{first:>7.0f} ms{largest:>7.0f} ms{size / 1000:>9.0f} kB", flush=True)
        browser.close()


def _sign_in(browser: Any, url: str) -> Any:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{url}/accounts/login/")
    page.locator("input[name=login]").fill("mo")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(lambda now: "/accounts/login/" not in now)
    state = context.storage_state()
    context.close()
    return state


def _load(browser: Any, url: str, state: Any) -> dict[str, float]:
    context = browser.new_context(storage_state=state, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(url, wait_until="load")
    found: dict[str, float] = page.evaluate(PAINTS)
    context.close()
    return found


@contextmanager
def _served() -> Iterator[str]:
    """The site over the database of this process, as hosts serve it."""
    port = free_port()
    url = f"http://{HOST}:{port}"
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port), *UVICORN_FLAGS]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(command, env=os.environ | {"SITE_URL": url}, **quiet)  # our own words
    try:
        wait_for(port)
        yield url
    finally:
        server.terminate()
        server.wait()
