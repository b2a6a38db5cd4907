"""Uploaded pictures, decoded and encoded again: only an image that we made is stored.

The file's headers are read here (headers.py), without decoding a pixel. Accepted files are decoded in a separate
process (worker.py), one at a time (workshop.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from campaigns.pictures.headers import PictureError, check
from campaigns.pictures.workshop import made
from languages.text import gettext as _

LARGEST_UPLOAD = 5_000_000  # bytes
SIDE = 512
"""Portraits are at most this wide and high, in pixels."""
FULL_SIDE, SMALL_SIDE = 1600, 640
"""The longest sides of pictures: at full size, and in the lines of the log."""
ICON_SIDE = 160
"""The longest side of a cover or portrait that stands beside a name, at most 4rem wide, in pixels."""

CONTENT_TYPE = "image/webp"
# A picture never changes under its address. Only the browser of who may see it keeps it: no cache on the way does.
CACHED = "private, max-age=31536000, immutable"

__all__ = ["CACHED", "CONTENT_TYPE", "PictureError", "Portrayal", "Upload", "portrait", "shown_picture"]


@dataclass(frozen=True)
class Portrayal:
    """An uploaded portrait encoded again: WebP, at its full size and to stand beside a name."""

    image: bytes
    icon: bytes


@dataclass(frozen=True)
class Upload:
    """An uploaded picture encoded again: `full`, `small` and `icon` are WebP, `width` and `height` those of the full one in
    pixels.
    """

    full: bytes
    small: bytes
    icon: bytes
    width: int
    height: int
    alt: str = ""

    @property
    def size(self) -> int:
        """Return the bytes of what is kept of it beside a line."""
        return len(self.full) + len(self.small)


def portrait(upload: IO[bytes], size: int) -> Portrayal:
    """Return an uploaded image of `size` bytes as WebP, at most 512 by 512 pixels, the right way up, without anything that came
    with it.

    One that moves is its first frame. Raises PictureError.
    """
    image, icon = made(_looked_at(upload, size), (SIDE, ICON_SIDE), may_move=True)
    return Portrayal(image.data, icon.data)


def shown_picture(upload: IO[bytes], size: int, alt: str = "") -> Upload:
    """Return an uploaded image of `size` bytes made ready to be shown at the table: at most 1600 by 1600 pixels, small, and as
    an icon.

    `alt` are words for those who do not see it. Raises PictureError, also for one that moves.
    """
    full, small, icon = made(_looked_at(upload, size), (FULL_SIDE, SMALL_SIDE, ICON_SIDE), may_move=False)
    return Upload(full.data, small.data, icon.data, full.width, full.height, alt)


def _looked_at(upload: IO[bytes], size: int) -> bytes:
    """Return the whole file, if it is worth decoding."""
    if size > LARGEST_UPLOAD:
        message = _("Pictures can be up to {most} MB. Make this one smaller.")
        raise PictureError(message.format(most=f"{LARGEST_UPLOAD / 1e6:.0f}"))
    upload.seek(0)
    data = upload.read()
    check(data)
    return data
