"""When a real browser has drawn a page of the demo: first and largest contentful paint, and what came over the wire for it."""

from __future__ import annotations

import os
import subprocess
from statistics import median
from typing import Any

from django.urls import reverse

from bench.live_world import shown
from bench.pages_world import World
from config.demo.people import PASSWORD
from tools.chromium import FLAGS, chromium

TRIES = 5

PAINTS = """() => new Promise(done => new PerformanceObserver(list => done({
  first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  largest: list.getEntries().at(-1).startTime,
  bytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter(one => !one.name.includes(".woff2")).reduce((sum, one) => sum + one.encodedBodySize, 0),
})).observe({type: "largest-contentful-paint", buffered: true}))"""


ROLLS = 5
PER_SECOND = """async rolls => {
  const form = document.querySelector("form#roll, #roll form"), base = new FormData(form);
  base.set("pool", "7");
  const headers = JSON.parse(document.body.getAttribute("hx-headers"));
  const seed = () => [...crypto.getRandomValues(new Uint8Array(16))].map(one => one.toString(16).padStart(2, "0")).join("");
  const sent = [];
  for (let roll = 0; roll < rolls; roll += 1) {
    const body = new FormData();
    for (const [name, value] of base) body.set(name, value);
    body.set("key", crypto.randomUUID());
    body.set("client_seed", seed());
    sent.push(fetch(form.getAttribute("hx-post"), {method: "POST", headers, body}));
    await new Promise(done => setTimeout(done, 1000 / rolls));
  }
  return (await Promise.all(sent)).filter(({ok}) => ok).length;
}"""
WATCH = """() => {
  window.long = [];
  new PerformanceObserver(list => window.long.push(...list.getEntries().map(one => one.duration))).observe({type: "longtask"});
}"""


def report(world: World) -> None:
    """Print the medians of several loads, each with an empty cache; bytes are those of all but the fonts, compressed."""
    # The rest of the bench also works without a browser.
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
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with shown(os.environ, **quiet) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        signed_in = _sign_in(browser, url)
        for name, path in pages.items():
            state = None if name == "sign-in" else signed_in
            loads = [_load(browser, url + path, state) for _ in range(TRIES + 1)][1:]
            first, largest, size = (median(load[what] for load in loads) for what in ("first", "largest", "bytes"))
            print(f"{name:12}{first:>7.0f} ms{largest:>7.0f} ms{size / 1000:>9.0f} kB", flush=True)
        print(f"cards       {_arrivals(browser, url + pages['table'], signed_in)}", flush=True)
        browser.close()


def _arrivals(browser: Any, url: str, state: Any) -> str:
    """Measure the longest task of a table while several cards arrive in a second; tasks under 50 ms do not count."""
    context = browser.new_context(storage_state=state, viewport={"width": 1280, "height": 800})
    rolls, sees = context.new_page(), context.new_page()
    for page in (rolls, sees):
        page.goto(url)
        page.wait_for_selector("#connection[data-state=live]", state="attached")
    cards = sees.locator("#feed .card").count()
    sees.evaluate(WATCH)
    done = rolls.evaluate(PER_SECOND, ROLLS)
    sees.wait_for_function("many => document.querySelectorAll('#feed .card').length >= many", arg=cards + done)
    sees.wait_for_function("() => !document.querySelector('.arrives')")
    long = sees.evaluate("window.long")
    context.close()
    return f"{done} in a second: {len(long)} long tasks, the longest {max(long, default=0):.0f} ms"


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
    paints: dict[str, float] = page.evaluate(PAINTS)
    context.close()
    return paints
