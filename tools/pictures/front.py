"""The site's own pictures: the table on its first page, the preview that other sites show of a link, and the icons of devices."""

from __future__ import annotations

from PIL import Image

from tools.environment import ROOT
from tools.pictures.studio import HARROW, THEMES, Studio, keep, shot

STATIC = ROOT / "static"
WIDTH, HEIGHT = 1280, 800
PREVIEW = (1200, 630)
ICONS = (180, 192, 512)


def take(studio: Studio) -> None:
    for side in ICONS:
        _icon(studio, side)
    for theme in THEMES:
        size = {"width": WIDTH, "height": HEIGHT}
        picture = shot(studio.sit_with_everyone("mo", HARROW, color_scheme=theme, viewport=size))
        keep(picture, STATIC / f"pictures/front-{theme}.webp")
        studio.leave()
        if theme == "dark":
            _preview(picture).save(STATIC / "pictures/preview.jpg", quality=78, optimize=True)


def _preview(picture: Image.Image) -> Image.Image:
    """Return the upper part of a picture of the table, of the size that other sites show."""
    size = (WIDTH, round(WIDTH * PREVIEW[1] / PREVIEW[0]))
    return picture.crop((0, 0, *size)).resize(PREVIEW, Image.Resampling.LANCZOS)


def _icon(studio: Studio, side: int) -> None:
    """Draw an icon on a ground without corners: devices cut their own."""
    drawing = (STATIC / "icons/afterburn.svg").read_text().replace('rx="8" ', "")
    page = studio.browser.new_page(viewport={"width": side, "height": side})
    page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:100vw}}</style>{drawing}")
    shot(page).quantize(64).save(STATIC / f"icons/afterburn-{side}.png", optimize=True)
    page.close()
