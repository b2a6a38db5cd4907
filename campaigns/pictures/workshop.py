"""Make a picture in a separate process, one at a time, so that it takes nothing from any table."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import NamedTuple

from campaigns.pictures.headers import UNREADABLE, PictureError
from languages.text import gettext as _
from languages.text import gettext_lazy

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
