"""The first minutes, a roll, a staged action, a Major Burn and a field of a sheet in Chromium, Firefox and WebKit.

Everything is pressed by its coordinates, and only if nothing lies over it. Who else is at the table sits at a Chromium. What the
windows showed is left in test-results/engines.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests import dice
from tests.browser.conftest import PROCESS_OF, AtTable
from tests.browser.engines import Chromium, Engine, Firefox, Missing, WebKit, until
from tests.browser.hands import TO_TROUBLE, last_card, press
from tests.browser.seats import DEMO_PASSWORD
from tests.browser.servers import Site
from tests.browser.world import character_of

PICTURES = Path(__file__).parents[2] / "test-results" / "engines"
WIDTHS = (390, 1024, 1280, 1440)
FROM_TROUBLE_TO_MAJOR = (1, 1, 1, 1, 1, 1, 4)

# The middle of the first visible element of a selector with these words in it, unless something else lies there; null, too, where
# that has to be scrolled to, since what is scrolled may not stand yet, and before the page has been painted.
PLACE = """((selector, words) => {
  if (document.readyState !== "complete" || !performance.getEntriesByType("paint").length) return null;
  const fits = (one) => one.checkVisibility() && (one.innerText + one.value).includes(words);
  const found = [...document.querySelectorAll(selector)].find(fits);
  if (!found) return null;
  const { x, y, width, height } = found.getBoundingClientRect();
  const [middle, centre] = [x + width / 2, y + height / 2];
  const there = document.elementFromPoint(middle, centre);
  if (found.contains(there) || there?.closest("label")?.contains(found)) return [middle, centre];
  found.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  return null;
})"""

# What is clicked from now on is noted.
HEAR = """((selector) => {
  window.isHit = false;
  const hits = ({ target }) => target.closest(selector) ?? target.closest("label")?.querySelector(selector);
  document.addEventListener("click", (event) => { window.isHit ||= Boolean(hits(event)); }, { capture: true });
  return true;
})"""

SHOWS = """((selector, words) => [...document.querySelectorAll(selector)]
  .some((one) => one.checkVisibility() && one.innerText.includes(words)))"""

MOVES = "document.getAnimations().filter((one) => one.playState === 'running').length"

WIDER = """[...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth)
  .map((one) => `${one.tagName}#${one.id}.${one.className}`).join(" ")"""


class Hand:
    """One person in front of one engine, who presses what can be seen."""

    def __init__(self, engine: Engine, site: str) -> None:
        self.engine, self._site = engine, site

    def go(self, path: str) -> None:
        self.engine.open(f"{self._site}{path}")

    def sign_in(self, person: str) -> None:
        self.go("/accounts/login/")
        self.write("input[name=login]", person)
        self.write("input[name=password]", DEMO_PASSWORD)
        self.press("form:has([name=password]) [type=submit]")
        self.waits(lambda: self.engine.evaluate("!location.pathname.includes('/login/')"), "being signed in")

    def take_seat(self, path: str) -> None:
        self.go(path)
        self.waits(
            lambda: self.engine.evaluate("document.getElementById('connection')?.dataset.state") == "live", "news"
        )

    def press(self, selector: str, words: str = "") -> None:
        """Press the middle of what these say; again, as anybody would, if it has moved away from under the pointer meanwhile."""

        def is_pressed() -> bool:
            place = self._asked(PLACE, selector, words)
            if not place:
                return False
            self._asked(HEAR, selector, words)
            self.engine.press(*place)
            # What leads to another page takes this along.
            return self.engine.evaluate("window.isHit") is not False

        self.waits(is_pressed, f"{selector} with “{words}” to press")

    def write(self, selector: str, words: str) -> None:
        """Write into a field in place of what stands there."""

        def is_written() -> bool:
            self.press(selector)
            field = f"document.activeElement?.closest({json.dumps(selector)})"
            if not self.engine.evaluate(f"Boolean({field})"):
                return False
            # In a page that is being left it may be an element and no field any more.
            self.engine.evaluate(f"{field}?.select?.()")
            self.engine.type(words)
            return bool(self.engine.evaluate(f"{field}?.value") == words)

        self.waits(is_written, f"{selector} with “{words}” in it")

    def sees(self, selector: str, words: str = "") -> None:
        self.waits(lambda: self._asked(SHOWS, selector, words), f"“{words}” in {selector}")

    def misses(self, selector: str) -> None:
        self.waits(lambda: not self._asked(SHOWS, selector, ""), f"no {selector}")

    def _asked(self, function: str, selector: str, words: str) -> Any:
        return self.engine.evaluate(f"{function}({json.dumps(selector)}, {json.dumps(words)})")

    def waits(self, found: Callable[[], Any], what: str) -> Any:
        """Wait as `until` does; where that is in vain, a picture shows what there was instead."""
        try:
            return until(found, what)
        except AssertionError:
            self._save("in-vain")
            raise

    def _save(self, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        (PICTURES / f"{name}-{type(self.engine).__name__.lower()}.png").write_bytes(self.engine.picture())

    def rests(self) -> None:
        self.waits(lambda: self.engine.evaluate(MOVES) == 0, "rest")

    def takes_pictures(self, name: str) -> None:
        """Take a picture at each of four widths, at which nothing may be wider than the window."""
        for width in WIDTHS:
            self.engine.resize(width, 800)
            widest = max(width, self.engine.NARROWEST)
            self.waits(lambda widest=widest: self.engine.evaluate("innerWidth") <= widest, f"a width of {width}")
            self.rests()
            beyond = self.engine.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert beyond <= 0, f"{beyond} px wider than {width}: {self.engine.evaluate(WIDER)}"
            self._save(f"{name}-{width}")


@pytest.fixture(params=[Chromium, Firefox, WebKit], ids=lambda engine: engine.__name__)
def hand(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path, servers: tuple[str, str]) -> Iterator[Hand]:
    """Yield a stranger in front of an empty window of each engine; without the engine the test is skipped, and says so."""
    with ExitStack() as stack:
        try:
            engine = stack.enter_context(request.param.opened(browser, tmp_path))
        except Missing as missing:
            pytest.skip(f"Not installed: {missing}")
        engine.resize(1440, 800)
        yield Hand(engine, servers[PROCESS_OF["mo"]])


@pytest.fixture
def mo(hand: Hand) -> Hand:
    hand.sign_in("mo")
    return hand


def roll_from_sheet(mo: Hand, table: Callable[[], int], faces: tuple[int, ...]) -> None:
    dice.load(*faces)
    before = table()
    for trait in ("perception", "alertness"):
        pressed = f"!document.querySelector('[data-trait={trait}][aria-pressed=false]')"
        if not mo.engine.evaluate(pressed):
            mo.press(f"[data-trait={trait}][aria-pressed=false]")
        mo.waits(lambda pressed=pressed: mo.engine.evaluate(pressed), f"{trait} pressed")
    mo.press("#roll [type=submit]")
    mo.waits(lambda: table() > before, "the card of a roll")
    mo.waits(lambda: not mo.engine.evaluate("document.querySelector('#roll.htmx-request')"), "the answer to a roll")


def cards(mo: Hand) -> Callable[[], int]:
    return lambda: int(mo.engine.evaluate("document.querySelectorAll('#feed .line .card.roll').length"))


def test_a_stranger_makes_an_account_and_a_campaign_and_rolls(hand: Hand) -> None:
    hand.go("/")
    hand.press("a", "Create account")
    hand.write("[name=username]", f"new-{secrets.token_hex(4)}")
    hand.write("[name=password1]", "lanterns-and-soot-7")
    hand.press("main form [type=submit]")
    hand.press("a", "New campaign")
    hand.write("main [name=name]", "Embers")
    hand.press("button", "Create campaign")
    hand.press("button", "Start the first session")
    hand.write("#roll [name=pool]", "3")
    hand.press("#roll [type=submit]")
    hand.sees("#feed .line .card.roll")


def test_traits_pressed_on_a_sheet_are_rolled_and_stand_in_the_log(mo: Hand, service: AtTable, table: str) -> None:
    gm = service("gm")
    mo.take_seat(f"/c/{table}/")
    roll_from_sheet(mo, cards(mo), (9, 8, 7, 4, 5))
    mo.sees("#feed .card.roll", "Perception + Alertness")
    expect(last_card(gm)).to_contain_text("Perception + Alertness")
    mo.takes_pictures("table")
    mo.go(f"/c/{table}/log/")
    mo.sees("main", "Perception + Alertness")
    mo.takes_pictures("log")


def test_a_staged_action_is_announced_set_rolled_and_ends_with_its_consequence(
    mo: Hand, service: AtTable, site: Site, table: str
) -> None:
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    gm = service("gm")
    mo.take_seat(f"/c/{table}/")
    mo.press(".systems summary")
    mo.press(".systems button", "Forged")
    mo.press("[data-trait=prowl]")
    mo.press("#roll button", "Announce")
    press(gm, "Let Cross roll")
    mo.sees("#procedures", "risky, standard effect")
    mo.takes_pictures("action")
    dice.load(4, 4)
    mo.press("#procedures button", "Roll 1 die")
    expect(gm.locator("#feed")).to_contain_text("Partial success")
    gm.get_by_role("group", name="Add a consequence").get_by_role("button", name="Complication (2 ticks)").click()
    form = gm.locator("#desk form")
    form.locator("[name=words]").fill("A dog barks")
    form.locator("[type=submit]").first.click()
    mo.press("#procedures button", "Take it")
    mo.misses("#procedures .procedure")


def test_a_major_burn_is_on_the_screen_comes_to_rest_and_is_left_with_a_press(
    mo: Hand, service: AtTable, table: str
) -> None:
    gm = service("gm")
    mo.take_seat(f"/c/{table}/")
    roll_from_sheet(mo, cards(mo), TO_TROUBLE)
    roll_from_sheet(mo, cards(mo), FROM_TROUBLE_TO_MAJOR)
    mo.sees("#major-burn h2", "Major Trouble")
    mo.sees("#major-burn button", "I’ve seen it")
    mo.rests()
    mo.takes_pictures("major-burn")
    mo.press("#major-burn button", "I’ve seen it")
    gm.locator("#major-burn").get_by_role("button", name="Narrate", exact=True).click()
    gm.get_by_label("What happens").fill("The balcony gives way.")
    gm.get_by_role("button", name="Tell the table").click()
    mo.sees("#major-burn", "The balcony gives way.")
    mo.press("#major-burn button", "Continue")
    mo.misses("#major-burn")
    mo.sees("#feed", "The balcony gives way.")


def test_a_field_of_a_sheet_is_saved_as_it_is_typed_and_seen_by_others(mo: Hand, service: AtTable, table: str) -> None:
    path = f"/c/{table}/characters/{character_of('mo', table)}/"
    gm = service("gm")
    gm.goto(path)
    mo.take_seat(path)
    mo.write('.entry[data-field="nature"] [data-input]', "Caregiver")
    mo.press('.entry[data-field="strength"] .steps [data-step="4"]')
    expect(gm.locator('.entry[data-field="nature"] [data-input]')).to_have_value("Caregiver")
    expect(gm.locator('.entry[data-field="strength"] .cell')).to_have_attribute("data-value", "4")
    mo.takes_pictures("sheet")


def test_between_two_sessions_a_date_is_answered_and_a_page_written_and_found(
    mo: Hand, service: AtTable, table: str
) -> None:
    gm, dates = service("gm"), f"/c/{table}/sessions/next/"
    gm.goto(dates)
    gm.locator("input[name=at]").first.fill(f"{datetime.now(UTC) + timedelta(days=5):%Y-%m-%d}T19:30")
    gm.get_by_role("button", name="Propose", exact=True).click()
    expect(gm.locator(".dates")).to_be_visible()
    asked = f'.home-asked:has([href="{dates}"])'
    mo.go("/")
    mo.press(f"{asked} [value=yes]")
    mo.misses(asked)
    expect(gm.locator(".date-answer.is-yes")).to_have_count(1)
    mo.takes_pictures("home")
    mo.take_seat(dates)
    mo.takes_pictures("dates")
    mo.go(f"/c/{table}/world/")
    mo.write("#page-line [name=name]", "The Gull, place")
    mo.press("#page-line button")
    mo.write("[name=note]", "It is an inn.")
    mo.press("main form button", "Save page")
    mo.sees("#world-page", "It is an inn.")
    mo.takes_pictures("page")
    mo.press(".top a[href$='/search/']")
    mo.write("#search-words", "gull")
    mo.sees("#search-hits .hit", "The Gull")
    mo.takes_pictures("search")
    for name, path in (("notices", "/notices/"), ("shelf", f"/c/{table}/handouts/")):
        mo.go(path)
        mo.sees("h1")
        mo.takes_pictures(name)
