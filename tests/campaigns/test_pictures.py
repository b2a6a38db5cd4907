"""Uploaded pictures are made anew, whatever they hold; what is no picture is refused."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image

from campaigns.pictures import (
    FULL_SIDE,
    ICON_SIDE,
    LARGEST_UPLOAD,
    SIDE,
    SMALL_SIDE,
    PictureError,
    portrait,
    shown_picture,
)


def made(size=(900, 600), mode="RGB", form="PNG", **how) -> BytesIO:
    out = BytesIO()
    Image.new(mode, size, "tomato").save(out, form, **how)
    out.seek(0)
    return out


def kept(upload: BytesIO) -> Image.Image:
    data = portrait(upload, len(upload.getvalue())).image
    image = Image.open(BytesIO(data))
    assert image.format == "WEBP"
    return image


@pytest.mark.parametrize(
    ("size", "how", "small"),
    [
        *(((900, 600), {"form": form}, (SIDE, round(SIDE * 600 / 900))) for form in ("PNG", "JPEG", "WEBP", "GIF")),
        pytest.param((40, 60), {}, (40, 60), id="a small one stays as large as it is"),
        # As phones take them.
        ((5_600, 4_200), {"form": "JPEG"}, (512, 384)),
        ((5_600, 4_200), {"form": "JPEG", "progressive": True}, (512, 384)),
        ((5_600, 4_200), {"form": "MPO"}, (512, 384)),
    ],
)
def test_a_picture_is_made_small_and_keeps_its_shape(size, how, small):
    assert kept(made(size, **how)).size == small


def test_what_came_with_it_is_gone_and_it_stands_upright():
    exif = Image.Exif()
    exif[0x0112] = 6  # lying on its side
    exif[0x9286] = "where we live"
    lying = made((400, 200), form="JPEG", exif=exif)
    upright = kept(lying)
    assert upright.size == (200, 400)
    assert not upright.getexif()
    assert b"where we live" in lying.getvalue()
    assert b"where we live" not in portrait(lying, len(lying.getvalue())).image


def test_transparency_stays():
    clear = BytesIO()
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(clear, "PNG")
    clear.seek(0)
    assert kept(clear).convert("RGBA").getpixel((5, 5))[3] == 0


def huge_png(width: int, height: int) -> bytes:
    """Return the header of a PNG of this size, without a single pixel."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    header = struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return b"\x89PNG\r\n\x1a\n" + header + struct.pack(">I", 9) + b"IDAT"


def test_what_follows_a_photograph_in_its_file_is_none_of_its_parts():
    film = made((80, 60), form="JPEG").getvalue() + b"\xff\xda\x00\x02" * 1000
    assert kept(BytesIO(film)).size == (80, 60)


PHOTOGRAPH = made((80, 60), form="JPEG", progressive=True).getvalue()
SCAN = PHOTOGRAPH[PHOTOGRAPH.rindex(b"\xff\xda") : -2]
NONE = "can’t be read as a picture"
REFUSED = {
    **{
        f"a PNG whose header says {size}": (huge_png(*size), "too large")
        for size in ((60_000, 60_000), (8_001, 1), (7_000, 7_000), (5_000, 3_000))
    },
    "a photograph of the same scan over and over": (
        PHOTOGRAPH[:-2] + SCAN * 1000 + PHOTOGRAPH[-2:],
        "more parts than any camera",
    ),
    "a photograph of many words": (
        PHOTOGRAPH[:2] + b"\xff\xfe\x00\x03a" * 10_000 + PHOTOGRAPH[2:],
        "more parts than any camera",
    ),
    "nothing": (b"", NONE),
    "words": (b"be read as a picture", NONE),
    "a drawing that runs": (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", NONE),
    "the beginning of a PNG": (b"\x89PNG\r\n\x1a\n", NONE),
    "the beginning of a JPEG": (b"\xff\xd8\xff\xe0" + b"\0" * 100, NONE),
    "the beginning of a GIF": (b"GIF89a", NONE),
    "a document": (b"%PDF-1.7", NONE),
    "a picture cut short": (made().getvalue()[:-200], ""),
}


@pytest.mark.parametrize("take", [portrait, shown_picture])
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_picture_or_too_much_of_one_is_refused_wherever_it_is_sent(what, take):
    data, words = REFUSED[what]
    with pytest.raises(PictureError, match=words or None):
        take(BytesIO(data), len(data))


def test_a_file_too_large_is_not_even_opened():
    with pytest.raises(PictureError, match="up to 5 MB"):
        portrait(BytesIO(), LARGEST_UPLOAD + 1_000_000)


def shown(upload: BytesIO):
    return shown_picture(upload, len(upload.getvalue()))


def moving(form: str) -> BytesIO:
    out = BytesIO()
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("tomato", "teal")]
    frames[0].save(out, form, save_all=True, append_images=frames[1:], duration=100)
    out.seek(0)
    return out


def test_a_picture_for_the_table_comes_whole_small_and_as_an_icon():
    upload = shown(made((2400, 1200), form="JPEG"))
    assert (upload.width, upload.height) == (FULL_SIDE, FULL_SIDE // 2)
    full, small, icon = (Image.open(BytesIO(data)) for data in (upload.full, upload.small, upload.icon))
    assert full.size == (1600, 800) and small.size == (SMALL_SIDE, SMALL_SIDE // 2)
    assert icon.size == (ICON_SIDE, ICON_SIDE // 2)
    assert full.format == small.format == icon.format == "WEBP" and not full.getexif()
    assert upload.size == len(upload.full) + len(upload.small)


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
def test_one_that_moves_is_none_for_the_table_and_a_portrait_by_its_first_frame(form):
    with pytest.raises(PictureError, match="animated"):
        shown(moving(form))
    assert kept(moving(form)).size == (20, 20)


def test_two_photographs_in_one_file_of_a_phone_do_not_move():
    assert shown(moving("MPO")).width == 20
