"""Two hours of an overlay in a browser, told fast: what its page holds and how large its memory is before and after each.

    .venv/bin/python -m bench.overlay

A roll every five seconds is 720 in an hour; with each the Scale moves or a Burn falls, and with every third a clock is ticked.
They are made as fast as the server takes them, in a database of their own (SQLite), and the page is brought each of them. The
browser weighs its heap after it has collected its garbage. The first rolls come before that: what is compiled and kept once
counts on both sides.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.live_world import Site, shown, site
from tools.chromium import FLAGS, chromium

HOURS, ROLLS, WARM_UP = 2, 720, 60
SLUG = "ashes-over-harrow"

PLAY = """
from itertools import cycle
from uuid import uuid4
from django.conf import settings
from campaigns.models import Clock, Membership, Stream
from campaigns.services.clocks import tick_clock
from rolls.models import Audience
from rolls.services.rolls import make_roll
from scale.models import Burn
from scale.services.burns import narrate_burn
from rulesets.storyteller.terms import StorytellerInput

settings.RATE_LIMIT = 10**6  # here, where nobody is
members = Membership.objects.select_related("campaign", "user").filter(campaign__slug="{slug}")
gm, mo = (members.get(user__username=name) for name in ("gm", "mo"))
character = mo.campaign.characters.get(name="Silas Grey").pk
clocks = cycle(Clock.objects.filter(campaign=gm.campaign, visibility="visible", archived_at=None, after=None))
for number in range({rolls}):
    for burn in Burn.objects.filter(event__campaign=gm.campaign, state=Burn.State.OPEN):
        narrate_burn(gm, burn.pk, "The street goes dark.", key=uuid4())
    make_roll(mo, StorytellerInput(character=character, dice=5 + number % 5), audience=Audience.TABLE, key=uuid4())
    if number % 3 == 0:
        clock = next(clocks)
        clock.refresh_from_db()
        tick_clock(gm, clock, 1 if clock.filled < clock.segments else -clock.segments, key=uuid4())
print(Stream.objects.get(campaign=gm.campaign, name="table").seq)
"""
WATCH = """
from uuid import uuid4
from campaigns.models import Membership
from campaigns.services.campaigns import start_watching, watch_token

gm = Membership.objects.select_related("campaign", "user").get(campaign__slug="{slug}", user__username="gm")
key = uuid4()
start_watching(gm, key=key)
print(watch_token(key))
"""
TOLD = "head => JSON.parse(document.body.dataset.heads).table >= head"
HEARD = """() => {
  window.heard = 0;
  document.addEventListener("afterburn:recorded", () => { window.heard += 1; });
}"""


def main() -> None:
    from playwright.sync_api import sync_playwright

    program = chromium()
    with TemporaryDirectory() as folder:
        bench = site(f"sqlite:///{folder}/overlay.sqlite3")
        bench.run("manage.py", "demo", "-v0")
        token = _shell(bench, WATCH).split()[-1]
        with (
            Path(folder, "server.log").open("w") as log,
            shown(bench.environment, stdout=log, stderr=log) as url,
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            page = browser.new_page(viewport={"width": 1920, "height": 1080})
            page.goto(f"{url}/watch/{token}/overlay/?stay=5")
            page.wait_for_selector("#connection[data-state=live]", state="attached")
            page.evaluate(HEARD)
            _play(bench, page, WARM_UP)
            weighed, began = [_weigh(page)], time.monotonic()
            for _ in range(HOURS):
                _play(bench, page, ROLLS)
                weighed.append(_weigh(page))
            took, heard = time.monotonic() - began, page.evaluate("window.heard")
            print(f"{HOURS * ROLLS} rolls in {took:.0f} s; the page was told of {heard} events in all")
            print("".join(f"{words:>12}" for words in ("", "before", *(f"{hour + 1} h" for hour in range(HOURS)))))
            for name in weighed[0]:
                print(f"{name:>12}" + "".join(f"{figures[name]:>12}" for figures in weighed), flush=True)
            browser.close()


def _play(bench: Site, page: Any, rolls: int) -> None:
    """Play so many rolls, and wait until the page has got them and the last roll has disappeared."""
    head = int(_shell(bench, PLAY, rolls=rolls).split()[-1])
    page.wait_for_function(TOLD, arg=head, timeout=120_000)
    page.wait_for_function("() => !document.querySelector('#feed > *')")


def _weigh(page: Any) -> dict[str, int]:
    """Return the heap in kB, and the page's counts, after garbage collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    counted = session.send("Memory.getDOMCounters")
    heap = session.send("Runtime.getHeapUsage")["usedSize"] // 1000
    session.detach()
    elements = page.evaluate("document.querySelectorAll('*').length")
    return {"heap, kB": heap, "elements": elements, "nodes": counted["nodes"], "listeners": counted["jsEventListeners"]}


def _shell(bench: Site, words: str, **values: object) -> str:
    return bench.run("manage.py", "shell", "--no-imports", "-v0", "-c", words.format(slug=SLUG, **values))


if __name__ == "__main__":
    os.environ.pop("DEBUG", None)  # Playwright takes it for a wish to be told everything
    main()
