"""Portraits of the demo's characters, drawn here: cut paper in a few colours, the same each time."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageDraw

SIDE = 256  # pixels
FINER = 4
"""Drawn so many times larger and made small again, which smooths the edges."""

Draw: TypeAlias = ImageDraw.ImageDraw
Points: TypeAlias = list[tuple[float, float]]


class Face(NamedTuple):
    """A portrait's colours, from the back to the front, and what the person wears; names of functions in WORN."""

    ground: str
    halo: str
    coat: str
    skin: str
    hair: str
    worn: tuple[str, ...]


FACES = {
    "Silas Grey": Face("#3b2a3d", "#a8503f", "#241a26", "#e0b48c", "#8e8a86", ("short", "glasses", "collar")),
    "Corvina Hale": Face("#1f3a4a", "#e0a94e", "#7a1f2e", "#f0cfae", "#1b1418", ("long", "scarf")),
    "Bram Teller": Face("#23302a", "#c9b26a", "#3c4a55", "#c58f68", "#3a2418", ("cap", "beard")),
    "Madam Orsolya": Face("#4a2033", "#e3b7a0", "#2b1020", "#e8c3a2", "#d9d3cb", ("bun", "pearls")),
    "The Surveyor": Face("#2a2c33", "#6f7683", "#14151a", "#bfa58d", "#101114", ("hat", "collar")),
    "Ada Finch": Face("#17383a", "#d98a3d", "#5a4630", "#b97f55", "#5c2314", ("short", "scarf")),
    "Captain Ilse Brandt": Face("#22344f", "#d8d2c2", "#182238", "#efcfb4", "#c79a55", ("bun", "officer", "collar")),
    "Jun Okafor": Face("#40301c", "#5fa6a0", "#b0622b", "#7a4a2e", "#17100d", ("crop", "goggles")),
    "Anton Brandt": Face("#152633", "#f2d27a", "#37505c", "#e2b896", "#a9784a", ("short", "beard", "scarf")),
    "Harbour watch": Face("#1c2733", "#e9b653", "#2b3a48", "#a9805f", "#20262e", ("hat", "lamp")),
    "The Low Lantern": Face("#10242c", "#f0b44c", "#0c181d", "#f7dd98", "#27515a", ()),
}
"""By the characters' names. An entry with nothing worn is the emblem of a crew."""


def portrait(name: str) -> bytes | None:
    """Return a portrait as WebP, as `characters.services.set_portrait` takes it; None for people without a face."""
    face = FACES.get(name)
    if face is None:
        return None
    image = Image.new("RGB", (SIDE * FINER, SIDE * FINER), face.ground)
    draw = ImageDraw.Draw(image)
    (_person if face.worn else _lantern)(draw, face)
    drawn = BytesIO()
    image.resize((SIDE, SIDE), Image.Resampling.LANCZOS).save(drawn, "WEBP", quality=82)
    return drawn.getvalue()


# Everything is measured in hundredths of a side, from the upper left corner.


def _at(points: Points) -> Points:
    return [(x * SIDE * FINER / 100, y * SIDE * FINER / 100) for x, y in points]


def _oval(draw: Draw, x: float, y: float, wide: float, high: float, colour: str) -> None:
    draw.ellipse(_at([(x - wide, y - high), (x + wide, y + high)]), fill=colour)


def _cut(draw: Draw, points: Points, colour: str) -> None:
    draw.polygon(_at(points), fill=colour)


def _ring(draw: Draw, x: float, y: float, radius: float, colour: str, width: float = 1.6) -> None:
    box = _at([(x - radius, y - radius), (x + radius, y + radius)])
    draw.ellipse(box, outline=colour, width=round(width * SIDE * FINER / 100))


def _darker(colour: str, by: float = 0.72) -> str:
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part * by):02x}" for part in parts)


def _person(draw: Draw, face: Face) -> None:
    _oval(draw, 62, 40, 38, 38, face.halo)
    for name in face.worn:
        if name in BEHIND:
            BEHIND[name](draw, face)
    _cut(draw, [(8, 100), (14, 82), (34, 72), (66, 72), (86, 82), (92, 100)], face.coat)
    _cut(draw, [(50, 72), (66, 72), (86, 82), (92, 100), (50, 100)], _darker(face.coat))
    _cut(draw, [(42, 56), (58, 56), (60, 74), (50, 80), (40, 74)], _darker(face.skin, 0.82))
    _oval(draw, 50, 44, 17, 21, face.skin)
    # Light falls from the left.
    shade = Image.new("L", (SIDE * FINER, SIDE * FINER), 0)
    ImageDraw.Draw(shade).ellipse(_at([(33, 23), (67, 65)]), fill=255)
    ImageDraw.Draw(shade).polygon(_at([(0, 0), (53, 0), (51, 40), (56, 48), (52, 52), (52, 100), (0, 100)]), fill=0)
    draw.bitmap((0, 0), shade, fill=_darker(face.skin, 0.8))
    for name in face.worn:
        WORN[name](draw, face)


def _lantern(draw: Draw, face: Face) -> None:
    _oval(draw, 50, 42, 34, 34, face.hair)
    _oval(draw, 50, 44, 20, 20, face.halo)
    _ring(draw, 50, 21, 7, face.coat, 2.4)
    _cut(draw, [(38, 30), (62, 30), (66, 36), (34, 36)], face.coat)
    _cut(draw, [(38, 36), (62, 36), (60, 60), (40, 60)], face.skin)
    _cut(draw, [(50, 38), (55, 50), (50, 58), (45, 50)], face.halo)
    _cut(draw, [(34, 60), (66, 60), (62, 66), (38, 66)], face.coat)
    for at, colour in ((72, face.hair), (80, _darker(face.hair)), (88, face.coat)):
        _cut(
            draw,
            [
                (0, 100),
                (0, at + 3),
                (18, at - 2),
                (36, at + 3),
                (54, at - 2),
                (72, at + 3),
                (90, at - 2),
                (100, at),
                (100, 100),
            ],
            colour,
        )


def _short(draw: Draw, face: Face) -> None:
    _cut(
        draw,
        [(32, 44), (31, 32), (37, 22), (50, 18), (63, 22), (69, 32), (68, 44), (64, 34), (54, 29), (42, 32), (36, 35)],
        face.hair,
    )


def _crop(draw: Draw, face: Face) -> None:
    _cut(
        draw,
        [(33, 40), (33, 29), (40, 21), (50, 19), (60, 21), (67, 29), (67, 40), (63, 32), (50, 28), (37, 32)],
        face.hair,
    )


def _long_behind(draw: Draw, face: Face) -> None:
    _cut(draw, [(28, 82), (27, 40), (34, 24), (50, 17), (66, 24), (73, 40), (72, 82)], face.hair)


def _long(draw: Draw, face: Face) -> None:
    _cut(
        draw,
        [
            (29, 62),
            (29, 36),
            (37, 22),
            (52, 17),
            (66, 24),
            (71, 38),
            (71, 62),
            (66, 50),
            (62, 33),
            (46, 28),
            (37, 38),
            (34, 50),
        ],
        face.hair,
    )


def _bun_behind(draw: Draw, face: Face) -> None:
    _oval(draw, 58, 19, 10, 9, face.hair)


def _bun(draw: Draw, face: Face) -> None:
    _cut(
        draw,
        [(32, 46), (31, 33), (38, 22), (52, 19), (64, 23), (69, 34), (68, 46), (65, 35), (56, 29), (44, 31), (36, 37)],
        face.hair,
    )


def _cap(draw: Draw, face: Face) -> None:
    _cut(draw, [(31, 33), (33, 22), (42, 15), (58, 15), (67, 22), (69, 33)], face.coat)
    _cut(draw, [(26, 35), (32, 30), (64, 30), (66, 35)], _darker(face.coat))


def _hat(draw: Draw, face: Face) -> None:
    _cut(draw, [(35, 31), (37, 13), (50, 16), (63, 13), (65, 31)], face.hair)
    _cut(draw, [(35, 27), (65, 27), (65, 31), (35, 31)], _darker(face.halo, 0.6))
    _cut(draw, [(20, 35), (32, 30), (68, 30), (80, 35), (50, 38)], face.hair)


def _officer(draw: Draw, face: Face) -> None:
    _cut(draw, [(30, 28), (28, 20), (50, 11), (72, 20), (70, 28)], face.coat)
    _cut(draw, [(30, 28), (70, 28), (69, 33), (31, 33)], _darker(face.coat))
    _cut(draw, [(33, 33), (67, 33), (60, 37), (40, 37)], "#0d1420")
    _oval(draw, 50, 23, 2.6, 2.6, face.halo)


def _beard(draw: Draw, face: Face) -> None:
    _cut(
        draw,
        [
            (33, 46),
            (38, 54),
            (44, 53),
            (50, 55),
            (56, 53),
            (62, 54),
            (67, 46),
            (65, 60),
            (58, 68),
            (50, 71),
            (42, 68),
            (35, 60),
        ],
        face.hair,
    )


def _glasses(draw: Draw, face: Face) -> None:
    for x in (43, 57):
        _ring(draw, x, 44, 5.6, face.coat)
    _cut(draw, [(48, 43), (52, 43), (52, 44.4), (48, 44.4)], face.coat)


def _goggles(draw: Draw, face: Face) -> None:
    _cut(draw, [(32, 28), (68, 28), (68, 34), (32, 34)], "#2b1c12")
    for x in (43, 57):
        _oval(draw, x, 31, 6.4, 5.4, "#2b1c12")
        _oval(draw, x, 31, 4.4, 3.6, face.halo)


def _collar(draw: Draw, face: Face) -> None:
    _cut(draw, [(38, 71), (50, 84), (44, 90), (32, 75)], "#ece5d8")
    _cut(draw, [(62, 71), (50, 84), (56, 90), (68, 75)], _darker("#ece5d8", 0.85))


def _scarf(draw: Draw, face: Face) -> None:
    _cut(draw, [(36, 67), (50, 75), (64, 67), (68, 76), (50, 86), (32, 76)], face.halo)
    _cut(draw, [(54, 80), (63, 76), (66, 98), (56, 98)], _darker(face.halo, 0.85))


def _pearls(draw: Draw, face: Face) -> None:
    for x, y in ((38, 74), (42, 78), (46, 80.5), (50, 81.5), (54, 80.5), (58, 78), (62, 74)):
        _oval(draw, x, y, 1.9, 1.9, "#f4ece0")


def _lamp(draw: Draw, face: Face) -> None:
    _cut(draw, [(83, 40), (85, 40), (85, 100), (83, 100)], "#0d1218")
    _oval(draw, 84, 38, 9, 9, face.halo)
    _oval(draw, 84, 38, 5, 5, "#fff3cf")


WORN: dict[str, Callable[[Draw, Face], None]] = {
    "beard": _beard,
    "bun": _bun,
    "cap": _cap,
    "collar": _collar,
    "crop": _crop,
    "glasses": _glasses,
    "goggles": _goggles,
    "hat": _hat,
    "lamp": _lamp,
    "long": _long,
    "officer": _officer,
    "pearls": _pearls,
    "scarf": _scarf,
    "short": _short,
}
BEHIND: dict[str, Callable[[Draw, Face], None]] = {"bun": _bun_behind, "long": _long_behind}
"""The parts drawn behind the head."""
