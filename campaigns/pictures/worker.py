"""The process that decodes one picture: `python -I worker.py PARENT MAY_MOVE SIDE…`, the file on its standard input.

It prints a line of JSON, {"sizes": [[bytes, width, height], …]}, and after it as many WebP images, each at most SIDE pixels wide
and high; {"refused": why} where there is none. Nothing of the site is imported here, and nothing of its environment known: the
file comes from a stranger. However it ends, by an error, by a limit or with the server, nobody else is the worse for it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from io import BytesIO
from typing import Any

MOST_MEMORY = 200_000_000
"""Bytes of addresses. Python and Pillow take 30 MB of them, and the largest picture that passes the check of headers 150 MB."""
SECONDS, PROCESSOR_SECONDS = 20, 10
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
FINER = 1.5
"""A picture is decoded so many times larger than wanted, where its format can be decoded small."""


def main(parent: int, may_move: bool, sides: list[int]) -> None:
    _bound()
    _die_with(parent)
    data = sys.stdin.buffer.read()
    turn = _wait_for_turn()
    # Not before its turn: what waits takes no memory, and no time of its own.
    if hasattr(signal, "alarm"):
        signal.alarm(SECONDS)
    try:
        images = _made(data, may_move, sides)
        answer: dict[str, Any] = {"sizes": [[len(written), *size] for written, size in images]}
    except MemoryError:
        images, answer = [], {"refused": "large"}
    except _Moves:
        images, answer = [], {"refused": "moves"}
    except Exception as error:
        # Decoders raise whatever they like, and all of it means the same.
        large = type(error).__name__ == "DecompressionBombError"
        images, answer = [], {"refused": "large" if large else "unreadable"}
    out = sys.stdout.buffer
    out.write(json.dumps(answer).encode() + b"\n" + b"".join(written for written, _ in images))
    out.flush()
    del turn


class _Moves(Exception):
    pass


def _bound() -> None:
    """Limit what this process may take; where the system has no such limits, the headers have to do."""
    if sys.platform == "win32":
        return
    import resource as limits

    os.nice(5)
    wanted = {"AS": MOST_MEMORY, "CPU": PROCESSOR_SECONDS, "FSIZE": 0, "CORE": 0, "NPROC": 0, "NOFILE": 32}
    for name, most in wanted.items():
        with suppress(AttributeError, ValueError, OSError):
            limits.setrlimit(getattr(limits, f"RLIMIT_{name}"), (most, most))


def _die_with(parent: int) -> None:
    """Have the kernel end this process with the server's (Linux); elsewhere the alarm does, a little later."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            sys.exit(1)


def _wait_for_turn() -> Any:
    """Wait until no other on this machine decodes: the lock is on this file, and held while it is open."""
    if sys.platform == "win32":
        return None
    import fcntl

    own = open(__file__, "rb")  # noqa: SIM115  # closed when the process ends
    with suppress(OSError):
        fcntl.flock(own, fcntl.LOCK_EX)
    return own


def _made(data: bytes, may_move: bool, sides: list[int]) -> list[tuple[bytes, tuple[int, int]]]:
    from PIL import Image

    with Image.open(BytesIO(data), formats=FORMATS) as opened:
        # MPO is what some phones write: a JPEG with others behind it, and it does not move.
        if not may_move and opened.format != "MPO" and getattr(opened, "is_animated", False):
            raise _Moves
        image = _upright(opened, sides[0])
    images = []
    for side in sides:
        image.thumbnail((side, side))
        out = BytesIO()
        image.save(out, "WEBP", quality=82)
        images.append((out.getvalue(), image.size))
    return images


def _upright(image: Any, side: int) -> Any:
    from PIL import ImageOps

    image.seek(0)
    enough = FINER * side / max(image.size)
    if enough < 1:
        image.draft(None, (int(image.width * enough), int(image.height * enough)))
    # Made small first, so that of a large picture there is no second copy in memory.
    image.thumbnail((side, side))
    upright = ImageOps.exif_transpose(image)
    return upright.convert("RGBA" if upright.has_transparency_data else "RGB")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] == "1", [int(side) for side in sys.argv[3:]])
