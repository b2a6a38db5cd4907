"""The application that the drive's servers run: the site's, with faults added on purpose.

`kill -USR1` has one log what it holds: how many objects of each type, and what the allocator of C has, of which is in use.
"""

import ctypes
import gc
import logging
import signal
import sys
from collections import Counter

from bench.drive.settings import put_wrong
from config.asgi import application

__all__ = ["application"]

MOST = 60
FIELDS = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")


class _Allocated(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS]


def _tell(*_signal: object) -> None:
    counted = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
    asked = ctypes.CDLL(None).mallinfo2
    asked.restype = _Allocated
    held = asked()
    allocated = {name: getattr(held, name) for name in ("arena", "hblkhd", "uordblks", "fordblks")}
    logging.getLogger("bench").warning(
        "holds %s; blocks %s; %s", counted.most_common(MOST), sys.getallocatedblocks(), allocated
    )


put_wrong()
signal.signal(signal.SIGUSR1, _tell)
