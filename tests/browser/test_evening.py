"""How an evening reads in the feed: what stands there, and how much of it is the story."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.servers import Site

MEASURE = """() => {
  const found = { entries: 0, fiction: 0, bookkeeping: 0, tops: new Set() };
  const lines = [...document.querySelectorAll("#feed > *")];
  for (const line of lines.slice(lines.findIndex((one) => one.querySelector(".narrated")))) {
    const { height, top } = line.getBoundingClientRect();
    if (!height) continue;
    found.entries += 1;
    if (line.querySelector(":scope > :is(.narrated, .said, .scene-line, figure)")) found.fiction += height;
    else if (!line.querySelector(":scope > .noted")) found.bookkeeping += height;
    else if (!found.tops.has(top)) {
      found.tops.add(top); // small lines that are read on share theirs
      found.bookkeeping += height;
    }
  }
  return found;
}"""


def test_an_evening_of_sixty_acts_reads_as_a_story(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.evening", table)
    gm = service("gm", viewport={"width": 1440, "height": 900})
    expect(gm.locator("#feed")).to_contain_text("Next time: the ship.")
    fetch_all(gm)
    found = gm.evaluate(MEASURE)
    assert 55 < found["entries"] <= 90
    assert found["fiction"] >= found["bookkeeping"], found


def fetch_all(page: Page) -> None:
    """Press “Earlier” until the first line is there."""
    earlier = page.locator("#earlier").get_by_role("button")
    while earlier.count():
        before = page.locator("#feed > *").count()
        earlier.click()
        expect(page.locator("#feed > *")).not_to_have_count(before)
