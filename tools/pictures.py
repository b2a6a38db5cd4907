"""The pictures that the site itself shows: `.venv/bin/python -m tools.pictures http://127.0.0.1:8000`, while `dev.py run` serves
it there with a demo that was just made.

The first page's are of the demo's table as Mo sees it, light and dark; the icons are drawn of static/icons/afterburn.svg. Those
of the documentation (docs/pictures) are taken by hand.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tools import chromium
from tools.environment import ROOT

STATIC = ROOT / "static"
TABLE = "/c/ashes-over-harrow/"
WIDTH, HEIGHT = 1280, 800
PREVIEW = (1200, 630)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ICONS = (180, 192, 512)


def main(site: str) -> None:
    (STATIC / "pictures").mkdir(exist_ok=True)
    program = chromium.chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium.FLAGS)
        for theme in THEMES:
            picture = _table(browser, site, theme)
            picture.save(STATIC / f"pictures/front-{theme}.webp", quality=80, method=6)
        size = (WIDTH, round(WIDTH * PREVIEW[1] / PREVIEW[0]))
        picture.crop((0, 0, *size)).resize(PREVIEW, Image.Resampling.LANCZOS).save(
            STATIC / "pictures/preview.jpg", quality=78, optimize=True
        )
        for side in ICONS:
            _icon(browser, side)
        browser.close()


def _table(browser: Browser, site: str, theme: Literal["light", "dark"]) -> Image.Image:
    context = browser.new_context(
        base_url=site, color_scheme=theme, viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Mo").click()
    page.goto(TABLE)
    page.locator("#connection[data-state=live]").wait_for(state="attached")
    page.evaluate("document.fonts.ready")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return picture


def _icon(browser: Browser, side: int) -> None:
    """Draw the icon on a square ground: devices round the corners themselves."""
    drawing = (STATIC / "icons/afterburn.svg").read_text().replace('rx="8" ', "")
    page = browser.new_page(viewport={"width": side, "height": side})
    page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:100vw}}</style>{drawing}")
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(64).save(_path(side), optimize=True)
    page.close()


def _path(side: int) -> Path:
    return STATIC / f"icons/afterburn-{side}.png"


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
