"""Pictures that people upload, decoded and written anew: what is kept is an image of our own making and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import IO

from PIL import Image, ImageOps, UnidentifiedImageError

LARGEST_UPLOAD = 5_000_000  # bytes
LARGEST_SIDE = 8_000  # pixels
MOST_PIXELS = 12_000_000
# What phones take. Of a JPEG only as much is decoded as a small picture needs; other formats lie whole in memory, some twice.
MOST_PIXELS_JPEG = 24_000_000
SIDE = 512
"""Portraits are at most this wide and high, in pixels."""
FULL_SIDE, SMALL_SIDE = 1600, 640
"""Pictures that are shown at the table, and what stands of them among the lines."""

MOST_PARTS = 1000
MOST_SCANS = 32
"""How often a JPEG may go over its whole picture: cameras do it once, programs a dozen times. Each takes up to 25 ms."""

# What is no part of its own: fill, bytes of the picture itself, and marks within it.
PART = re.compile(rb"\xff([^\x00\x01\xd0-\xd7\xff])", re.DOTALL)
START_OF_SCAN, END = b"\xda", b"\xd9"

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
CONTENT_TYPE = "image/webp"
# A picture never changes under its address. Only the browser of who may see it keeps it: no cache on the way does.
CACHED = "private, max-age=31536000, immutable"


class PictureError(Exception):
    """This cannot be used as a picture; `message` says why to the person who tried."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class Upload:
    """A picture to be shown, made anew: `full` and `small` are WebP, `width` and `height` those of the full one in pixels."""

    full: bytes
    small: bytes
    width: int
    height: int
    alt: str = ""

    @property
    def size(self) -> int:
        """In bytes, both together."""
        return len(self.full) + len(self.small)


def portrait(upload: IO[bytes], size: int) -> bytes:
    """An uploaded image of `size` bytes as WebP, at most 512 by 512 pixels, the right way up, without anything that came with it.

    One that moves is its first frame. Raises PictureError.
    """
    with _opened(upload, size) as image:
        return _written(_upright(image, SIDE))


def shown_picture(upload: IO[bytes], size: int, alt: str = "") -> Upload:
    """An uploaded image of `size` bytes made ready to be shown at the table: at most 1600 by 1600 pixels, and small.

    `alt` are words for those who do not see it. Raises PictureError, also for one that moves."""
    with _opened(upload, size) as image:
        # What phones write may hold several photographs and does not move.
        if getattr(image, "is_animated", False) and image.format != "MPO":
            raise PictureError("This picture moves. Choose one that stands still.")
        full = _upright(image, FULL_SIDE)
        written = _written(full)
        width, height = full.size
        full.thumbnail((SMALL_SIDE, SMALL_SIDE))
        return Upload(written, _written(full), width, height, alt)


@contextmanager
def _opened(upload: IO[bytes], size: int) -> Iterator[Image.Image]:
    """Its header is looked at before a single pixel is decoded. Raises PictureError, also for what its decoding raises inside."""
    if size > LARGEST_UPLOAD:
        most = f"{LARGEST_UPLOAD / 1e6:.0f} MB"
        raise PictureError(f"This file is larger than the {most} that a picture may have. Make it smaller first.")
    try:
        _check_parts(upload.read())
        with Image.open(upload, formats=FORMATS) as image:
            # MPO is what some phones write: a JPEG with others behind it.
            _check_size(*image.size, MOST_PIXELS_JPEG if image.format in ("JPEG", "MPO") else MOST_PIXELS)
            yield image
    except Image.DecompressionBombError:
        raise PictureError("This picture is too large. Make it smaller first.") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise PictureError("This is not a picture that can be read. Choose a JPEG, PNG, WebP or GIF file.") from error


def _upright(image: Image.Image, side: int) -> Image.Image:
    image.seek(0)
    # Made small first, so that of a large picture there is no second copy in memory.
    image.thumbnail((side, side))
    upright = ImageOps.exif_transpose(image)
    return upright.convert("RGBA" if upright.has_transparency_data else "RGB")


def _written(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "WEBP", quality=82)
    return out.getvalue()


def _check_size(width: int, height: int, most: int) -> None:
    if max(width, height) > LARGEST_SIDE or width * height > most:
        raise PictureError(f"This picture is {width} by {height} pixels, which is too large. Make it smaller first.")


def _check_parts(data: bytes) -> None:
    """Of a JPEG: a small file could otherwise have its picture gone over for minutes. Others are none of its business."""
    if not data.startswith(b"\xff\xd8"):
        return
    at, scans = 2, 0
    for _ in range(MOST_PARTS):
        part = PART.search(data, at)
        if part is None or part[1] == END:
            return
        scans += part[1] == START_OF_SCAN
        if scans > MOST_SCANS:
            break
        at = part.end() + int.from_bytes(data[part.end() : part.end() + 2])
    raise PictureError("This picture has more parts than any camera makes. Save it anew first.")
