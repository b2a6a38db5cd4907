"""How far tests go that try many things, or that take long: a whole run goes a part of the way, and `dev.py test-all` to the end.

* What is tried at random is tried less often (`tries`), and of all pages, readers and forms some by chance (`some`).
* Tests of a tenth of a second and more (tests/durations.json) take turns: each commit runs another tenth of them, so that ten
  commits in a row run them all; but those marked `always` are in every run, and by their names those of secrets (SECRETS).
* Tests marked `deep`, of what is seldom touched, run in `dev.py test-all` alone.

What is asked for by its path always runs.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

import pytest

from tools import durations

Thing = TypeVar("Thing")

DEEP = os.environ.get("TEST_DEEP") == "1"
TURNS = 10


SECRETS = re.compile(
    r"secret|twin|doors|hidden|gms_alone|only_gms|nobody_else|tells?_(nothing|nobody|of)|nothing_(that|of)|free_of_what|stay_unread"
    r"|not_shown|shown_until|reads_nobodys|leave_out|not_know"
)
"""What a test of something that is kept from somebody has in its name, or in that of its module."""


def is_always(item: pytest.Item) -> bool:
    """Whether it takes no turns, however long it takes."""
    return bool(item.get_closest_marker("always")) or SECRETS.search(item.nodeid.partition("[")[0]) is not None


def tries(usual: int, deep: int) -> int:
    """What is tried differs from run to run, so that fewer tries each time find the same in the end."""
    return deep if DEEP else usual


def some(things: Iterable[Thing], usual: int) -> list[Thing]:
    """At most `usual` of these, in their order; in `dev.py test-all` every one. The seed that a run prints brings them again."""
    every = list(things)
    if DEEP or len(every) <= usual:
        return every
    return [every[position] for position in sorted(random.sample(range(len(every)), usual))]


def of_this_run(items: Sequence[pytest.Item], *, once: bool) -> list[pytest.Item]:
    """Those of the collected tests that this run has; `once` is a whole run, all others take what they were asked for."""
    if DEEP or not once:
        return list(items)
    usual = [item for item in items if not item.get_closest_marker("deep")]
    if not (turn := os.environ.get("TEST_TURN")):
        return usual
    noted = durations.noted()
    long = {item.nodeid: noted.get(durations.name_of(item.nodeid)) for item in usual if not is_always(item)}
    now = in_turn({nodeid: seconds for nodeid, seconds in long.items() if seconds}, int(turn))
    return [item for item in usual if not long.get(item.nodeid) or item.nodeid in now]


def in_turn(long: dict[str, float], turn: int) -> set[str]:
    """Each tenth of these, the longest first: turns take about the same time, and the cases of a test fall into several."""
    ordered = sorted(long, key=lambda nodeid: (-long[nodeid], nodeid))
    return {*ordered[turn % TURNS :: TURNS]}
