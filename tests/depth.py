"""How far tests go that try things at random: some things in every run, many more in `dev.py test-all`."""

from __future__ import annotations

import os

DEEP = os.environ.get("TEST_DEEP") == "1"


def tries(usual: int, deep: int) -> int:
    """What is tried differs from run to run, so that fewer tries each time find the same in the end."""
    return deep if DEEP else usual
