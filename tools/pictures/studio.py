"""What pictures are taken with: a browser for each person of the demo, dice that fall as they should, and frames put together."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tools.environment import ROOT, Trouble

DOCS = ROOT / "docs/pictures"
LARGEST = 120_000  # bytes
GAP = 24  # pixels

AT_A_PLACE, IN_ALL = 48, 0.5
"""How much two pictures that look the same may differ in a pixel and on average, of 255."""

HARROW, SALT = "/c/ashes-over-harrow/", "/c/the-salt-signal/"
PEOPLE = ("gm", "mo", "iva", "tess")

EVENING = datetime(2026, 11, 28, 21, 0, tzinfo=UTC)
"""When every picture is taken."""

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("dark", "light")
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

HOLD = """() => document.addEventListener("afterburn:arrived", () =>
  requestAnimationFrame(() => document.getAnimations().forEach((motion) => motion.pause())))"""


class Studio:
    """Browsers of the demo’s people at one site, each signed in once. They stay open: whoever has come to a table is there until
    `leave`."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        self._signed_in: dict[str, Any] = {"": None}
        self._open: list[BrowserContext] = []

    def sit(self, person: str, path: str, *, held_clock: bool = False, **look: Any) -> Page:
        """Open a page as that person ("": as a stranger), by default on a desktop in the dark theme where nothing moves.

        The browser's clock tells the time of the site. With `held_clock` its timers wait, too, until `page.clock.run_for`.
        """
        usual = DESKTOP | {"color_scheme": "dark", "reduced_motion": "reduce", "base_url": self.url}
        if person not in self._signed_in:
            self._signed_in[person] = self._cookies(person)
        context = self.browser.new_context(storage_state=self._signed_in[person], **usual | look)
        self._open.append(context)
        page = context.new_page()
        if held_clock:
            page.clock.install(time=EVENING)
        else:
            page.clock.set_fixed_time(EVENING)
        page.goto(path)
        is_ready(page)
        if held_clock:
            # Soon, but no further ahead: a page that has slept for long would catch up instead of seeing what happens.
            page.clock.pause_at(datetime.fromtimestamp(page.evaluate("Date.now()") / 1000 + 1, UTC))
        return page

    def sit_with_everyone(self, person: str, table: str, **look: Any) -> Page:
        """Open a table at which all others are, too."""
        others = [other for other in PEOPLE if other != person]
        for other in others:
            self.sit(other, table)
        page = self.sit(person, table, **look)
        expect(page.locator("#presence [data-person]")).to_have_count(1 + len(others))
        return page

    def leave(self) -> None:
        """Close what is open: at no table is anyone any more."""
        while self._open:
            self._open.pop().close()

    def _cookies(self, person: str) -> Any:
        context = self.browser.new_context(base_url=self.url)
        page = context.new_page()
        page.goto("/accounts/login/")
        page.locator(f"form.people [value={person}]").click()
        expect(page).not_to_have_url(re.compile("/accounts/login/"))
        cookies = context.storage_state()
        context.close()
        return cookies


DECODE = """() => Promise.all([...document.images]
  .filter((image) => image.loading !== "lazy" || image.complete).map((image) => image.decode().catch(() => null)))"""
"""Those that are loaded only when they are looked at would be waited for in vain."""


def is_ready(page: Page) -> None:
    """Wait until a page is drawn in its own type, and follows its table where it does that."""
    if page.locator("#connection").count():
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    page.evaluate("document.fonts.ready")
    page.evaluate(DECODE)


def load_dice(*faces: int) -> None:
    """Have these faces fall next, whoever rolls (tests/dice.py)."""
    Path(os.environ["TEST_DICE"]).write_text("".join(f"{face}\n" for face in faces))


def roll(page: Page, traits: Sequence[str], faces: Sequence[int]) -> None:
    """Roll these traits of the character at hand."""
    load_dice(*faces)
    pick(page, *traits)
    page.locator("#roll [type=submit]").click()


def pick(page: Page, *traits: str) -> None:
    """Press traits of the character at hand, and wait for the odds of all."""
    with page.expect_response(lambda answer: "/odds/" in answer.url and traits[-1] in answer.url.lower()):
        for trait in traits:
            page.locator(f"[data-trait={trait}]").click()
    expect(page.locator("#odds:not([aria-busy=true], .htmx-request)")).to_contain_text("%")


def shot(page: Page | Locator, **options: Any) -> Image.Image:
    """Return what is seen of a page, without a mouse on it, or of a part of it."""
    if isinstance(page, Page):
        page.mouse.move(0, 0)
    return Image.open(io.BytesIO(page.screenshot(**options))).convert("RGBA" if "omit_background" in options else "RGB")


def beside(pictures: Sequence[Image.Image], columns: int = 0, gap: int = GAP) -> Image.Image:
    """Put pictures of the same size in rows, by default in one, with nothing between them."""
    columns = columns or len(pictures)
    width, height = pictures[0].size
    rows = -(-len(pictures) // columns)
    joined = Image.new("RGBA", (columns * (width + gap) - gap, rows * (height + gap) - gap))
    for number, picture in enumerate(pictures):
        joined.paste(picture, (number % columns * (width + gap), number // columns * (height + gap)))
    return joined


def smaller(picture: Image.Image, width: int) -> Image.Image:
    """Return a picture of at most this width, in pixels."""
    if picture.width <= width:
        return picture
    return picture.resize((width, picture.height * width // picture.width), Image.Resampling.LANCZOS)


def save(picture: Image.Image, name: str) -> None:
    """Keep a picture of the documentation. Raises Trouble where it is too large for it."""
    path = DOCS / f"{name}.webp"
    keep(picture, path)
    if path.stat().st_size > LARGEST:
        raise Trouble(f"{path.relative_to(ROOT)} has {path.stat().st_size:,} bytes, more than {LARGEST:,}.")
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB", flush=True)


def keep(picture: Image.Image, path: Path) -> None:
    """Write a picture to `path`, unless what is there looks the same: a browser draws a few edges otherwise each time."""
    encoded = io.BytesIO()
    picture.save(encoded, "webp", quality=80, method=6)
    if not (path.exists() and _look_same(Image.open(path), Image.open(encoded))):
        path.write_bytes(encoded.getvalue())


def _look_same(picture: Image.Image, other: Image.Image) -> bool:
    if picture.size != other.size:
        return False
    difference = ImageStat.Stat(ImageChops.difference(picture.convert("RGBA"), other.convert("RGBA")))
    return max(high for _, high in difference.extrema) < AT_A_PLACE and max(difference.mean) < IN_ALL


def hold(page: Page) -> None:
    """Hold what a roll sets in motion on the page, so that `at` can show it at any moment."""
    page.evaluate(HOLD)


def at(page: Page, moment: int) -> None:
    """Show what is held as it is so many milliseconds after it began."""
    page.evaluate("(moment) => document.getAnimations().forEach((motion) => { motion.currentTime = moment; })", moment)
