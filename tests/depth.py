"""How far tests go that try many things: some of them, by chance, in every run, and all of them in `dev.py test-all`.

What takes long and is seldom touched is marked `deep`, and runs in `dev.py test-all` and wherever it is asked for by its path.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from typing import TypeVar

import pytest

Thing = TypeVar("Thing")

DEEP = os.environ.get("TEST_DEEP") == "1"


def tries(usual: int, deep: int) -> int:
    """What is tried differs from run to run, so that fewer tries each time find the same in the end."""
    return deep if DEEP else usual


def some(things: Iterable[Thing], usual: int) -> list[Thing]:
    """At most `usual` of these, in their order; in `dev.py test-all` every one. The seed that a run prints brings them again."""
    every = list(things)
    if DEEP or len(every) <= usual:
        return every
    return [every[position] for position in sorted(random.sample(range(len(every)), usual))]


def runs_now(item: pytest.Item, *, once: bool) -> bool:
    """Whether a test belongs to this run by how deep that goes; `once` is that of a whole run."""
    return DEEP or not once or item.get_closest_marker("deep") is None
