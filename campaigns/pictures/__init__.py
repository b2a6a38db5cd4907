"""Uploaded pictures, decoded and encoded again: only an image that we made is stored.

The file's headers are read here first, without decoding a pixel. Accepted files are decoded in a separate process
(worker.py), one at a time.
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import IO, NamedTuple

from languages.text import gettext as _
from languages.text import gettext_lazy

# Read a picture file's headers: its size, and the number of its parts, without decoding any of it.
#
# A few hundred bytes can announce a picture that takes gigabytes, and a few megabytes so many parts that reading them
# takes seconds. So these are counted first, up to their limits.


UNREADABLE = gettext_lazy("This file can’t be read as a picture. Choose a JPEG, PNG, WebP or GIF file.")
TOO_MANY_PARTS = gettext_lazy(
    "This picture has more parts than any camera makes. Save it again in an image editor first."
)

LARGEST_SIDE = 8_000  # pixels
MOST_PIXELS = {"JPEG": 24_000_000, "PNG": 12_000_000, "GIF": 12_000_000, "WebP": 9_000_000}
"""JPEG: what phones take; of it only as much is decoded as a small picture needs. The others lie whole in memory, PNG twice and
WebP up to five times."""
MOST_HELD = 128_000_000
"""Bytes that decoding a JPEG may hold beside its pixels. One that comes in several scans, as progressive ones do, is held
whole."""

MOST_PARTS = {"JPEG": 1_000, "PNG": 4_000, "GIF": 4_000, "WebP": 1_000}
"""A PNG of the largest size that is allowed has 600, as programs usually cut it; frames count, too."""
MOST_SCANS = 32
"""A JPEG may go so often over its whole picture: cameras do it once, programs a dozen times. Each takes up to 25 ms."""

# Bytes that begin no part: padding, bytes of the picture itself, and marks within it.
PART = re.compile(rb"\xff([^\x00\x01\xd0-\xd7\xff])", re.DOTALL)
START_OF_SCAN, END = 0xDA, 0xD9
START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
PROGRESSIVE = frozenset((0xC2, 0xC6, 0xCA, 0xCE))
BLOCK, BLOCK_BYTES = 8, 128


class PictureError(Exception):
    """This cannot be used as a picture; `message` says why to the person who tried."""

    def __init__(self, message: str) -> None:
        super().__init__(str(message))
        self.message = str(message)


@dataclass(frozen=True)
class Header:
    """A picture's `width` and `height` in pixels; `held` are the bytes that decoding holds beside these."""

    format: str
    width: int
    height: int
    held: int = 0


def check(data: bytes) -> Header:
    """Return the header of a file that may be decoded. Raises PictureError for others."""
    for begins, read in FORMATS:
        if begins.match(data):
            return _bounded(read(data))
    raise PictureError(UNREADABLE)


def _bounded(header: Header) -> Header:
    if not (header.width and header.height):
        raise PictureError(UNREADABLE)
    if max(header.width, header.height) > LARGEST_SIDE or header.width * header.height > MOST_PIXELS[header.format]:
        message = _("This picture is too large: {width} × {height} pixels. Make it smaller first.")
        raise PictureError(message.format(width=header.width, height=header.height))
    if header.held > MOST_HELD:
        message = _(
            "This picture is too large for a progressive JPEG: {width} × {height} pixels. Make it smaller, or save it as a "
            "baseline JPEG."
        )
        raise PictureError(message.format(width=header.width, height=header.height))
    return header


def _counted(format: str) -> Iterator[None]:
    """Yields once for every part that there may be. Raises PictureError after the last."""
    for __ in range(MOST_PARTS[format]):
        yield
    raise PictureError(TOO_MANY_PARTS)


def _number(data: bytes, at: int, length: int, order: str = "big") -> int:
    """Return the number at this place of a file; 0 if the file ends before it."""
    return int.from_bytes(data[at : at + length], "little" if order == "little" else "big")


def _jpeg(data: bytes) -> Header:
    width = height = held = scans = 0
    is_progressive, at = False, 2
    for __ in _counted("JPEG"):
        part = PART.search(data, at)
        if part is None or part[1][0] == END:
            break
        kind, at = part[1][0], part.end()
        if kind in START_OF_FRAME:
            height, width = max(height, _number(data, at + 3, 2)), max(width, _number(data, at + 5, 2))
            is_progressive = is_progressive or kind in PROGRESSIVE
            held = max(held, _coefficients(data, at, width, height))
        scans += kind == START_OF_SCAN
        if scans > MOST_SCANS:
            raise PictureError(TOO_MANY_PARTS)
        at += _number(data, at, 2)
    return Header("JPEG", width, height, held if is_progressive or scans > 1 else 0)


def _coefficients(data: bytes, at: int, width: int, height: int) -> int:
    """Return the bytes that a JPEG decoder needs for a picture with several scans: two for each value of each component."""
    components = [(byte >> 4, byte & 15) for byte in data[at + 9 : at + 8 + 3 * _number(data, at + 7, 1) : 3]]
    across, down = (max((component[axis] for component in components), default=1) or 1 for axis in (0, 1))
    blocks = sum(-(-width * h // (across * BLOCK)) * -(-height * v // (down * BLOCK)) for h, v in components)
    return blocks * BLOCK_BYTES


def _png(data: bytes) -> Header:
    width = height = 0
    at = 8
    for __ in _counted("PNG"):
        kind = data[at + 4 : at + 8]
        if kind == b"IHDR":
            width, height = _number(data, at + 8, 4), _number(data, at + 12, 4)
        if len(kind) < 4 or kind == b"IEND":
            break
        at += 12 + _number(data, at, 4)
    return Header("PNG", width, height)


def _gif(data: bytes) -> Header:
    """Read a GIF up to its first frame, which may be larger than what the file says of the whole."""
    width, height = (_number(data, at, 2, "little") for at in (6, 8))
    flags = _number(data, 10, 1)
    at = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    inside = False
    for __ in _counted("GIF"):
        kind = data[at : at + 1]
        if inside:
            # The next block of an extension; one of no length ends it.
            length = _number(data, at, 1)
            inside, at = length > 0, at + 1 + length
        elif kind == b"!":
            inside, at = True, at + 2
        elif kind == b",":
            left, top, wide, high = (_number(data, at + place, 2, "little") for place in (1, 3, 5, 7))
            return Header("GIF", max(width, left + wide), max(height, top + high))
        elif kind in (b"", b";"):
            break
        else:
            at += 1
    return Header("GIF", 0, 0)


def _webp(data: bytes) -> Header:
    width = height = 0
    at = 12
    for __ in _counted("WebP"):
        kind, length, start = data[at : at + 4], _number(data, at + 4, 4, "little"), at + 8
        if len(kind) < 4:
            break
        wide, high = WEBP_SIZES.get(kind, _no_size)(data, start)
        width, height = max(width, wide), max(height, high)
        at = start + length + length % 2
    return Header("WebP", width, height)


def _whole(data: bytes, start: int) -> tuple[int, int]:
    """Return the size of VP8X on which all frames are drawn."""
    return _number(data, start + 4, 3, "little") + 1, _number(data, start + 7, 3, "little") + 1


def _frame(data: bytes, start: int) -> tuple[int, int]:
    return _number(data, start + 6, 3, "little") + 1, _number(data, start + 9, 3, "little") + 1


def _lossless(data: bytes, start: int) -> tuple[int, int]:
    bits = _number(data, start + 1, 4, "little")
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1


def _lossy(data: bytes, start: int) -> tuple[int, int]:
    return _number(data, start + 6, 2, "little") & 0x3FFF, _number(data, start + 8, 2, "little") & 0x3FFF


def _no_size(data: bytes, start: int) -> tuple[int, int]:
    return 0, 0


WEBP_SIZES: dict[bytes, Callable[[bytes, int], tuple[int, int]]] = {
    b"VP8X": _whole,
    b"ANMF": _frame,
    b"VP8L": _lossless,
    b"VP8 ": _lossy,
}
FORMATS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], Header]], ...] = (
    (re.compile(rb"\xff\xd8\xff"), _jpeg),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), _png),
    (re.compile(rb"GIF8[79]a"), _gif),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), _webp),
)


# Make a picture in a separate process, one at a time, so that it takes nothing from any table.


log = logging.getLogger(__name__)

WORKER = Path(__file__).with_name("worker.py")
AT_ONCE = 4
"""Pictures that are made or wait for it in a server process: half of the requests that it answers at a time are others'."""
WITHIN = 40.0  # seconds, for one to be made, those of other processes before it included
INHERITED = ("LD_LIBRARY_PATH", "SYSTEMROOT")
"""Environment variables that Python itself may need to start. Others are withheld, as they include the site's secrets."""

BUSY = gettext_lazy("Several pictures are being processed right now. Send yours again in a few seconds.")
TOO_MUCH = gettext_lazy(
    "This picture takes too much memory to open. Make it smaller, or save it again as a JPEG or PNG."
)
REFUSED = {
    "moves": gettext_lazy("This picture is animated. Choose a still one."),
    "large": TOO_MUCH,
    "unreadable": UNREADABLE,
}


class Made(NamedTuple):
    """A WebP image, and its size in pixels."""

    data: bytes
    width: int
    height: int


_waiting = BoundedSemaphore(AT_ONCE)
_turn = Lock()


def made(data: bytes, sides: tuple[int, ...], *, may_move: bool) -> list[Made]:
    """Return the picture of a file, upright and without metadata, once for each of `sides` (maximum pixels of a side).

    Of an animated one, return the first frame if it `may_move`. Raises PictureError.
    """
    if not _waiting.acquire(blocking=False):
        raise PictureError(BUSY)
    try:
        with _turn:
            answer = _asked(data, [str(os.getpid()), "01"[may_move], *map(str, sides)])
    finally:
        _waiting.release()
    return _read(answer, len(sides))


def _asked(data: bytes, words: list[str]) -> bytes:
    """Return the worker's answer. Isolated (-I), it imports nothing from the current folder."""
    command = [sys.executable, "-I", str(WORKER), *words]
    known = {name: os.environ[name] for name in INHERITED if name in os.environ} | {"MALLOC_ARENA_MAX": "1"}
    try:
        ended = subprocess.run(  # noqa: S603  # our own words
            command, input=data, capture_output=True, env=known, timeout=WITHIN, check=False
        )
    except subprocess.TimeoutExpired:
        log.warning("A picture of %d bytes was not made within %d s.", len(data), WITHIN)
        raise PictureError(BUSY) from None
    except OSError:
        log.exception("The process that makes pictures could not be started.")
        raise PictureError(_("Pictures can’t be processed right now. Try again later.")) from None
    if ended.returncode:
        complaint = ended.stderr.decode(errors="replace").strip().rpartition("\n")[2][:200]
        log.warning("A picture of %d bytes ended its process (%d) %s", len(data), ended.returncode, complaint)
        raise PictureError(TOO_MUCH)
    return ended.stdout


def _read(answer: bytes, many: int) -> list[Made]:
    """Return the pictures in the worker's answer. The worker decoded untrusted data, so its answer is checked. Raises
    PictureError.
    """
    head, _, rest = answer.partition(b"\n")
    head_fields = json.loads(head)
    if "refused" in head_fields:
        raise PictureError(REFUSED[head_fields["refused"]])
    images = []
    for length, width, height in head_fields["sizes"]:
        images.append(Made(rest[:length], width, height))
        rest = rest[length:]
    if len(images) != many or rest or not all(_is_webp(image.data) for image in images):
        raise PictureError(UNREADABLE)
    return images


def _is_webp(data: bytes) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


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


def too_large() -> str:
    """Return how a file of more than LARGEST_UPLOAD bytes is refused."""
    return _("Pictures can be up to {most} MB. Make this one smaller.").format(most=f"{LARGEST_UPLOAD / 1e6:.0f}")


def _looked_at(upload: IO[bytes], size: int) -> bytes:
    """Return the whole file, if it is worth decoding."""
    if size > LARGEST_UPLOAD:
        raise PictureError(too_large())
    upload.seek(0)
    data = upload.read()
    check(data)
    return data
