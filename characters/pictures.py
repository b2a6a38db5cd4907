"""Pictures that people upload, decoded and written anew: what is kept is an image of our own making and nothing else."""

from __future__ import annotations

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

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
CONTENT_TYPE = "image/webp"


class PictureError(Exception):
    """This cannot be a portrait; `message` says why to the person who tried."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def portrait(upload: IO[bytes], size: int) -> bytes:
    """An uploaded image of `size` bytes as WebP, at most 512 by 512 pixels, the right way up, without anything that came with it.

    Raises PictureError. Its header is looked at before a single pixel is decoded.
    """
    if size > LARGEST_UPLOAD:
        most = f"{LARGEST_UPLOAD / 1e6:.0f} MB"
        raise PictureError(f"This file is larger than the {most} that a picture may have. Make it smaller first.")
    try:
        with Image.open(upload, formats=FORMATS) as image:
            _check_size(*image.size, MOST_PIXELS_JPEG if image.format == "JPEG" else MOST_PIXELS)
            # A picture that moves shows its first frame.
            image.seek(0)
            # Made small first, so that of a large picture there is no second copy in memory.
            image.thumbnail((SIDE, SIDE))
            upright = ImageOps.exif_transpose(image)
            out = BytesIO()
            upright.convert("RGBA" if upright.has_transparency_data else "RGB").save(out, "WEBP", quality=82)
    except Image.DecompressionBombError:
        raise PictureError("This picture is too large. Make it smaller first.") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise PictureError("This is not a picture that can be read. Choose a JPEG, PNG, WebP or GIF file.") from error
    return out.getvalue()


def _check_size(width: int, height: int, most: int) -> None:
    if max(width, height) > LARGEST_SIDE or width * height > most:
        raise PictureError(f"This picture is {width} by {height} pixels, which is too large. Make it smaller first.")
