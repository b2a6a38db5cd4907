"""What a file promises is bounded before any of it is decoded: pixels, what decoding them holds, parts."""

from __future__ import annotations

import random
import struct
import sys
import zlib
from io import BytesIO

import pytest
from PIL import Image

from campaigns.pictures import LARGEST_SIDE, PictureError, check


def written(form, size=(60, 40), mode="RGB", **how):
    out = BytesIO()
    Image.new(mode, size, 0 if mode == "P" else "tomato").save(out, form, **how)
    return out.getvalue()


def moving(form, size=(60, 40)):
    out = BytesIO()
    frames = [Image.new("RGB", size, colour) for colour in ("tomato", "teal", "gold")]
    frames[0].save(out, form, save_all=True, append_images=frames[1:], duration=100)
    return out.getvalue()


def chunk(kind, data=b""):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def riff(*chunks):
    body = b"WEBP" + b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for kind, data in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


KINDS = {
    "JPEG": written("JPEG"),
    "progressive JPEG": written("JPEG", progressive=True),
    "MPO": moving("MPO"),
    "PNG": written("PNG"),
    "moving PNG": moving("PNG"),
    "GIF": written("GIF", mode="P"),
    "moving GIF": moving("GIF"),
    "lossless WebP": written("WEBP", lossless=True),
    "lossy WebP": written("WEBP"),
    "WebP with transparency": written("WEBP", mode="RGBA"),
    "moving WebP": moving("WEBP"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_that_is_read_is_the_one_that_will_be_decoded(kind):
    found = check(KINDS[kind])
    assert (found.width, found.height) == (60, 40)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_cut_short_or_changed_is_read_or_refused_in_words(kind):
    chance, whole = random.Random(16), KINDS[kind]
    broken = [whole[:length] for length in range(len(whole))]
    for _ in range(300):
        changed = bytearray(whole)
        for at in chance.choices(range(len(whole)), k=4):
            changed[at] = chance.randrange(256)
        broken.append(bytes(changed))
    for data in broken:
        try:
            assert check(data).width > 0
        except PictureError as error:
            assert error.message.endswith(".")


@pytest.mark.parametrize("lossless", [True, False])
def test_a_webp_of_a_few_hundred_bytes_that_takes_hundreds_of_megabytes_is_refused(lossless):
    bomb = written("WEBP", (3464, 3464), "RGBA", lossless=lossless)
    with pytest.raises(PictureError, match="too large: 3464 × 3464 pixels"):
        check(bomb)
    assert check(written("WEBP", (3840, 2160), lossless=lossless)).width == 3840


@pytest.mark.parametrize("large", [b"VP8X" + bytes(4) + b"\xff\xff\xff" * 2, b"ANMF" + bytes(6) + b"\xff\xff\xff" * 2])
def test_a_webp_is_as_large_as_the_largest_that_any_part_of_it_says(large):
    small = written("WEBP", lossless=True)[20:]
    with pytest.raises(PictureError, match="too large"):
        check(riff((b"VP8L", small), (large[:4], large[4:])))


def test_a_progressive_jpeg_of_four_colours_is_refused_where_it_would_be_held_whole():
    with pytest.raises(PictureError, match="too large for a progressive JPEG"):
        check(written("JPEG", (5600, 4200), "CMYK", quality=20, progressive=True))
    assert check(written("JPEG", (5600, 4200), "CMYK", quality=20)).held == 0


def test_a_progressive_photograph_of_a_phone_is_let_through():
    found = check(written("JPEG", (5600, 4200), quality=20, progressive=True))
    assert 60_000_000 < found.held < 80_000_000


def test_a_jpeg_whose_colours_come_one_after_the_other_is_held_whole_too():
    data = written("JPEG", (5600, 4200), quality=20, subsampling=0)
    scan = data.index(b"\xff\xda")
    twice = data[:-2] + data[scan : scan + 14] + data[-2:]
    with pytest.raises(PictureError, match="too large for a progressive JPEG"):
        check(twice)


def test_a_gif_is_as_large_as_its_first_frame():
    plain = bytearray(KINDS["GIF"])
    frame = plain.index(b"," + bytes(4))
    plain[frame + 5 : frame + 9] = struct.pack("<HH", 60_000, 60_000)
    with pytest.raises(PictureError, match="60000 × 60000 pixels"):
        check(bytes(plain))


PARTS = {
    "PNG": KINDS["PNG"][:33] + chunk(b"tEXt", b"a\0b") * 300_000 + KINDS["PNG"][33:],
    "GIF": KINDS["GIF"].replace(b",", b"!\xfe\1a\0" * 300_000 + b",", 1),
    "bytes of a GIF": KINDS["GIF"].replace(b",", b"\1" * 300_000 + b",", 1),
    "WebP": riff(*[(b"JUNK", b"")] * 300_000, (b"VP8L", written("WEBP", lossless=True)[20:])),
    "frames of a WebP": riff((b"VP8X", bytes(4) + b"\1\0\0" * 2), *[(b"ANMF", bytes(24))] * 100_000),
    "JPEG": KINDS["JPEG"][:2] + b"\xff\xfe\0\3a" * 300_000 + KINDS["JPEG"][2:],
}


@pytest.mark.parametrize("kind", PARTS)
def test_a_file_of_a_great_many_parts_is_refused_after_the_first_few_thousand(kind):
    steps = [0]

    def count(frame, event, argument):
        steps[0] += 1

    sys.setprofile(count)
    try:
        with pytest.raises(PictureError, match="more parts than any camera makes"):
            check(PARTS[kind])
    finally:
        sys.setprofile(None)
    assert steps[0] < 100_000


def test_a_long_panorama_is_refused_by_its_side():
    with pytest.raises(PictureError, match="too large"):
        check(written("PNG", (LARGEST_SIDE + 1, 1)))
    assert check(written("PNG", (LARGEST_SIDE, 1))).width == LARGEST_SIDE
