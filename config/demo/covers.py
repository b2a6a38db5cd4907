"""Covers of the demo's campaigns and pictures of their scenes, drawn here like its faces: cut paper, the same each time."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from random import Random
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from campaigns.pictures import SMALL_SIDE, Upload

WIDTH, HEIGHT = 1280, 720
Colour: TypeAlias = tuple[int, int, int]


class Sky(NamedTuple):
    """Colours from the top of the sky to the horizon, and of the land from far to near."""

    top: Colour
    low: Colour
    land: tuple[Colour, ...]
    light: Colour


EMBERS = Sky((24, 16, 34), (150, 58, 34), ((88, 36, 34), (52, 24, 30), (24, 14, 18)), (255, 190, 104))
SEA = Sky((8, 24, 40), (38, 106, 118), ((22, 74, 88), (14, 50, 66), (8, 28, 42)), (255, 226, 150))


def cover(name: str) -> Upload | None:
    """Draw what belongs to a campaign or a scene of this name; None where nothing does."""
    draws = DRAWN.get(name)
    if draws is None:
        return None
    image = draws(Random(name))  # noqa: S311  # chance for ragged edges, and the same for each name
    small = image.resize((SMALL_SIDE, SMALL_SIDE * HEIGHT // WIDTH), Image.Resampling.LANCZOS)
    return Upload(_webp(image), _webp(small), WIDTH, HEIGHT)


def _webp(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "WEBP", quality=80)
    return out.getvalue()


def _sky(sky: Sky) -> Image.Image:
    ramp = Image.linear_gradient("L").resize((WIDTH, HEIGHT))
    return Image.composite(Image.new("RGB", ramp.size, sky.low), Image.new("RGB", ramp.size, sky.top), ramp)


def _glow(image: Image.Image, at: tuple[int, int], radius: int, colour: Colour, strength: float) -> Image.Image:
    """Add light around a point."""
    spot = Image.new("L", (WIDTH // 4, HEIGHT // 4))
    x, y, r = at[0] // 4, at[1] // 4, radius // 4
    ImageDraw.Draw(spot).ellipse((x - r // 2, y - r // 2, x + r // 2, y + r // 2), fill=int(255 * strength))
    spot = spot.filter(ImageFilter.GaussianBlur(r / 2.2)).resize((WIDTH, HEIGHT))
    light = Image.composite(Image.new("RGB", image.size, colour), Image.new("RGB", image.size), spot)
    return ImageChops.screen(image, light)


def _houses(image: Image.Image, chance: Random, base: int, colour: Colour, light: Colour | None) -> None:
    """Cut a row of gabled houses out of paper, some with lit windows."""
    draw, x = ImageDraw.Draw(image), -30
    while x < WIDTH:
        wide, high = chance.randint(60, 130), chance.randint(50, 190)
        top, peak = base - high, chance.randint(24, 60)
        draw.polygon(
            [(x, HEIGHT), (x, top), (x + wide // 2, top - peak), (x + wide, top), (x + wide, HEIGHT)], fill=colour
        )
        chimney = x + chance.randint(8, wide // 3)
        draw.rectangle((chimney, top - peak - 8, chimney + 10, top + 10), fill=colour)
        for row in range(top + 18, base + 30, 38):
            for column in range(x + 14, x + wide - 20, 28):
                if light and chance.random() < 0.22:
                    draw.rectangle((column, row, column + 10, row + 15), fill=light)
        x += wide - chance.randint(0, 12)


def _harrow(chance: Random) -> Image.Image:
    image = _glow(_sky(EMBERS), (880, 560), 620, (255, 120, 50), 0.55)
    for base, colour, light in zip((500, 580, 690), EMBERS.land, (None, EMBERS.light, EMBERS.light), strict=True):
        _houses(image, chance, base, colour, light)
    _tower(image, 860, 300, EMBERS.land[2])
    for _ in range(70):
        x, y, size = chance.randint(480, 1240), chance.randint(40, 520), chance.choice((2, 3, 3, 5))
        ImageDraw.Draw(image).ellipse((x, y, x + size, y + size), fill=(255, 168, 84))
    return _glow(image, (905, 332), 150, EMBERS.light, 0.9)


def _tower(image: Image.Image, x: int, top: int, colour: Colour) -> None:
    draw = ImageDraw.Draw(image)
    draw.polygon([(x, HEIGHT), (x + 6, top), (x + 45, top - 120), (x + 84, top), (x + 90, HEIGHT)], fill=colour)
    draw.rectangle((x + 34, top + 14, x + 56, top + 52), fill=EMBERS.light)


def _waves(image: Image.Image, chance: Random, level: int, colour: Colour, high: int) -> None:
    points: list[tuple[float, float]] = [(0, HEIGHT), (0, level)]
    for place, x in enumerate(range(0, WIDTH + 80, 80)):
        points.append((x, level + (high if place % 2 else -high) * (0.6 + chance.random() * 0.5)))
    ImageDraw.Draw(image).polygon([*points, (WIDTH, HEIGHT)], fill=colour)


def _signal(chance: Random) -> Image.Image:
    image = _glow(_sky(SEA), (960, 470), 700, (120, 210, 200), 0.35)
    beam = Image.new("L", image.size)
    ImageDraw.Draw(beam).polygon([(960, 214), (0, 60), (0, 330)], fill=90)
    ImageDraw.Draw(beam).polygon([(960, 214), (WIDTH, 150), (WIDTH, 270)], fill=60)
    light = Image.new("RGB", image.size, SEA.light)
    image = Image.composite(light, image, beam.filter(ImageFilter.GaussianBlur(14)))
    draw = ImageDraw.Draw(image)
    draw.polygon(
        [(700, 520), (830, 430), (1010, 410), (1150, 470), (WIDTH, 500), (WIDTH, 620), (700, 620)], fill=SEA.land[2]
    )
    draw.polygon([(928, 440), (940, 240), (980, 240), (992, 440)], fill=(226, 214, 190))
    for top in (280, 350):
        draw.polygon([(938, top), (982, top), (985, top + 34), (935, top + 34)], fill=(168, 60, 48))
    draw.rectangle((934, 226, 986, 242), fill=SEA.land[2])
    draw.rectangle((946, 196, 974, 228), fill=SEA.light)
    draw.polygon([(938, 198), (960, 174), (982, 198)], fill=SEA.land[2])
    for level, colour, high in zip((500, 560, 630), SEA.land, (10, 14, 20), strict=True):
        _waves(image, chance, level, colour, high)
    draw = ImageDraw.Draw(image)
    draw.polygon([(300, 590), (470, 590), (440, 630), (330, 630)], fill=(30, 22, 20))
    draw.polygon([(380, 580), (380, 440), (452, 570)], fill=(232, 214, 178))
    draw.line([(380, 600), (380, 430)], fill=(30, 22, 20), width=5)
    return _glow(image, (960, 212), 190, SEA.light, 0.95)


def _lantern_room(chance: Random) -> Image.Image:
    image = Image.composite(
        Image.new("RGB", (WIDTH, HEIGHT), (58, 20, 24)),
        Image.new("RGB", (WIDTH, HEIGHT), (20, 12, 18)),
        Image.linear_gradient("L").resize((WIDTH, HEIGHT)),
    )
    lamps = [(160, 200), (420, 130), (700, 220), (960, 120), (1160, 210)]
    for x, y in lamps:
        image = _glow(image, (x, y), 260, (255, 150, 70), 0.7)
    draw = ImageDraw.Draw(image)
    for x, y in lamps:
        draw.line([(x, 0), (x, y - 34)], fill=(12, 8, 12), width=4)
        draw.polygon([(x - 24, y - 30), (x + 24, y - 30), (x + 34, y + 30), (x - 34, y + 30)], fill=(255, 196, 110))
        draw.polygon([(x - 30, y - 30), (x, y - 52), (x + 30, y - 30)], fill=(12, 8, 12))
    for x in range(0, WIDTH, 118):
        head, wide = chance.randint(470, 530), chance.randint(34, 44)
        draw.ellipse((x, head - wide, x + wide * 2, head + wide), fill=(14, 9, 13))
        draw.polygon(
            [(x - 30, HEIGHT), (x + 6, head + 40), (x + wide * 2 - 6, head + 40), (x + wide * 2 + 30, HEIGHT)],
            fill=(14, 9, 13),
        )
    return image


DRAWN: dict[str, Callable[[Random], Image.Image]] = {
    "Ashes over Harrow": _harrow,
    "The Salt Signal": _signal,
    "The Lantern Room": _lantern_room,
}
"""By the names of campaigns and the titles of scenes."""
